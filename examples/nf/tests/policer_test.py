"""The policer lets each source send at its rate, as exact buckets do, and knows so many sources at a time."""
import random

from nf_test import DROP, compare, cut_and_changed, ethernet, ipv4

MS = 10**6
POLICED, FREE = 0, 1


def policer(rate, burst, capacity=65536, prefix=32):
    fill = -(-burst * 10**9 // rate)
    sources, newest = {}, 0  # by network, oldest first: billionths of a byte, their time, and the time last seen

    def conforms(network, size, now):
        nonlocal newest
        while sources and next(iter(sources.values()))[2] < now - fill:
            del sources[next(iter(sources))]
        newest = max(newest, now)
        if network not in sources and len(sources) == capacity:
            return False
        tokens, then, _ = sources.pop(network, (burst * 10**9, now, now))
        tokens = min(tokens + max(now - then, 0) * rate, burst * 10**9)
        passes = tokens >= size * 10**9
        sources[network] = tokens - size * 10**9 * passes, max(now, then), newest
        return passes

    def step(port, packet, now):
        if len(packet) < 34 or packet[12:14] != b"\x08\x00" or packet[14] >> 4 != 4 or port > 1:
            return DROP, packet
        header, total = packet[14] % 16 * 4, int.from_bytes(packet[16:18], "big")
        if not 20 <= header <= total <= len(packet) - 14:
            return DROP, packet
        if port == FREE:
            return str(POLICED), packet
        return (str(FREE) if conforms(int.from_bytes(packet[26:30], "big") >> 32 - prefix, total, now) else DROP), packet

    return step


def check(packets, times, port=0, **given):
    arguments = [str(part) for name, value in given.items() for part in (f"--{name}", value)]
    return compare(lambda: policer(**given), packets, arguments, port=port, times=times)


def at(*milliseconds):
    return [10**18 + ms * MS for ms in milliseconds]


def sized(size, source=0x0A000001):
    return ethernet(ipv4(bytes(size - 20), source=source))


# A bucket of 100 bytes that gets 1,000 bytes a second, one a millisecond. Each source has its own.
packets = [sized(60), sized(60), sized(40), sized(20), sized(20), sized(60, 0x0A000002), sized(101), sized(100)]
assert check(packets, at(0, 0, 0, 19, 20, 20, 500, 500), rate=1000, burst=100) == ["1", DROP, "1", DROP, "1", "1", DROP, "1"]

# Sources of a network share a bucket; padding does not count; the way back is free.
packets = [sized(60), sized(60, 0x0A0000FF), sized(60, 0x0A000101) + bytes(50)]
assert check(packets, at(0, 0, 0), rate=1000, burst=100, prefix=24) == ["1", DROP, "1"]
assert check(packets, at(0, 0, 0), rate=1000, burst=100, port=FREE) == ["0"] * 3
assert check(packets, at(0, 0, 0), rate=1000, burst=100, port=2) == [DROP] * 3

# The table is full for a second source until the first one's bucket must be full, 100 ms after it was seen.
packets = [sized(100), sized(20, 2), sized(20), sized(20, 2), sized(20, 2), sized(20)]
assert check(packets, at(0, 50, 50, 150, 151, 152), rate=1000, burst=100, capacity=1) == ["1", DROP, "1", DROP, "1", DROP]

# A clock that goes back adds nothing.
assert check([sized(100), sized(20), sized(20), sized(20)], at(100, 0, 119, 120), rate=1000, burst=100) == ["1", DROP, DROP, "1"]

choose = random.Random(7)
damaged = cut_and_changed([sized(60), ethernet(ipv4(b"data", options=b"\1"))], choose, 1000)
assert DROP in check(damaged, None, rate=1000, burst=1000)

# The clock goes back only where no source is forgotten: else a new one may get a bucket that is not quite full again.
for given in (dict(rate=1000, burst=200), dict(rate=7, burst=1000, capacity=10), dict(rate=333_333, burst=3000, prefix=30),
              dict(rate=10**12, burst=60), dict(rate=999_999_937, burst=2**32 - 1, capacity=3)):
    packets = [sized(choose.randrange(20, 200), 0x0A000000 + choose.randrange(16)) for _ in range(5000)]
    times, now = [], 10**18
    for _ in packets:
        now += choose.choice((-5 if given["rate"] == 7 else 0, 0, 1, 10, 100)) * choose.randrange(MS)
        times.append(now)
    verdicts = check(packets, times, **given)
    assert "1" in verdicts
