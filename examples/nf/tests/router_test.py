"""Both LPM routers do what a linear search for the longest prefix does, over 1,000 random routes."""
import ipaddress
import os
import random
import subprocess
import sys
import tempfile

from nf_test import BUILDS, DROP, compare, cut_and_changed, ethernet, ipv4, with_checksum

GENERATOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "random_routes")


def router(routes):
    def step(port, packet, now):
        if len(packet) < 34 or packet[12:14] != b"\x08\x00" or packet[14] >> 4 != 4:
            return DROP, packet
        header, total = packet[14] % 16 * 4, int.from_bytes(packet[16:18], "big")
        if not 20 <= header <= total <= len(packet) - 14 or packet[22] < 2:
            return DROP, packet
        address = int.from_bytes(packet[30:34], "big")
        matching = [(length, output) for prefix, length, output in routes if address >> 32 - length == prefix >> 32 - length]
        if not matching:
            return DROP, packet
        ip = packet[14 : 14 + header]
        ip = with_checksum(ip[:8] + bytes([ip[8] - 1]) + ip[9:])
        return str(max(matching)[1]), packet[:14] + ip + packet[14 + header :]

    return step


text = subprocess.run([sys.executable, GENERATOR, "1000"], check=True, capture_output=True, text=True).stdout
routes = []
for line in text.splitlines():
    network, output = line.split()
    network = ipaddress.ip_network(network)
    routes.append((int(network.network_address), network.prefixlen, int(output)))
assert len(routes) == 1000

choose = random.Random(3)
addresses = [choose.getrandbits(32) for _ in range(1000)]
for prefix, length, _ in routes:
    size = 1 << 32 - length
    addresses += [prefix, prefix + size - 1, (prefix - 1) % 2**32, (prefix + size) % 2**32, prefix + choose.randrange(size)]
packets = [ethernet(ipv4(b"data", destination=address, ttl=choose.randint(2, 255))) for address in addresses]
packets += [ethernet(ipv4(ttl=ttl, destination=routes[0][0])) for ttl in (0, 1, 2)]
packets += [ethernet(ipv4(destination=routes[0][0], options=b"\x44\x0c\x05\x00" + bytes(8)))]
# Changed bytes must not lie in the header's checksum: the model would mend it.
packets += [p for p in (packet[:length] for packet in packets[:20] for length in range(len(packet)))]
packets += [packet[:14] + with_checksum(packet[14:34]) + packet[34:]
            for packet in cut_and_changed(packets[:200], choose, 1000) if len(packet) >= 34 and packet[14] == 0x45]



def check(text, routes, builds):
    with tempfile.NamedTemporaryFile("w", suffix=".routes") as file:
        file.write("# prefix port\n\n" + text)
        file.flush()
        return set(compare(lambda: router(routes), packets, ["--routes", file.name], builds=builds))


found = check(text, routes, BUILDS)
assert len(found) == 17, found
# The trie takes a default route, too.
with_default = [build for build in BUILDS if os.path.basename(build).startswith("trie_router")]
found = check("0.0.0.0/0 77\n10.0.0.0/8 1\n", [(0, 0, 77), (0x0A000000, 8, 1)], with_default)
assert found == {"1", "77", DROP}, found
