"""The bridge learns, forgets what is silent for too long, and learns nothing into a full table; all as a model does."""
import random

from nf_test import DROP, FLOOD, compare, ethernet

MS = 10**6


def bridge(capacity, timeout_ms):
    table, newest = {}, 0  # by address: port and time last seen

    def step(port, packet, now):
        nonlocal newest
        if len(packet) < 14 or packet[6] & 1:
            return DROP, packet
        destination, source = packet[:6], packet[6:12]
        for address in [a for a, (_, seen) in table.items() if seen < now - timeout_ms * MS]:
            del table[address]
        newest = max(newest, now)
        if source in table or len(table) < capacity:
            table[source] = port, newest
        if destination[0] & 1 or destination not in table:
            return FLOOD, packet
        output = table[destination][0]
        return (DROP if output == port else str(output)), packet

    return step


def station(number):
    return f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}"


def between(source, destination):
    return ethernet(b"data", source=station(source), destination=station(destination))


broadcast = ethernet(b"all", destination="ff:ff:ff:ff:ff:ff")
multicast = ethernet(b"many", destination="01:00:5e:00:00:01")
from_group = ethernet(b"bad", source="03:00:00:00:00:01")

packets = [between(1, 2), between(2, 1), between(1, 2), between(3, 2), broadcast, multicast, from_group, b"", broadcast[:13]]
ports = [0, 1, 0, 1, 2, 1, 1, 0, 0]
expected = [FLOOD, "0", "1", DROP, FLOOD, FLOOD, DROP, DROP, DROP]
assert compare(lambda: bridge(65536, 300000), packets, port=ports) == expected
assert compare(lambda: bridge(65536, 300000), packets, ["--key", "random"], port=ports) == expected

# Seen again in time, an address stays; one millisecond too late, it is forgotten. It may move to another port.
times = [10**18 + ms * MS for ms in (0, 100, 200, 300, 401, 402)]
packets = [between(1, 2), between(2, 1), between(2, 1), between(3, 2), between(3, 2), between(3, 1)]
arguments = ["--capacity", "16", "--timeout-ms", "100"]
assert compare(lambda: bridge(16, 100), packets, arguments, port=[5, 6, 7, 0, 0, 0], times=times) == \
    [FLOOD, "5", FLOOD, "7", FLOOD, FLOOD]

# The third address finds the table full and is not learned, until another one is forgotten.
packets = [between(1, 9), between(2, 9), between(3, 9), between(1, 3), between(3, 9), between(1, 3)]
arguments = ["--capacity", "2", "--timeout-ms", "100"]
times = [10**18 + ms * MS for ms in (0, 0, 50, 90, 150, 160)]
assert compare(lambda: bridge(2, 100), packets, arguments, port=[0, 1, 2, 0, 2, 0], times=times) == \
    [FLOOD, FLOOD, FLOOD, FLOOD, FLOOD, "2"]

# A clock that goes back counts as one that stands still.
packets = [between(1, 9), between(2, 1), between(3, 1), between(3, 1)]
times = [10**18, 10**18 - 5000 * MS, 10**18 + 100 * MS, 10**18 + 101 * MS]
assert compare(lambda: bridge(16, 100), packets, ["--capacity", "16", "--timeout-ms", "100"], port=[0, 1, 2, 2], times=times) == \
    [FLOOD, "0", "0", FLOOD]

# Random traffic of more addresses than fit; with a threshold of 1 the table takes a new key again and again.
choose = random.Random(4)
for capacity, threshold, timeout_ms in ((64, 64, 3000), (64, 1, 3000), (1024, 2, 60000), (1, 1, 10)):
    packets = [between(choose.randrange(80), choose.randrange(80)) for _ in range(5000)]
    ports = [choose.randrange(4) for _ in packets]
    times, now = [], 10**18
    for _ in packets:
        now += choose.choice((-3, 0, 1, 10, 100)) * MS
        times.append(now)
    arguments = ["--capacity", capacity, "--threshold", threshold, "--timeout-ms", timeout_ms, "--key", choose.getrandbits(64)]
    verdicts = compare(lambda: bridge(capacity, timeout_ms), packets, list(map(str, arguments)), port=ports, times=times)
    assert FLOOD in verdicts and DROP in verdicts
