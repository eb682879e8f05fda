"""The parser puts every packet into its class, and drops what is malformed."""
import random
import struct

from nf_test import DROP, PCVS, compare, compare_pcvs, cut_and_changed, ethernet, ipv4

(ARP, IPV4_TCP, IPV4_UDP, IPV4_ICMP, IPV4_OTHER, IPV4_FRAGMENT, IPV6_TCP, IPV6_UDP, IPV6_ICMP, IPV6_OTHER, IPV6_FRAGMENT,
 VXLAN_IPV4, VXLAN_OTHER, OTHER) = map(str, range(14))


class Malformed(Exception):
    pass


def need(condition):
    if not condition:
        raise Malformed


def number(data, at):
    return int.from_bytes(data[at : at + 2], "big")


def ipv4_parts(data):
    need(len(data) >= 20 and data[0] >> 4 == 4)
    header, total = data[0] % 16 * 4, number(data, 2)
    need(20 <= header <= total <= len(data))
    return data[:header], data[header:total]


def transport(data, protocol, icmp, classes):
    tcp, udp, control, other = classes
    if protocol == 6:
        need(len(data) >= 20 and 20 <= data[12] // 16 * 4 <= len(data))
        return tcp
    if protocol == 17:
        need(len(data) >= 8 and 8 <= number(data, 4) <= len(data))
        return vxlan(data[8 : number(data, 4)]) if number(data, 2) == 4789 else udp
    if protocol == icmp:
        need(len(data) >= 8)
        return control
    return other


def vxlan(data):
    need(len(data) >= 22 and data[0] & 8)
    if data[20:22] != b"\x08\x00":
        return VXLAN_OTHER
    ipv4_parts(data[22:])
    return VXLAN_IPV4


def ipv6_class(data):
    need(len(data) >= 40 and data[0] >> 4 == 6 and number(data, 4) <= len(data) - 40)
    kind, data = data[6], data[40 : 40 + number(data, 4)]
    passed = 0
    while kind in (0, 43, 44, 60):
        need(passed < 4 and (kind != 0 or passed == 0) and len(data) >= 8)
        if kind == 44 and number(data, 2) >= 8:
            return IPV6_FRAGMENT
        size = 8 if kind == 44 else 8 * (1 + data[1])
        need(size <= len(data))
        PCVS["e"] += 1
        kind, data, passed = data[0], data[size:], passed + 1
    return transport(data, kind, 58, (IPV6_TCP, IPV6_UDP, IPV6_ICMP, IPV6_OTHER))


def classify(packet):
    need(len(packet) >= 14)
    kind, data, tags = number(packet, 12), packet[14:], 0
    while kind == 0x8100:
        need(tags < 2 and len(data) >= 4)
        PCVS["v"] += 1
        kind, data, tags = number(data, 2), data[4:], tags + 1
    if kind == 0x0806:
        need(len(data) >= 8)
        return ARP
    if kind == 0x0800:
        header, payload = ipv4_parts(data)
        if number(header, 6) & 0x1FFF:
            return IPV4_FRAGMENT
        return transport(payload, header[9], 1, (IPV4_TCP, IPV4_UDP, IPV4_ICMP, IPV4_OTHER))
    return ipv6_class(data) if kind == 0x86DD else OTHER


def parser():
    def step(port, packet, now):
        try:
            return classify(packet), packet
        except Malformed:
            return DROP, packet

    return step


def tcp(options=b""):
    return struct.pack("!HHIIBBHHH", 1, 2, 3, 4, 80 + len(options) * 4, 2, 5, 6, 7) + options


def udp(payload=b"data", port=53):
    return struct.pack("!HHHH", 1000, port, 8 + len(payload), 0) + payload


def ipv6(payload, kind, extensions=()):
    chain = b""
    for extension, body in reversed(extensions):
        chain = bytes([kind, len(body) // 8]) + body + chain if extension != 44 else bytes([kind, 0]) + body + chain
        kind = extension
    return struct.pack("!IHBB", 0x60000000, len(chain + payload), kind, 64) + bytes(32) + chain + payload


def tagged(payload, type, tags):
    for tag in range(tags):
        payload, type = struct.pack("!HH", tag + 1, type) + payload, 0x8100
    return ethernet(payload, type)


OPTIONS = bytes(6)
inner = bytes([8]) + bytes(7) + ethernet(ipv4(b"inner"))
named = []
for tags in (0, 1, 2):
    named += [
        (tagged(bytes(28), 0x0806, tags), ARP),
        (tagged(ipv4(tcp(), 6), 0x0800, tags), IPV4_TCP),
        (tagged(ipv4(tcp(), 6, options=b"\1" * 8), 0x0800, tags), IPV4_TCP),
        (tagged(ipv4(udp()), 0x0800, tags), IPV4_UDP),
        (tagged(ipv4(bytes(8), 1), 0x0800, tags), IPV4_ICMP),
        (tagged(ipv4(b"", 89), 0x0800, tags), IPV4_OTHER),
        (tagged(ipv4(udp(), fragment=5), 0x0800, tags), IPV4_FRAGMENT),
        (tagged(ipv6(tcp(), 6), 0x86DD, tags), IPV6_TCP),
        (tagged(ipv6(udp(), 17), 0x86DD, tags), IPV6_UDP),
        (tagged(ipv6(bytes(8), 58), 0x86DD, tags), IPV6_ICMP),
        (tagged(ipv6(b"", 59), 0x86DD, tags), IPV6_OTHER),
        (tagged(ipv6(b"rest", 17, [(44, b"\0\x08" + bytes(4))]), 0x86DD, tags), IPV6_FRAGMENT),
        (tagged(ipv4(udp(inner, 4789)), 0x0800, tags), VXLAN_IPV4),
        (tagged(ipv4(udp(inner[:8] + ethernet(b"", 0x0806), 4789)), 0x0800, tags), VXLAN_OTHER),
        (tagged(b"", 0x88CC, tags), OTHER),
    ]
named += [
    (ethernet(ipv6(tcp(), 6, [(0, OPTIONS), (60, bytes(14)), (43, OPTIONS), (44, OPTIONS)]), 0x86DD), IPV6_TCP),
    (ethernet(ipv6(tcp(), 6, [(60, OPTIONS)] * 5), 0x86DD), DROP),
    (ethernet(ipv6(tcp(), 6, [(60, OPTIONS), (0, OPTIONS)]), 0x86DD), DROP),
    (ethernet(ipv6(udp(inner, 4789), 17, [(0, OPTIONS)]), 0x86DD), VXLAN_IPV4),
    (tagged(ipv4(), 0x0800, 3), DROP),
    (ethernet(ipv4(udp(bytes([0]) + inner[1:], 4789))), DROP),
    (ethernet(ipv4(udp(inner[:-5], 4789))), DROP),
    (ethernet(ipv4(tcp()[:-1], 6)), DROP),
    (ethernet(ipv4(tcp()[:12] + b"\xf0" + tcp()[13:], 6)), DROP),
    (ethernet(ipv4(tcp()[:12] + b"\x40" + tcp()[13:], 6)), DROP),
    (ethernet(ipv4(udp()[:-1])), DROP),
]
packets = [packet for packet, _ in named]
assert compare(parser, packets) == [expected for _, expected in named]
compare(parser, [packet[:length] for packet in packets[:15] + packets[-11:] for length in range(len(packet) + 1)])
verdicts = compare(parser, cut_and_changed(packets, random.Random(5), 10000))
assert len(set(verdicts)) == 15
compare_pcvs(parser, packets + cut_and_changed(packets, random.Random(6), 100))
