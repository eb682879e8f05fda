"""What perfpact says of the example network functions: packs, contracts, packets of a class and what they cost."""
import json
import subprocess
import sys
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "examples" / "traffic"))
from smaller import smaller, with_fewer_backends  # noqa: E402

from .formulas import Formula  # noqa: E402

METHODS = ROOT / "nflib" / "nflib.yaml"
CONTRACTS = ROOT / "examples" / "contracts"
RECIPES = ROOT / "examples" / "traffic"
ENTRY = ("--entry", "nf_process")
GAPS = 4  # exit status: the answer is incomplete


class Failed(Exception):
    """A command failed that should not."""


def run(command, statuses=(0,)):
    command = list(map(str, command))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in statuses:
        raise Failed(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.strip()}")
    return done


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


class Build:
    """Where the programs are, and a folder for files."""

    def __init__(self, build, folder):
        self.perfpact = build / "perfpact"
        self.binaries = build / "examples" / "nf"
        self.folder = folder
        self.methods = yaml.safe_load(METHODS.read_text())["methods"]
        self._traffic, self._packs, self._contracts = {}, {}, {}

    def program(self, binary, compiler, level="O2"):
        program = self.binaries / f"{binary}-{compiler}-{level}"
        if not program.exists():
            raise Failed(f"{program} is missing; build the target examples_nf")
        return program

    def traffic(self, case):
        """Packets of a class: files by their kinds."""
        return self.recipe(case.recipe, case.smaller)

    def recipe(self, name, factor, fewer_backends=False):
        """Packets of a recipe that is made smaller."""
        key = (name, factor, fewer_backends)
        if key not in self._traffic:
            files = {kind: self.folder / f"{name}-{factor}{'-fewer' * fewer_backends}.{kind}" for kind in ("yaml", "pcap", "ports", "phases", "routes")}
            text = (RECIPES / f"{name}.yaml").read_text()
            files["yaml"].write_text(smaller(with_fewer_backends(text) if fewer_backends else text, factor))
            command = [self.perfpact, "traffic", files["yaml"], "-o", files["pcap"], "--ports-out", files["ports"],
                       "--phases-out", files["phases"]]
            if "routes" in yaml.safe_load(text):
                command += ["--routes-out", files["routes"]]
            run(command)
            self._traffic[key] = files
        return self._traffic[key]

    def arguments(self, case):
        """Of the network function, with the packets of a class."""
        return self.arguments_with(self.traffic(case), case)

    @staticmethod
    def arguments_with(files, case):
        arguments = ["--pcap", files["pcap"], "--port-file", files["ports"]]
        for argument in case.arguments:
            arguments += [argument, files["routes"]] if argument == "--routes" else [argument]
        return arguments

    def pack(self, program):
        if program not in self._packs:
            pack = self.folder / f"{program.name}.pack.yaml"
            run([self.perfpact, "derive", program, "--methods", METHODS, "-o", pack])
            self._packs[program] = pack
        return self._packs[program]

    def contract(self, function, program, case, promises, bindings=None):
        """Of a class, as JSON. Without `promises`, what its file promises of PCVs is left out."""
        arguments = self.arguments(case)
        bound = [f"{name}={value}" for name, value in (bindings or {}).items()]
        # What is loaded before the first packet is part of the program; which packets then come is not.
        key = (program, tuple(case.arguments), (case.recipe, case.smaller) if "--routes" in case.arguments else "", promises, tuple(bound))
        if key not in self._contracts:
            command = [self.perfpact, "contract", program, *ENTRY, "--json", *function.options,
                       "--classes", self._classes(function, promises)]
            command += ["--pack", self.pack(program)] if function.packs else []
            command += [word for binding in bound for word in ("--bind", binding)]
            self._contracts[key] = json.loads(run([*command, "--", *arguments], (0, GAPS)).stdout)
        contract = self._contracts[key]
        return next(one for one in contract["classes"] if one["name"] == case.name), contract["gaps"]

    def _classes(self, function, promises):
        file = CONTRACTS / function.file
        if promises:
            return file
        classes = yaml.safe_load(file.read_text())
        for one in classes["classes"]:
            one.pop("pcvs", None)
        free = self.folder / f"{file.stem}.free.yaml"
        free.write_text(yaml.safe_dump(classes, sort_keys=False))
        return free

    def formulas(self, program, classes, arguments):
        """Of input classes without promises (a list as their file has it): {class: {metric: Formula}}."""
        file = self.folder / f"{program.name}.classes.yaml"
        file.write_text(yaml.safe_dump({"schema": "perfpact.classes/1", "classes": classes}))
        done = run([self.perfpact, "contract", program, *ENTRY, "--json", "--classes", file, "--pack", self.pack(program), "--",
                    *arguments])
        return {one["name"]: {metric: Formula(text) for metric, text in one["formula"].items()}
                for one in json.loads(done.stdout)["classes"]}

    def count(self, function, program, case):
        """What the measured packets of a class cost: records of perfpact.count/1, one at a time."""
        phases = json.loads(self.traffic(case)["phases"].read_text())["phases"]
        measured = [phase["measured"] for phase in phases for _ in range(phase["packets"])]
        packets = self.packets(program, self.arguments(case), function.engine)
        yield from (record for is_measured, record in zip(measured, packets, strict=True) if is_measured)

    def packets(self, program, arguments, engine="valgrind"):
        """What each packet costs: records of perfpact.count/1, one at a time."""
        # valgrind gives up on some debug information (DWARF 5).
        stripped = self.folder / program.name
        if not stripped.exists():
            run(["objcopy", "--strip-debug", program, stripped])
        lines = self.folder / f"{program.name}.count"
        command = [self.perfpact, "count", stripped, *ENTRY, "--json", f"--engine={engine}", "--", *arguments]
        with lines.open("w") as output:
            done = subprocess.run(list(map(str, command)), stdout=output, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr.strip()}")
        with lines.open() as packets:
            yield from map(json.loads, packets)
