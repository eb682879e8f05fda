"""The counter diverts every 32nd packet."""
from nf_test import compare, ethernet


def counter():
    seen = 0

    def step(port, packet, now):
        nonlocal seen
        seen += 1
        return ("1" if seen % 32 == 0 else "0"), packet

    return step


verdicts = compare(counter, [b"", ethernet(b"any")] * 100)
assert verdicts.count("1") == 200 // 32
