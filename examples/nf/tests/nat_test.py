"""The NAT does what a map of flows does. Which port a new flow gets is the NAT's choice: one in the range that no other
flow has. Checksums are made anew by the model, not incrementally."""
import random
from ipaddress import ip_address

from nf_test import BUILDS, DROP, TCP, UDP, compare, cut_and_changed, ends, ethernet, ipv4, outcomes, transport, with_ends

MS = 10**6
INSIDE, OUTSIDE = 0, 1
EXTERNAL = int(ip_address("203.0.113.7"))
CLIENT, SERVER = (0x0A000005, 1234), (0xC6336401, 80)


class Nat:
    def __init__(self, capacity, timeout_ms, first, last):
        self.capacity, self.timeout, self.ports = capacity, timeout_ms * MS, range(first, last + 1)
        self.flows, self.newest = {}, 0  # by (inner end, outer end, protocol), oldest first: port and time last used
        self.owners = {}  # by port: the flow's key

    def see(self, now):
        self.newest = max(self.newest, now)

    def use(self, key, port, now):
        self.see(now)
        self.flows.pop(key, None)
        self.flows[key] = port, self.newest
        self.owners[port] = key

    def step(self, port, packet, now, verdict, after):
        """The verdict and the packet after it that are right; those given tell which port a new flow got."""
        while self.flows and next(iter(self.flows.values()))[1] < now - self.timeout:
            external, _ = self.flows.pop(next(iter(self.flows)))
            del self.owners[external]
        source, destination, protocol = ends(packet)
        if port == OUTSIDE:
            key = self.owners.get(destination[1])
            if key is None or key[1:] != (source, protocol) or destination[0] != EXTERNAL:
                return DROP, None
            self.use(key, destination[1], now)
            return str(INSIDE), with_ends(packet, source, key[0])
        key = source, destination, protocol
        if key in self.flows:
            external = self.flows[key][0]
        elif len(self.flows) == len(self.ports):
            return DROP, None
        elif len(self.flows) == self.capacity:
            self.see(now)
            return DROP, None
        else:
            assert verdict == str(OUTSIDE), "a new flow was dropped"
            external = ends(after)[0][1]
            assert external in self.ports and external not in self.owners, external
        self.use(key, external, now)
        return str(OUTSIDE), with_ends(packet, (EXTERNAL, external), destination)


def check(packets, ports, times, capacity=100, timeout_ms=1000, first=2000, last=2999):
    """The verdicts of every build: a set, with one member where they do the same."""
    arguments = ["--external", str(ip_address(EXTERNAL)), "--capacity", str(capacity), "--timeout-ms", str(timeout_ms),
                 "--ports", f"{first}-{last}"]
    seen = set()
    for build in BUILDS:
        nat, verdicts = Nat(capacity, timeout_ms, first, last), []
        for number, (port, packet, now, verdict, after) in enumerate(outcomes(build, packets, arguments, ports, times=times)):
            wanted = nat.step(port, packet, now, verdict, after)
            assert (verdict, after) == wanted, f"{build}: packet {number}: {verdict} {after and after.hex()}, expected {wanted}"
            verdicts.append(verdict)
        seen.add(tuple(verdicts))
    return seen


def at(*milliseconds):
    return [10**18 + ms * MS for ms in milliseconds]


def to_pool(source, port, protocol=UDP):
    return transport(source, (EXTERNAL, port), protocol)


# One flow: out, back in by its only possible port, from another end, by another port, with another protocol.
out = transport(CLIENT, SERVER)
steps = [(0, out), (1, to_pool(SERVER, 7)), (1, to_pool((SERVER[0], 81), 7)), (1, to_pool(SERVER, 8)),
         (1, to_pool(SERVER, 7, TCP)), (1, transport(SERVER, (EXTERNAL + 1, 7))), (0, out)]
assert check([p for _, p in steps], [port for port, _ in steps], at(*range(7)), first=7, last=7) == \
    {("1", "0", DROP, DROP, DROP, DROP, "1")}

# The pool is empty for the second flow, the table is full for it; the first one's end makes room for it.
for limits in (dict(first=7, last=7), dict(capacity=1)):
    other = transport((CLIENT[0], 99), SERVER)
    assert check([out, other, out, other, other, out], [0] * 6, at(0, 1, 500, 1500, 1501, 1502), **limits) == \
        {("1", DROP, "1", DROP, "1", DROP)}

# Packets of either side renew a flow; it ends one millisecond after its time.
back = to_pool(SERVER, 7)
assert check([out, back, out, back, back], [0, 1, 0, 1, 1], at(0, 1000, 2000, 3000, 4001), first=7, last=7) == \
    {("1", "0", "1", "0", DROP)}

# A clock that goes back counts as one that stands still.
assert check([out, out, back, back], [0, 0, 1, 1], at(5000, 1000, 6000, 7001), first=7, last=7) == {("1", "1", "0", DROP)}

# What is no whole TCP or UDP over IPv4 is dropped, and so is all from a third port.
tcp = transport(CLIENT, SERVER, TCP)
other = [out[:-1], tcp[:-5], ethernet(ipv4(b"12345678", protocol=1)), ethernet(ipv4(b"1234567")), ethernet(ipv4(bytes(19), TCP)),
         transport(CLIENT, SERVER, fragment=0x2000), transport(CLIENT, SERVER, fragment=5), ethernet(out[14:], type=0x86DD), b""]
for port in (INSIDE, OUTSIDE):
    assert set(compare(lambda: lambda *_: (DROP, None), other, port=port)) == {DROP}
assert set(compare(lambda: lambda *_: (DROP, None), [out, tcp], port=2)) == {DROP}

# Checksums over changing data, options, padding behind the packet; none where there was none.
choose = random.Random(5)
packets = []
for _ in range(3000):
    source, destination = [(choose.getrandbits(32), choose.getrandbits(16)) for _ in range(2)]
    protocol = choose.choice((TCP, UDP))
    packets.append(transport(source, destination, protocol, choose.randbytes(choose.randrange(30)),
                             protocol == TCP or choose.random() < 0.8,
                             options=choose.randbytes(choose.choice((0, 0, 4, 11, 40))))
                   + bytes(choose.choice((0, 0, 1, 6))))
zero = [transport((0x0A000000 + i, i), SERVER, payload=payload) for i in range(300) for payload in (b"", b"\xff\xff")]
packets += zero
assert check(packets, [0] * len(packets), at(*range(len(packets))), capacity=4000, timeout_ms=10**6, first=1, last=65535) == \
    {("1",) * len(packets)}

# Churn: few inner and outer ends, small tables, and packets from outside to ports that may be in use or not.
for limits in (dict(capacity=20, last=2030), dict(capacity=50, first=5000, last=5015), dict(capacity=1, last=2003)):
    packets, ports, times, now = [], [], [], 10**18
    first, last = limits.get("first", 2000), limits.get("last", 2999)
    for _ in range(3000):
        server, protocol = (0xC6336400 + choose.randrange(2), 80), choose.choice((TCP, UDP))
        ports.append(choose.randrange(2))
        if ports[-1] == INSIDE:
            packets.append(transport((0x0A000000 + choose.randrange(4), choose.randrange(4)), server, protocol))
        else:
            packets.append(transport(server, (EXTERNAL, choose.randint(first - 1, min(last + 1, first + 30))), protocol))
        now += choose.choice((-5, 0, 1, 20, 50, 400)) * MS
        times.append(now)
    assert all(set(verdicts) == {"0", "1", DROP} for verdicts in check(packets, ports, times, **limits))

# Damaged packets: nothing but what a flow's packet may be comes through.
damaged = cut_and_changed([out, tcp, packets[0]], choose, 2000)
for build in BUILDS:
    for port, packet, now, verdict, after in outcomes(build, damaged):
        if verdict == DROP:
            continue
        total = int.from_bytes(packet[16:18], "big")
        assert packet[12:14] == b"\x08\x00" and packet[14] >> 4 == 4 and total <= len(packet) - 14
        assert packet[23] in (TCP, UDP) and len(after) == len(packet)
        assert total - packet[14] % 16 * 4 >= (20 if packet[23] == TCP else 8)
        at_ports = 14 + packet[14] % 16 * 4
        sums = {24, 25, at_ports + (16 if packet[23] == TCP else 6), at_ports + (17 if packet[23] == TCP else 7)}
        changed = {i for i in range(len(packet)) if packet[i] != after[i]}
        assert changed <= {26, 27, 28, 29, at_ports, at_ports + 1} | sums
