"""The firewall lets plain IPv4 through, and only that."""
import random
import struct

from nf_test import DROP, compare, cut_and_changed, ethernet, ipv4


def accepted(packet):
    if packet[12:14] != b"\x08\x00" or len(packet) < 34:
        return False
    total, _, fragment = struct.unpack_from("!HHH", packet, 16)
    return packet[14] == 0x45 and 20 <= total <= len(packet) - 14 and fragment & 0x3FFF == 0


def firewall():
    return lambda port, packet, now: (str(1 - port) if port < 2 and accepted(packet) else DROP, packet)


plain = ethernet(ipv4(b"payload"))
packets = [
    plain,
    plain + b"padding",
    ethernet(ipv4()),
    ethernet(ipv4(b"data", options=b"\x01")),
    ethernet(ipv4(b"data", fragment=0x2000)),
    ethernet(ipv4(b"data", fragment=1)),
    ethernet(ipv4(b"data", fragment=0x4000)),
    ethernet(ipv4(), type=0x86DD),
    ethernet(bytes([0x44]) + ipv4()[1:]),
    ethernet(bytes([0x65]) + ipv4()[1:]),
    b"",
]
packets += [plain[:length] for length in range(len(plain))]
packets += cut_and_changed(packets, random.Random(1), 2000)

verdicts = compare(firewall, packets)
assert {"1", DROP} == set(verdicts)
assert verdicts[:11] == ["1", "1", "1", DROP, DROP, DROP, "1", DROP, DROP, DROP, DROP]
assert set(compare(firewall, packets, port=1)) == {"0", DROP}
assert set(compare(firewall, packets, port=2)) == {DROP}
