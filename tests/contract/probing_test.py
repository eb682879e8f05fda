#!/usr/bin/env python3
"""What tools/contracts/probing.py says of tables with linear probing, held to such tables.

usage: probing_test.py"""
import random
import statistics
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
from contracts import maglev, probing  # noqa: E402

SLOTS = 1 << 16


def looks(full, key):
    """Slots that the search for a key looks at up to the first empty one, and this one."""
    at, count = key, 1
    while full[at]:
        at, count = (at + 1) % len(full), count + 1
    return count, at


class Probing(unittest.TestCase):
    def test_tables_of_random_keys(self):
        draw = random.Random(1)
        for load in (0.1, 0.45, 0.7):
            full, stored, places = [False] * SLOTS, [], []
            for _ in range(int(load * SLOTS)):
                count, at = looks(full, draw.randrange(SLOTS))
                full[at] = True
                stored.append(count)
                places.append(at)
            missed = [looks(full, draw.randrange(SLOTS))[0] for _ in range(SLOTS)]
            after = [looks(full, (place + 1) % SLOTS)[0] for place in places]
            self.assertAlmostEqual(probing.looked_at(load) / statistics.fmean(missed), 1, delta=0.05)
            self.assertAlmostEqual(probing.stored_looked_at(load) / statistics.fmean(stored), 1, delta=0.03)
            self.assertAlmostEqual(probing.behind(load) / statistics.fmean(after), 1, delta=0.05)
            for slots in (1, 2, 4, 8):
                self.assertAlmostEqual(probing.beyond(load, slots), statistics.fmean(count > slots for count in missed), delta=0.01)
                self.assertAlmostEqual(probing.stored_beyond(load, slots), statistics.fmean(count > slots for count in stored),
                                       delta=0.01)

    def test_the_limits(self):
        self.assertEqual(probing.beyond(0, 1), 0)
        for load in (0.2, 0.8):
            self.assertAlmostEqual(probing.beyond(load, 0), 1)
            self.assertAlmostEqual(probing.beyond(load, 1), load)


class Maglev(unittest.TestCase):
    def test_a_single_backend_looks_at_each_slot_once(self):
        self.assertEqual(maglev.looks([3], 101), 101)

    def test_permutations_go_through_all_slots(self):
        offset, skip = maglev.permutation(7, 101)
        self.assertEqual({(offset + place * skip) % 101 for place in range(101)}, set(range(101)))


if __name__ == "__main__":
    unittest.main()
