"""The marks of perfpact.h: they exist, point where they should, count what they should, and cost nothing.

usage: marks_test.py SOURCE_FOLDER INCLUDE_FOLDER COMPILER CXX_COMPILER"""
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

from elf_notes import Elf
from single_step import count_addresses

sources, include, cc, cxx = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
# Else clang reformats the assembler text of the marks.
AS_WRITTEN = ["-fno-integrated-as"] if "clang" in cc else []
FREESTANDING = ["-std=gnu11", "-nostdlib", "-static", "-fno-stack-protector"]
LEVELS = [["-O0"], ["-O2"], ["-O3"], ["-O3", "-funroll-loops"], ["-O2", "-flto"]]


def path(name):
    return os.path.join(folder.name, name)


def build(compiler, files, flags, output):
    command = [compiler, *flags, "-Wall", "-Wextra", "-Werror", "-I", include, *(os.path.join(sources, f) for f in files),
               "-o", path(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, f"{command}: {done.stderr}"
    return path(output)


def passes(program):
    """How often the sites of each name are passed; None where that cannot be seen."""
    stepped = count_addresses(program)
    if stepped is None:
        print("not counted: ptrace is not permitted here")
        return None
    executed, status = stepped
    assert status == 0
    passed = Counter()
    for mark in Elf(program).marks():
        passed[mark.name] += executed[mark.address]
    return passed


def check_counts(level):
    """Every mark is there, functions by their address, and the sites of a name are passed as often as it says."""
    program = build(cc, ["marked_parts.c", "marked_main.c"], [*FREESTANDING, *level, "-DPERFPACT_START"], "marked")
    elf = Elf(program)
    marks, functions = elf.marks(), elf.functions()
    names = {(mark.kind, mark.name) for mark in marks}
    assert names == {("pcv", "n"), ("pcv", "t"), ("outcome", "big"), ("outcome", "small"), ("method", "sum"),
                     ("entry", "process")}, (level, names)
    for mark in marks:
        assert elf.is_code(mark.address), (level, mark)
        if mark.kind in ("method", "entry"):
            assert mark.address == functions[mark.name], (level, mark)
    passed = passes(program)
    assert passed is None or passed == {"n": 16, "t": 13, "big": 3, "small": 2, "sum": 3, "process": 5}, (level, passed)


def check_exact(level):
    passed = passes(build(cc, ["ambiguous.c"], [*FREESTANDING, *level, "-DPERFPACT_EXACT_MARKS"], "ambiguous"))
    assert passed is None or passed == {"v": 4, "negative": 1}, (level, passed)


def check_no_instruction(level):
    """The code without marks has the same bytes; and what a mark puts into assembler text, in code where the compiler
    did choose differently around marks, makes no byte of code."""
    text = [Elf(build(cc, ["straight.c"], ["-std=gnu11", *level, *marks, "-c"], "straight.o")).contents(".text")
            for marks in ([], ["-DPERFPACT_NO_MARKS"])]
    assert text[0] and text[0] == text[1], level
    assert not Elf(path("straight.o")).contents(".note.perfpact")

    for source in ("marked_parts.c", "marked_main.c"):
        assembly = build(cc, [source], ["-std=gnu11", *level, "-S", *AS_WRITTEN], "marked.s")
        with open(assembly) as file:
            lines = file.read()
        with open(path("bare.s"), "w") as file:
            file.write(re.sub(r"\.pushsection\s+\.note\.perfpact.*?\.popsection|7707:", "", lines, flags=re.DOTALL))
        objects = []
        for name in ("marked", "bare"):
            subprocess.run([cc, "-c", path(name + ".s"), "-o", path(name + ".o")], check=True)
            objects.append(Elf(path(name + ".o")))
        marked, bare = objects
        assert marked.contents(".note.perfpact") and not bare.contents(".note.perfpact")
        assert marked.contents(".text") and marked.contents(".text") == bare.contents(".text"), (level, source)


def check_groups(level):
    """One note of a function that two files define."""
    marks = Elf(build(cxx, ["shared_a.cpp", "shared_b.cpp"], ["-std=c++17", *level], "shared")).marks()
    assert sorted((mark.kind, mark.name) for mark in marks if mark.kind != "pcv") == [("entry", "process")]
    assert sum(mark.name == "steps" for mark in marks) == 1, (level, marks)


for level in LEVELS:
    check_counts(level)
    check_exact(level)
    if level in (["-O0"], ["-O2"]):
        check_groups(level)
    if "-flto" not in level:
        check_no_instruction(level)
build(cc, ["marked_parts.c", "marked_main.c"], ["-std=c11", "-pedantic", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"],
      "library.so")
assert {mark.name for mark in Elf(path("library.so")).marks()} == {"n", "t", "big", "small", "sum", "process"}

# At least one copy was made and counted apart, else the sums above show little.
build(cc, ["marked_parts.c", "marked_main.c"], [*FREESTANDING, "-O3", "-flto", "-DPERFPACT_START"], "marked")
assert Counter(mark.name for mark in Elf(path("marked")).marks())["t"] > 1
