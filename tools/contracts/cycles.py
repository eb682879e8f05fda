"""Cycles of the packets of a class: what is predicted, and what the time stamp counter says.

Packets that open flows are taken from repetitions behind a first one, so that the tables' memory was used before; others from the first one
of a process, as in later ones what is known would not be the same."""
import dataclasses
import json
import statistics

import yaml

from .programs import CONTRACTS, ENTRY, GAPS, METHODS, Failed, run
from smaller import FEWER_BACKENDS

SMALLER = 128   # so much smaller are tables and traffic
MISS = "l2"     # the level that tables of this size lie in
BATCH = 32      # packets that are timed together (examples/nf/repeat.c)
RUNS = 40       # that are timed
PAUSE = ("--pause-ms", 400_000)  # between repetitions: all entries expire


@dataclasses.dataclass
class Row:
    """A class, by one compiler. Cycles a packet; of the measured ones those of batches."""

    nf: str
    name: str
    compiler: str
    bound: int | None
    expected: float
    least: float
    median: float
    most: float  # the 99th percentile

    def row(self):
        return {"nf": self.nf, "class": self.name, "compiler": self.compiler, "metric": "cycles", "predicted_observed": self.expected,
                "predicted_worst": self.bound, "measured": self.median, "measured_least": self.least, "measured_99th": self.most}


def with_capacity(case):
    """Its arguments, for tables as much smaller as the traffic is."""
    for before, argument in zip(("", *case.arguments), case.arguments):
        yield str(int(argument) * case.smaller // SMALLER) if before == "--capacity" else argument


class Cycles:
    """Of this machine, as `perfpact measure memory` finds it."""

    def __init__(self, build):
        self._build = build
        self.latencies = build.folder / "memory.yaml"
        run([build.perfpact, "measure", "memory", "-o", self.latencies])
        machine = yaml.safe_load(self.latencies.read_text())
        self.cpu, self._ticks = machine["cpu"], machine["tsc_per_cycle"]
        self._packs = {}

    def compare(self, function, case, compiler):
        program = self._build.program(function.binary, compiler)
        files = self._build.recipe(case.recipe, SMALLER, function.has_backends)
        arguments = self._build.arguments_with(files, dataclasses.replace(case, arguments=tuple(with_capacity(case))))
        arguments += ["--backends", FEWER_BACKENDS] if function.has_backends else []
        phases = json.loads(files["phases"].read_text())["phases"]
        if function.has_ports:
            # As many ports as flows: in each repetition a flow has the same one.
            flows = sum(phase["packets"] for phase in phases if case.opens or not phase["measured"])
            arguments += ["--ports", f"1024-{1023 + flows}"]
        of_class = [phase["measured"] for phase in phases for _ in range(phase["packets"])]
        least, median, most = self._measured(program, case, arguments, of_class)
        return Row(function.name, case.name, compiler, self._bound(function, program, case, files, arguments),
                   self._expected(program, case, arguments, of_class), least, median, most)

    def _expected(self, program, case, arguments, of_class):
        """The median of the packets of the class."""
        again = ["--repeat", 1, *PAUSE] if case.opens else []
        done = run([self._build.perfpact, "count", program, *ENTRY, "--json", "--metric", "cycles.expected", "--latencies", self.latencies,
                    "--", *arguments, *again])
        lines = done.stdout.splitlines()[-len(of_class):]
        cycles = [json.loads(line)["cycles.expected"] for is_of, line in zip(of_class, lines, strict=True) if is_of]
        return statistics.median(cycles)

    def _bound(self, function, program, case, files, arguments):
        """What the class promises at most."""
        command = [self._build.perfpact, "contract", program, *ENTRY, "--json", *function.options, "--classes", CONTRACTS / function.file,
                   "--metric", "cycles.bound", "--miss", MISS, "--latencies", self.latencies]
        command += ["--pack", self._pack(program)] if function.packs else []
        promised = case.worst(files["routes"] if "--routes" in case.arguments else None)
        command += [word for name, value in promised.items() for word in ("--bind", f"{name}={value}")]
        contract = json.loads(run([*command, "--", *arguments], (0, GAPS)).stdout)
        most = next(one for one in contract["classes"] if one["name"] == case.name)["most"]["cycles.bound"]
        return None if most is None or contract["gaps"] else int(most)

    def _pack(self, program):
        if program not in self._packs:
            pack = self._build.folder / f"{program.name}.cycles.yaml"
            run([self._build.perfpact, "derive", program, "--methods", METHODS, "--cpu", self.cpu, "-o", pack])
            self._packs[program] = pack
        return self._packs[program]

    def _measured(self, program, case, arguments, of_class):
        """Of the batches that are of the class alone: least, median, 99th percentile."""
        ticks = self._build.folder / "ticks"
        batches = -(-len(of_class) // BATCH)  # of a repetition
        found = []
        for _ in range(1 if case.opens else RUNS):
            run([program, *arguments, "--repeat", RUNS if case.opens else 1, *PAUSE, "--ticks", ticks])
            lines = [tuple(map(int, line.split())) for line in ticks.read_text().splitlines()]
            for number, (taken, count) in enumerate(lines[batches:] if case.opens else lines[:batches]):
                first = number % batches * BATCH
                if count == BATCH and all(of_class[first:first + BATCH]):
                    found.append(taken / self._ticks / count)
        if not found:
            raise Failed(f"{case.name}: the traffic has no batch of {BATCH} packets of the class")
        found.sort()
        return found[0], found[len(found) // 2], found[len(found) * 99 // 100]
