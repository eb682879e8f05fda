#!/usr/bin/env python3
"""Contracts of programs whose costs are known because every statement is one machine instruction.

    toy_contracts_test.py PERFPACT COMPILER INCLUDE [--seed N]

The pseudo-code of the BOLT paper (NSDI'19, section 2) is

    if packet.type != IPv4: drop     # 1 instruction, 1 access
    port = lookup(packet.address)    # a*l + b instructions, and accesses likewise
    forward(port)

A family of programs of this shape is made, with statements before, between and after, one or two lookups, or a second reason to
drop. What each costs is added up beside, as it is made. Then `perfpact derive` has to find the lookups' formulas,
`perfpact contract` those of both input classes, and `perfpact count` the same numbers for packets. The first member is the
paper's own: 4*l + 5 instructions for valid packets, 2 instructions and 1 access for invalid ones. The `ret` of the function itself,
1 instruction and 1 load, is no statement; it is added to each formula.

In the second half of the test every loop has one instruction more: exactly that coefficient changes."""
import dataclasses
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

MEMBERS = 56
IPV4, OTHER = bytes(12) + b"\x08\x00", bytes(12) + b"\x86\xdd"
METRICS = ("instructions", "loads", "stores")


@dataclasses.dataclass
class Cost:
    """Of a stretch of statements: constants, and coefficients of each lookup's l."""

    text: list = dataclasses.field(default_factory=list)
    constants: list = dataclasses.field(default_factory=lambda: [0, 0, 0])
    lookups: list = dataclasses.field(default_factory=list)  # names, in order

    def say(self, instruction, loads=0, stores=0):
        self.text.append(instruction)
        for metric, more in enumerate((1, loads, stores)):
            self.constants[metric] += more
        return self


@dataclasses.dataclass
class Lookup:
    """for l rounds: ROUND; a method of its own."""

    name: str
    coefficients: tuple
    constants: tuple
    text: str


# Of registers, only rbx keeps its value across calls.
STATEMENTS = (("mov %rbx, %r10", 0, 0), ("lea 1(%rbx), %r11", 0, 0), ("mov 6(%rbx), %r11", 1, 0), ("mov %rbx, -16(%rsp)", 0, 1),
              ("incb 7(%rbx)", 1, 1))


def statements(choose, most):
    """A few statements that change nothing that decides."""
    return [choose.choice(STATEMENTS) for _ in range(choose.randint(0, most))]


def lookup(name, before, inside):
    """The round is INSIDE, a decrement and a jump back; BEFORE and the return are outside."""
    lines = [f'__asm__ volatile("{text}");' for text, _, _ in before]
    lines += ['__asm__ volatile("1:");', "PERFPACT_PCV(l);"]
    lines += [f'__asm__ volatile("{text}");' for text, _, _ in inside]
    lines += ['__asm__ volatile("dec %edx\\n\\tjnz 1b\\n\\tret");']
    coefficients = (len(inside) + 2, sum(one[1] for one in inside), sum(one[2] for one in inside))
    constants = (len(before) + 1, sum(one[1] for one in before) + 1, sum(one[2] for one in before))
    return Lookup(name, coefficients, constants,
                  f"PERFPACT_METHOD({name})\n__attribute__((naked)) void {name}(void) {{\n  " + "\n  ".join(lines) + "\n}\n")


class Member:
    def __init__(self, number, choose, extra):
        """With EXTRA each loop has an instruction more."""
        self.entry = f"toy_{number}"
        is_papers = number == 0
        more = [("xchg %r8, %r9", 0, 0)] if extra else []
        lookups = 1 if is_papers else choose.randint(1, 2)
        # Of the paper: two instructions and a load in a round, and one in front.
        before = [[("xor %eax, %eax", 0, 0)] if is_papers else statements(choose, 3) for _ in range(lookups)]
        inside = [[("mov (%rsi), %r8", 1, 0), ("xor %r8, %rax", 0, 0)] if is_papers else statements(choose, 5)
                  for _ in range(lookups)]
        self.lookups = [lookup(f"lookup_{number}_{i}", before[i], inside[i] + more) for i in range(lookups)]
        most = 0 if is_papers else 4
        start = Cost()
        if not is_papers:
            start.say("push %rbx", 0, 1).say("mov %rsi, %rbx")
        for one in statements(choose, most):
            start.say(*one)
        start.say("cmpw $8, 12(%rsi)", 1).say("jne 2f")
        self.valid, self.invalid = Cost(), Cost()
        for one in statements(choose, most):
            self.invalid.say(*one)
        for i, one in enumerate(self.lookups):
            if i > 0:
                self.valid.say("movzwl 12(%rbx), %edx", 1)  # as often as its type says
            for statement in statements(choose, most):
                self.valid.say(*statement)
            self.valid.say(f"call {one.name}", 0, 1)
        for one in statements(choose, most):
            self.valid.say(*one)
        if not is_papers:
            for end in (self.valid, self.invalid):
                end.say("pop %rbx", 1)
        self.lines = [*start.text, *self.valid.text, "ret", "2:", *self.invalid.text, "ret"]
        self.own = {"valid": self.with_start(start, self.valid), "invalid": self.with_start(start, self.invalid)}

    @staticmethod
    def with_start(start, rest):
        return_costs = (1, 1, 0)
        return [sum(parts) for parts in zip(start.constants, rest.constants, return_costs)]

    def text(self):
        body = "\n  ".join(f'__asm__ volatile("{line}");' for line in self.lines)
        methods = "".join(one.text for one in self.lookups)
        return (f"{methods}PERFPACT_ENTRY({self.entry})\n__attribute__((naked)) int {self.entry}(uint16_t port, uint8_t* packet, "
                f"uint16_t length, uint64_t now_ns) {{\n  {body}\n}}\n")

    def expected(self, kind):
        """For each metric: the constant, and the coefficient of each lookup's l."""
        lookups = self.lookups if kind == "valid" else []
        return {metric: (self.own[kind][at] + sum(one.constants[at] for one in lookups),
                         {one.name: one.coefficients[at] for one in lookups if one.coefficients[at] != 0})
                for at, metric in enumerate(METRICS)}


def family(seed, extra):
    choose = random.Random(seed)
    return [Member(number, choose, extra) for number in range(MEMBERS)]


def program(members):
    """It calls all of them with packets of both classes."""
    calls = "\n".join(f"  {one.entry}(0, packet, length, 0);" for one in members)
    names = "\n".join(one.text() for one in members)
    return f"""#include <stdint.h>
#include "perfpact.h"
{names}
static void run(uint8_t* packet, uint16_t length) {{
{calls}
}}
int main(void) {{
  uint8_t packet[64] = {{0}};
  for (uint16_t length = 14; length < 20; length++) {{
    packet[12] = length % 2 == 0 ? 8 : 0x86;
    run(packet, length);
  }}
  return 0;
}}
"""


def methods(members):
    listed = "".join(f"  - {{function: {one.name}, method: {one.name}, outcomes: [{{name: found}}]}}\n"
                     for member in members for one in member.lookups)
    return f"schema: perfpact.methods/1\nlibrary: toy\nmethods:\n{listed}"


CLASSES = """schema: perfpact.classes/1
classes:
  - {name: valid, filter: "ether proto 0x0800"}
  - {name: invalid, filter: "not ether proto 0x0800"}
"""


def parsed(formula):
    """`4*lookup_0_0.l + 5`: the constant, and the coefficients by the lookups' names."""
    constant, coefficients = 0, {}
    for term in formula.split(" + "):
        if term.isdigit():
            constant += int(term)
        else:
            factor, _, name = term.rpartition("*")
            coefficients[name.removesuffix(".l")] = int(factor or 1)
    return constant, coefficients


class Checker:
    def __init__(self, perfpact, compiler, include, folder):
        self.perfpact, self.compiler, self.include, self.folder = perfpact, compiler, include, folder
        self.faults = 0

    def run(self, *command):
        done = subprocess.run([self.perfpact, *map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def expect(self, what, found, expected):
        if found != expected:
            self.faults += 1
            print(f"{what}: {found}, expected {expected}")

    def build(self, name, members):
        source, built = self.folder / f"{name}.c", self.folder / name
        source.write_text(program(members))
        subprocess.run([self.compiler, "-O2", "-w", f"-I{self.include}", source, "-o", built], check=True)
        (self.folder / "methods.yaml").write_text(methods(members))
        self.run("derive", built, "--methods", self.folder / "methods.yaml", "-o", self.folder / f"{name}.yaml")
        return built

    def formulas(self, built, member):
        printed = json.loads(self.run("contract", built, "--entry", member.entry, "--pack", f"{built}.yaml", "--classes",
                                      self.folder / "classes.yaml", "--json"))
        self.expect(f"{member.entry}: gaps", printed["gaps"], [])
        return {one["name"]: {metric: parsed(one["formula"][metric]) for metric in METRICS} for one in printed["classes"]}

    def check_counts(self, built, member):
        """What packets cost is what the formulas say for their l."""
        packets = 0
        for line in self.run("count", built, "--entry", member.entry, "--json").splitlines():
            record = json.loads(line)
            kind = "valid" if bytes.fromhex(record["packet"])[12:14] == b"\x08\x00" else "invalid"
            values = {call["method"]: call["pcvs"]["l"] for call in record["calls"]}
            for metric, (constant, coefficients) in member.expected(kind).items():
                counted = record[metric] + sum(call[metric] for call in record["calls"])
                predicted = constant + sum(factor * values[name] for name, factor in coefficients.items())
                self.expect(f"{member.entry}: {kind} packet, {metric} counted", counted, predicted)
            packets += 1
        self.expect(f"{member.entry}: packets counted", packets, 6)

    def check_paper(self, formulas):
        """Without the function's own `ret`."""
        instructions, loads, stores = (formulas["valid"][metric] for metric in METRICS)
        self.expect("paper: valid, instructions", (instructions[0] - 1, instructions[1]), (5, {"lookup_0_0": 4}))
        self.expect("paper: valid, accesses", (loads[0] + stores[0] - 1, loads[1], stores[1]), (3, {"lookup_0_0": 1}, {}))
        instructions, loads, stores = (formulas["invalid"][metric] for metric in METRICS)
        self.expect("paper: invalid, instructions", (instructions[0] - 1, instructions[1]), (2, {}))
        self.expect("paper: invalid, accesses", (loads[0] + stores[0] - 1, loads[1], stores[1]), (1, {}, {}))


def main():
    perfpact, compiler, include = sys.argv[1:4]
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(perfpact, compiler, include, Path(folder))
        (checker.folder / "classes.yaml").write_text(CLASSES)
        members, dearer = family(seed, False), family(seed, True)
        built, built_dearer = checker.build("toy", members), checker.build("dearer", dearer)
        for number, member in enumerate(members):
            found = checker.formulas(built, member)
            for kind in ("valid", "invalid"):
                checker.expect(f"{member.entry}: {kind}", found[kind], member.expected(kind))
            if number == 0:
                checker.check_paper(found)
            if number % 8 != 0:
                continue
            checker.check_counts(built, member)
            changed = checker.formulas(built_dearer, dearer[number])
            constant, coefficients = found["valid"]["instructions"]
            found["valid"]["instructions"] = (constant, {name: factor + 1 for name, factor in coefficients.items()})
            checker.expect(f"{member.entry}: with an instruction more in each loop", changed, found)
    print(f"{len(members)} programs, {checker.faults} differences")
    return 1 if checker.faults else 0


if __name__ == "__main__":
    sys.exit(main())
