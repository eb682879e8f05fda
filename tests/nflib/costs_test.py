"""What a call of a method costs is fixed by its outcome and its PCVs, and linear in them: exactly, in instructions,
loads and stores, whatever the compiler. Calls of other methods inside a method are apart.

usage: costs_test.py SOURCE_FOLDER NFLIB_FOLDER COMPILER [--print]"""
import bisect
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction

from elf_notes import Elf

sources, nflib, compiler = sys.argv[1:4]
show = "--print" in sys.argv
folder = tempfile.TemporaryDirectory()

STRUCTURES = ["flow_table.c", "hash_map.c", "index_allocator.c", "mac_table.c", "vector.c"]
# Every outcome has to occur, and every PCV.
EXPECTED = {
    "hash_map_get": {"hit": "tc", "miss": "tc"},
    "hash_map_put": {"inserted": "tc", "replaced": "tc", "full": "tc"},
    "hash_map_erase": {"erased": "tcsm", "miss": "tc"},
    "index_allocator_allocate": {"allocated": "", "full": ""},
    "index_allocator_renew": {"renewed": "", "free": ""},
    "index_allocator_expire": {"expired": "", "none": ""},
    "index_allocator_release": {"released": "", "free": ""},
    "index_allocator_is_allocated": {"allocated": "", "free": ""},
    "vector_borrow": {"ok": "", "outside": ""},
    "flow_table_get": {"hit": "", "miss": ""},
    "flow_table_add": {"added": "k", "full": ""},
    "flow_table_renew": {"renewed": "", "free": ""},
    "flow_table_expire": {"done": "ekp"},
    "mac_table_lookup": {"hit": "tc", "miss": "tc"},
    "mac_table_learn": {"known": "tc", "learned": "tc", "rehashed": "tcopz", "full": "tc"},
    "mac_table_expire": {"done": "esm"},
}
POOLS = {
    "port_pool_list.c": {"port_pool_allocate": {"allocated": "", "empty": ""},
                         "port_pool_release": {"released": "", "free": ""}},
    "port_pool_array.c": {"port_pool_allocate": {"allocated": "sfd", "empty": ""},
                          "port_pool_release": {"released": "l", "free": ""}},
}


def build(level, pool):
    program = os.path.join(folder.name, f"driver{level}-{pool}")
    files = [os.path.join(sources, "costs_driver.c"), *(os.path.join(nflib, "src", file) for file in STRUCTURES + [pool])]
    subprocess.run([compiler, "-std=c11", level, "-march=x86-64-v2", "-no-pie", "-I",
                    os.path.join(nflib, "include"), *files, "-o", program], check=True)
    return program


def kinds_of_code(program):
    """The addresses of the instructions that return and of those that jump."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*([0-9a-f]+):\s+(ret|jmp)", text, re.MULTILINE)
    return tuple({int(address, 16) for address, name in found if name == kind} for kind in ("ret", "jmp"))


class Call:
    def __init__(self, method):
        self.method = method
        self.passed = Counter()
        self.cost = [0, 0, 0]  # instructions, loads, stores


class Program:
    def __init__(self, path):
        elf = Elf(path)
        self.path = path
        self.starts = sorted((address, name) for name, address in elf.functions().items() if address)
        self.marks = elf.marks()
        self.methods = {mark.name: mark.address for mark in self.marks if mark.kind == "method"}
        self.returns, self.jumps = kinds_of_code(path)
        self.owners = {}

    def owner(self, address):
        """The function at an address; compilers call its parts name.cold and the like."""
        if address not in self.owners:
            at = bisect.bisect(self.starts, (address, chr(0x10FFFF))) - 1
            self.owners[address] = self.starts[at][1].split(".")[0] if at >= 0 else None
        return self.owners[address]

    def calls(self):
        """All calls of methods, as lackey sees them."""
        trace = subprocess.Popen(["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1", self.path],
                                 stdout=subprocess.PIPE, text=True)
        starts = {address: method for method, address in self.methods.items()}
        stack, done, before = [], [], None
        for line in trace.stdout:
            if line.startswith("I  "):
                address = int(line[3 : line.index(",")], 16)
                if stack and before in self.returns:
                    done.append(stack.pop())
                if address in starts:
                    if stack and before in self.jumps:  # a call in place of a return
                        done.append(stack.pop())
                    stack.append(Call(starts[address]))
                if stack:
                    call = stack[-1]
                    assert self.owner(address) == call.method, f"{call.method} runs other code at {address:#x}"
                    call.passed[address] += 1
                    call.cost[0] += 1
                before = address
            elif stack and line[1] in "LSM" and line[0] == " ":
                stack[-1].cost[1] += line[1] in "LM"
                stack[-1].cost[2] += line[1] in "SM"
        assert trace.wait() == 0 and not stack, self.path
        return done

    def samples(self):
        """{method: {outcome: [(PCVs, cost)]}}"""
        marks = defaultdict(list)
        for mark in self.marks:
            if mark.kind in ("pcv", "outcome"):
                marks[self.owner(mark.address)].append(mark)
        found = {method: defaultdict(list) for method in self.methods}
        for call in self.calls():
            pcvs, outcomes = Counter(), Counter()
            for mark in marks[call.method]:
                (pcvs if mark.kind == "pcv" else outcomes)[mark.name] += call.passed[mark.address]
            outcome = " and ".join(f"{name} {times}x" if times > 1 else name for name, times in outcomes.items() if times)
            found[call.method][outcome or "none"].append((dict(+pcvs), call.cost))
        return found


def solve(rows):
    """The coefficients x with a . x = b for each (a, b) of ROWS, exactly; None where there are none. Coefficients that
    the rows leave open are 0."""
    reduced = []  # (pivot, row)
    for a, b in rows:
        row = [Fraction(value) for value in (*a, b)]
        for pivot, other in reduced:
            row = [value - row[pivot] * its for value, its in zip(row, other)]
        pivot = next((i for i, value in enumerate(row[:-1]) if value), None)
        if pivot is None:
            if row[-1]:
                return None
            continue
        row = [value / row[pivot] for value in row]
        reduced = [(p, [value - other[pivot] * its for value, its in zip(other, row)]) for p, other in reduced]
        reduced.append((pivot, row))
    solution = [Fraction(0)] * len(rows[0][0])
    for pivot, row in reduced:
        solution[pivot] = row[-1]
    return solution


def formula(names, coefficients):
    terms = [f"{value}*{name}" for name, value in zip(names, coefficients) if value] + [str(coefficients[-1])]
    return " + ".join(terms)


def check(method, by_outcome, outcomes):
    errors = []
    if set(by_outcome) != set(outcomes):
        errors.append(f"{method}: outcomes {sorted(by_outcome)}, expected {sorted(outcomes)}")
    for outcome, samples in sorted(by_outcome.items()):
        names = sorted({name for pcvs, _ in samples for name in pcvs})
        if set(names) != set(outcomes.get(outcome, "")):
            errors.append(f"{method} {outcome}: PCVs {names}, expected {sorted(outcomes.get(outcome, ''))}")
        formulas = []
        for metric, label in enumerate(("instructions", "loads", "stores")):
            rows = {(*(pcvs.get(name, 0) for name in names), 1, cost[metric]) for pcvs, cost in samples}
            coefficients = solve([(row[:-1], row[-1]) for row in sorted(rows)])
            if coefficients is None:
                errors.append(f"{method} {outcome}: {label} are not linear in {names}: {sorted(rows)}")
            else:
                formulas.append(f"{label} {formula(names, coefficients)}")
        if show:
            print(f"  {method} {outcome} ({len(samples)} calls): {'; '.join(formulas)}")
    return errors


errors = []
for level in ("-O2", "-O3"):
    for pool, pool_methods in POOLS.items():
        if show:
            print(compiler, level, pool)
        samples = Program(build(level, pool)).samples()
        expected = {**EXPECTED, **pool_methods}
        assert set(samples) == set(expected), set(samples) ^ set(expected)
        for method, outcomes in expected.items():
            if pool == "port_pool_list.c" or method in pool_methods:
                errors += [f"{compiler} {level}: {error}" for error in check(method, samples[method], outcomes)]
for error in errors:
    print(error)
sys.exit(1 if errors else 0)
