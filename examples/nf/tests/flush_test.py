"""The switch learns, floods, forgets after a number of packets, and learns nothing in a full table."""
import random

from nf_test import DROP, FLOOD, PCVS, compare, compare_pcvs, ethernet


def switch(flush_after):
    table, seen = {}, 0

    def look(address):  # slots fill in order
        PCVS["t"] += 1 + list(table).index(address) if address in table else 8

    def step(port, packet, now):
        nonlocal seen
        seen += 1
        if seen == flush_after:
            table.clear()
            seen = 0
        if len(packet) < 14:
            return DROP, packet
        destination, source = packet[:6], packet[6:12]
        look(source)
        if source not in table:
            PCVS["s"] += min(len(table) + 1, 8)
        if source in table or len(table) < 8:
            table[source] = port
        look(destination)
        if destination not in table:
            return FLOOD, packet
        return (DROP if table[destination] == port else str(table[destination])), packet

    return step


def between(source, destination):
    return ethernet(b"data", source=f"02:00:00:00:00:{source:02x}", destination=f"02:00:00:00:00:{destination:02x}")


# A capture comes in by one port, so a known destination is on the port of its own packet, and is dropped.
packets = [between(1, 2), between(2, 1), between(1, 2)]
assert compare(lambda: switch(64), packets) == [FLOOD, DROP, DROP]
assert compare(lambda: switch(3), packets, ["--flush-after", "3"]) == [FLOOD, DROP, FLOOD]

choose = random.Random(2)
for flush_after in (1, 2, 17, 64, 1000):
    packets = [between(choose.randrange(12), choose.randrange(12)) for _ in range(2000)]
    packets += [b"", packets[0][:13]]
    verdicts = compare(lambda: switch(flush_after), packets, ["--flush-after", str(flush_after)])
    assert FLOOD in verdicts
compare_pcvs(lambda: switch(17), packets[:60], ["--flush-after", "17"])
