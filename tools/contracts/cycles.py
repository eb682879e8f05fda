"""Cycles of the packets of a class: what is predicted, and what the time stamp counter says."""
import json
import statistics

import yaml

from .programs import ENTRY, Failed, run

SMALLER = 64        # so much smaller are tables and traffic
BATCH = 32          # packets timed together (examples/nf/repeat.c)
PROCESSES = 30      # that are measured, each anew: packets that open something do so once
MISS = "l2"         # the level that tables of this size lie in


def measured_packets(files):
    phases = json.loads(files["phases"].read_text())["phases"]
    return [phase["measured"] for phase in phases for _ in range(phase["packets"])]


class Cycles:
    """Of this machine, as `perfpact measure memory` finds it."""

    def __init__(self, build):
        self._build = build
        self.latencies = build.folder / "memory.yaml"
        run([build.perfpact, "measure", "memory", "-o", self.latencies])
        machine = yaml.safe_load(self.latencies.read_text())
        self.cpu, self._ticks = machine["cpu"], machine["tsc_per_cycle"]

    def arguments(self, case):
        return self._build.arguments_of(case, SMALLER)

    def expected(self, program, case):
        """The median of the packets of the class."""
        done = run([self._build.perfpact, "count", program, *ENTRY, "--json", "--metric", "cycles.expected", "--latencies", self.latencies,
                    "--", *self.arguments(case)])
        packets = zip(measured_packets(self._build.recipe(case.recipe, SMALLER)), done.stdout.splitlines(), strict=True)
        cycles = [json.loads(line)["cycles.expected"] for is_measured, line in packets if is_measured]
        return statistics.median(cycles)

    def measured(self, program, case):
        """Cycles a packet of the batches that are of the class alone: least, median, 99th percentile."""
        is_measured = measured_packets(self._build.recipe(case.recipe, SMALLER))
        ticks = self._build.folder / "ticks"
        found = []
        for _ in range(PROCESSES):
            run([program, *self.arguments(case), "--repeat", 1, "--ticks", ticks])
            lines = [tuple(map(int, line.split())) for line in ticks.read_text().splitlines()]
            for number in range(len(is_measured) // BATCH):
                if all(is_measured[number * BATCH:(number + 1) * BATCH]):
                    taken, count = lines[number]
                    found.append(taken / self._ticks / count)
        if not found:
            raise Failed(f"{case.name}: the traffic has no batch of {BATCH} packets of the class")
        found.sort()
        return found[0], found[len(found) // 2], found[len(found) * 99 // 100]
