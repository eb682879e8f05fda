"""The load balancer does what maps of backends and flows do. Which backend a flow gets is its choice: one that is alive."""
import random
from collections import Counter
from ipaddress import ip_address

from nf_test import BUILDS, DROP, TCP, UDP, compare, ends, ethernet, ipv4, outcomes, transport, with_ends

MS = 10**6
CLIENTS, BACKENDS = 0, 1
SERVICE, HEARTBEAT_PORT = int(ip_address("198.51.100.1")), 4001


def first_of(ordered):
    return next(iter(ordered.items()), (None, None))


class LoadBalancer:
    def __init__(self, backends, backend_timeout_ms, capacity, timeout_ms):
        self.most_backends, self.capacity = backends, capacity
        self.backend_timeout, self.timeout = backend_timeout_ms * MS, timeout_ms * MS
        self.backends, self.flows = {}, {}  # oldest first; address: MAC and time heard of; key: address or None, and time used
        self.heard, self.used = 0, 0  # the newest times

    def expire(self, now):
        address, backend = first_of(self.backends)
        if backend and backend[1] < now - self.backend_timeout:  # one a packet
            del self.backends[address]
            self.flows = {key: (None if kept == address else kept, used) for key, (kept, used) in self.flows.items()}
        while self.flows and first_of(self.flows)[1][1] < now - self.timeout:
            del self.flows[first_of(self.flows)[0]]

    def hear(self, address, mac, now):
        self.heard = max(self.heard, now)
        if address in self.backends or len(self.backends) < self.most_backends:
            self.backends.pop(address, None)
            self.backends[address] = mac, self.heard

    def step(self, port, packet, now, after):
        """The verdict and the packet after it that are right; the one given tells which backend was chosen."""
        self.expire(now)
        source, destination, protocol = ends(packet)
        if port == BACKENDS:
            if destination == (SERVICE, HEARTBEAT_PORT) and protocol == UDP:
                self.hear(source[0], packet[6:12], now)
            if destination[0] == SERVICE or source[0] not in self.backends:
                return DROP, None
            return str(CLIENTS), with_ends(packet, (SERVICE, source[1]), destination)
        if destination[0] != SERVICE:
            return DROP, None
        key = source, destination, protocol
        backend, known = self.flows.get(key, (None, 0))[0], key in self.flows
        if known or self.backends:
            self.used = max(self.used, now)
        if backend is None and self.backends:
            backend = after and ends(after)[1][0]
            assert backend in self.backends, "not one that is alive"
        if known or backend is not None and len(self.flows) < self.capacity:
            self.flows.pop(key, None)
            self.flows[key] = backend, self.used
        if backend is None:
            return DROP, None
        changed = with_ends(packet, source, (backend, destination[1]))
        return str(BACKENDS), self.backends[backend][0] + changed[6:]


def check(packets, ports, times, backends=32, backend_timeout_ms=3000, capacity=1000, timeout_ms=60000):
    """Of every build: the verdicts, and to which address each packet went."""
    arguments = ["--service", ip_address(SERVICE), "--heartbeat-port", HEARTBEAT_PORT, "--backends", backends,
                 "--backend-timeout-ms", backend_timeout_ms, "--capacity", capacity, "--timeout-ms", timeout_ms]
    found = []
    for build in BUILDS:
        balancer, verdicts, targets = LoadBalancer(backends, backend_timeout_ms, capacity, timeout_ms), [], []
        for number, (port, packet, now, verdict, after) in enumerate(outcomes(build, packets, list(map(str, arguments)), ports, times=times)):
            wanted = balancer.step(port, packet, now, after)
            assert (verdict, after) == wanted, f"{build}: packet {number}: {verdict} {after and after.hex()}, expected {wanted}"
            verdicts.append(verdict)
            targets.append(after and ends(after)[1][0])
        found.append((verdicts, targets))
    return found


def at(*milliseconds):
    return [10**18 + ms * MS for ms in milliseconds]


def heartbeat(number, protocol=UDP, port=HEARTBEAT_PORT, mac_part=0):
    packet = transport((0x0A010000 + number, 999), (SERVICE, port), protocol)
    return packet[:6] + bytes([2, 0, 0, mac_part, number >> 8, number & 255]) + packet[12:]


def client(number, protocol=TCP, port=80, **header):
    return transport((0x0A020000 + number, 5000), (SERVICE, port), protocol, **header)


reply = transport((0x0A010000 + 1, 80), (0x0A020000 + 1, 5000), TCP)

# No backend, one, none again; and what is no heartbeat is none.
packets = [client(1), heartbeat(1, port=5), heartbeat(1, TCP), client(1), reply, heartbeat(1), client(1), reply, client(1, UDP),
           transport((1, 2), (SERVICE + 1, 80)), client(1, UDP, HEARTBEAT_PORT, options=b"\7\7\7\7"), client(1), reply]
ports = [0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1]
times = at(*range(11), 4000, 4001)
for verdicts, _ in check(packets, ports, times):
    assert verdicts == [DROP, DROP, DROP, DROP, DROP, DROP, "1", "0", "1", DROP, "1", DROP, DROP]

# A backend that moves to another Ethernet address. A third one has no room until one of the first two is dead.
packets = [heartbeat(1), client(1), heartbeat(1, mac_part=9), client(1), heartbeat(2), heartbeat(3), heartbeat(1), client(1),
           heartbeat(3), heartbeat(3), client(2), client(2), client(3), client(4)]
ports = [int(packet in [heartbeat(i, mac_part=m) for i in (1, 2, 3) for m in (0, 9)]) for packet in packets]
check(packets, ports, at(0, 1, 2, 3, 100, 101, 2900, 2901, 3101, 3102, 3103, 6000, 6001, 6002), backends=2)

# Where the table of flows is full, packets still find a backend, the same one each time.
packets = [heartbeat(i) for i in range(5)] + [client(i % 50) for i in range(200)]
for _, targets in check(packets, [1] * 5 + [0] * 200, at(*range(205)), capacity=10):
    assert targets[5:55] * 4 == targets[5:]

# Backends have nearly equal shares. When one dies, its flows find another one, the others stay where they are; and when it
# lives again, all stay.
flows = [client(i) for i in range(1000)]
beats = [heartbeat(i) for i in range(10)]
others = [heartbeat(i) for i in range(9)]
packets = beats + flows + others + flows + beats + flows
ports = [1] * 10 + [0] * 1000 + [1] * 9 + [0] * 1000 + [1] * 10 + [0] * 1000
times = at(*[0] * 1010, *[2000] * 9, *[4000] * 2010)
for verdicts, targets in check(packets, ports, times):
    before, between, later = targets[10:1010], targets[1019:2019], targets[2029:]
    assert all(70 <= count <= 130 for count in Counter(before).values()), Counter(before)
    assert all(new == old for old, new in zip(before, between) if old != 0x0A010009) and 0x0A010009 not in between
    assert between == later

# A clock that goes back counts as one that stands still.
check([heartbeat(1), client(1), heartbeat(1), client(1), client(1), client(1)], [1, 0, 1, 0, 0, 0],
      at(5000, 5000, 1000, 1000, 8000, 8001))

# What is no whole TCP or UDP over IPv4 is dropped, and so is all from a third port.
bad = [client(1)[:-1], ethernet(ipv4(b"12345678", protocol=1)), client(1, fragment=5), b"", ethernet(client(1)[14:], type=0x86DD)]
for port in (CLIENTS, BACKENDS):
    assert set(compare(lambda: lambda *_: (DROP, None), bad, port=port)) == {DROP}
assert set(compare(lambda: lambda *_: (DROP, None), [client(1), heartbeat(1)], port=2)) == {DROP}

# Churn of all: backends that come, go and take each other's numbers, flows that end, full tables.
choose = random.Random(6)
for limits in (dict(backends=4, capacity=20), dict(backends=2, capacity=1000, timeout_ms=400), dict(backends=1, capacity=1)):
    packets, ports, times, now = [], [], [], 10**18
    for _ in range(4000):
        kind = choose.randrange(10)
        ports.append(int(kind < 4))
        number = choose.randrange(5)
        if kind < 3:
            packets.append(heartbeat(number, choose.choice((UDP, UDP, TCP)), mac_part=choose.randrange(2)))
        elif kind < 4:
            packets.append(transport((0x0A010000 + number, 80), (0x0A020000, 5000), choose.choice((TCP, UDP))))
        else:
            packets.append(client(choose.randrange(30), choose.choice((TCP, UDP))))
        now += choose.choice((-5, 0, 1, 10, 50, 300)) * MS
        times.append(now)
    for verdicts, _ in check(packets, ports, times, backend_timeout_ms=500, **limits):
        assert set(verdicts) == {"0", "1", DROP}
