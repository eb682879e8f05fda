"""The static router forwards by its routes, counts down the TTL, fills in IP timestamp options, and keeps the
checksum right. The model computes every checksum anew."""
import random
import struct

from nf_test import DROP, PCVS, compare, compare_pcvs, ethernet, ipv4, with_checksum

DEFAULT = [(0x0A010200, 24, 2), (0x0A010000, 16, 1), (0xC0A80000, 16, 3), (0x0A000000, 8, 0)]
DAY_MS = 24 * 60 * 60 * 1000


class BadOption(Exception):
    pass


def stamped(option, now, own):
    """A timestamp option (RFC 791) after the router has entered itself."""
    if len(option) < 4 or option[2] < 5 or option[3] & 15 not in (0, 1, 3):
        raise BadOption
    at, overflow, flag = option[2] - 1, option[3] >> 4, option[3] & 15
    if at >= len(option):
        if flag == 3:
            return option
        if overflow == 15:
            raise BadOption
        return option[:3] + bytes([option[3] + 16]) + option[4:]
    entry = struct.pack("!I", now // 10**6 % DAY_MS)
    if flag != 0:
        entry = struct.pack("!I", own) + entry
    if at + len(entry) > len(option):
        raise BadOption
    if flag == 3 and option[at : at + 4] != entry[:4]:
        return option
    option = option[:at] + entry + option[at + len(entry) :]
    return option[:2] + bytes([option[2] + len(entry)]) + option[3:]


def processed(options, now, own):
    done, left = b"", options
    while left:
        PCVS["n"] += 1
        if left[0] == 0:
            break
        if left[0] == 1:
            size = 1
        elif len(left) < 2 or left[1] < 2 or left[1] > len(left):
            raise BadOption
        else:
            size = left[1]
        option, left = left[:size], left[size:]
        done += stamped(option, now, own) if option[0] == 68 else option
    return done + left


def router(routes=DEFAULT, own=0xC0000201):
    def step(port, packet, now):
        if len(packet) < 34 or packet[12:14] != b"\x08\x00" or packet[14] >> 4 != 4:
            return DROP, packet
        header, total = packet[14] % 16 * 4, int.from_bytes(packet[16:18], "big")
        if not 20 <= header <= total <= len(packet) - 14 or packet[22] < 2:
            return DROP, packet
        ip = packet[14 : 14 + header]
        try:
            options = processed(ip[20:], now, own)
        except BadOption:
            return DROP, packet
        address = int.from_bytes(ip[16:20], "big")
        matching = [(n, output) for prefix, n, output in routes if address >> 32 - n == prefix >> 32 - n]
        if not matching:
            return DROP, packet
        ip = with_checksum(ip[:8] + bytes([ip[8] - 1]) + ip[9:20] + options)
        return str(max(matching)[1]), packet[:14] + ip + packet[14 + header :]

    return step


def to(destination=0x0A010203, options=b"", **rest):
    return ethernet(ipv4(b"payload", destination=destination, options=options, **rest))


def timestamp(flag, entries, pointer=5, overflow=0):
    return bytes([68, 4 + len(entries), pointer, overflow << 4 | flag]) + entries


OWN = struct.pack("!I", 0xC0000201)
OTHER = struct.pack("!I", 0x01020304)
named = [
    (to(), "2"),
    (to(0x0A01FF01), "1"),
    (to(0x0AFF0001), "0"),
    (to(0xC0A80101), "3"),
    (to(0x08080808), DROP),
    (to(ttl=1), DROP),
    (to(ttl=0), DROP),
    (to(ttl=2), "2"),
    (to(options=b"\x01" * 40), "2"),
    (to(options=b"\x00" + b"\xff" * 7), "2"),
    (to(options=timestamp(0, bytes(8))), "2"),
    (to(options=timestamp(0, bytes(8), pointer=9)), "2"),
    (to(options=timestamp(0, bytes(8), pointer=13)), "2"),
    (to(options=timestamp(0, bytes(8), pointer=13, overflow=14)), "2"),
    (to(options=timestamp(0, bytes(8), pointer=13, overflow=15)), DROP),
    (to(options=timestamp(0, bytes(8), pointer=10)), DROP),
    (to(options=timestamp(0, bytes(8), pointer=4)), DROP),
    (to(options=timestamp(2, bytes(8))), DROP),
    (to(options=timestamp(1, bytes(16))), "2"),
    (to(options=timestamp(1, bytes(12), pointer=13)), DROP),
    (to(options=timestamp(3, OWN + bytes(4) + OTHER + bytes(4))), "2"),
    (to(options=timestamp(3, OTHER + bytes(4) + OWN + bytes(4))), "2"),
    (to(options=timestamp(3, OWN + bytes(4), pointer=13)), "2"),
    (to(options=b"\x01" + timestamp(0, bytes(4))), "2"),
    (to(options=b"\x01" + timestamp(1, bytes(8)) + b"\x01\x01" + timestamp(0, bytes(4), pointer=9)), "2"),
    (to(options=b"\x44\x02"), DROP),
    (to(options=b"\x01\x01\x01\x44"), DROP),
    (to(options=b"\x07\x09"), DROP),
    (to(options=b"\x07\x01"), DROP),
    (to(options=b"\x94\x04\x00\x00"), "2"),
]
packets = [packet for packet, _ in named]
assert compare(router, packets) == [verdict for _, verdict in named]
# Shortly before midnight and at it.
compare(router, packets, start_ns=1_700_006_399_990_000_000, step_ns=1_000_000)
# Cut short anywhere.
longest = to(options=timestamp(1, bytes(32)))
compare(router, [longest[:length] for length in range(len(longest))])

choose = random.Random(4)


def random_options():
    options = b""
    while choose.random() < 0.7 and len(options) < 40:
        room = 40 - len(options)
        kind = choose.random()
        if kind < 0.3:
            option = b"\x01"
        elif kind < 0.4:
            option = bytes([choose.choice((7, 68, 131, 0)), choose.randrange(12), choose.randrange(256)])
        else:
            entries = choose.choice((OWN, OTHER, b"")) + choose.randbytes(choose.choice((0, 4, 8, 12, 5)))
            option = timestamp(choose.choice((0, 0, 1, 3, 3, 2)), entries, choose.choice((5, 5, 9, 13, 21, 6, 3)),
                               choose.choice((0, 1, 14, 15)))
        options += option if len(option) <= room else b""
    return options


packets = [to(choose.choice((0x0A010203, 0x0A020304)) + choose.randrange(256), random_options(), ttl=choose.randrange(256))
           for _ in range(5000)]
verdicts = compare(router, packets)
assert 500 < verdicts.count(DROP) < 4500
compare_pcvs(router, packets[:60] + [packet for packet, _ in named])

routes = [(0, 0, 9), (0x0A010203, 32, 8), (0x0A010200, 30, 7), (0x80000000, 1, 6)]
arguments = ["--route", "0.0.0.0/0=9", "--route", "10.1.2.0/30=7", "--route", "10.1.2.3/32=8", "--route", "128.0.0.0/1=6",
             "--address", "1.2.3.4"]
destinations = [0x0A010203, 0x0A010202, 0x0A010204, 0x80000000, 0xFFFFFFFF, 0]
packets = [to(address, timestamp(3, OTHER + bytes(4))) for address in destinations]
assert compare(lambda: router(routes, 0x01020304), packets, arguments) == ["8", "7", "9", "6", "6", "9"]
