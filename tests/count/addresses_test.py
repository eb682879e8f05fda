#!/usr/bin/env python3
"""`perfpact count --addresses` tells the loads and stores that valgrind's lackey sees.

    addresses_test.py PERFPACT PROGRAM

The program is linked to fixed addresses, so that only those on the stack and on the heap differ, by the same distance
each. Exits with 77 where there is no lackey."""
import json
import re
import subprocess
import sys

# Not changes_memory: of a locked instruction lackey tells one load too many, that of its compare-and-swap. Not
# calls_library: what it calls is bound by its first call there.
ENTRIES = ["copies", "copies_none", "compares", "marked_copy", "uses_stack", "loops_at_head", "calls_method",
           "calls_nested", "calls_itself", "calls_unnamed", "jumps_to_method", "returns_by_jump"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


def lackey(program, entry):
    """For each call of the entry, what follows in the program's trace: lists of accesses, one an instruction."""
    address = int(next(line.split()[0] for line in run("nm", program).stdout.splitlines() if line.endswith(f" T {entry}")), 16)
    calls = []
    for line in run("valgrind", "--tool=lackey", "--trace-mem=yes", program, entry).stderr.splitlines():
        match = re.fullmatch(r"(I | L| S| M) +([0-9a-f]+),(\d+)", line)
        if not match:
            continue
        kind, at, size = match[1].strip(), int(match[2], 16), int(match[3])
        if kind == "I":
            if at == address and (not calls or calls[-1] and len(calls[-1]) > 1):
                calls.append([])
            if calls:
                calls[-1].append([])
        elif calls:
            calls[-1][-1] += [(access, at, size) for access in {"L": ["load"], "S": ["store"], "M": ["load", "store"]}[kind]]
    return calls


def moved(ours, theirs, distances):
    """Whether an access is the same, at another place of the stack or heap by the distance that all others have."""
    if (ours["access"], ours["bytes"]) != (theirs[0], theirs[2]):
        return False
    at, place = int(ours["address"], 16), ours["place"] or ""
    region = "stack" if place.startswith("stack") else "heap" if "->" in place else "program"
    if region == "program":
        return at == theirs[1]
    return distances.setdefault(region, at - theirs[1]) == at - theirs[1]


def main():
    perfpact, program = sys.argv[1:]
    if subprocess.run(["valgrind", "--tool=lackey", "--version"], capture_output=True, check=False).returncode != 0:
        sys.exit(77)
    total = 0
    for entry in ENTRIES:
        lines = run(perfpact, "count", program, "--entry", entry, "--addresses", "--json", "--", entry).stdout.splitlines()
        packets = [json.loads(line) for line in lines]
        calls = lackey(program, entry)
        distances = {}
        # A call of the entry by itself, or its head reached again, is one more there: ours end with the packet.
        at = 0
        for number, packet in enumerate(packets):
            accesses = packet.get("accesses", [])
            counted = sum(part["loads"] + part["stores"] for part in [packet, *packet["calls"]])
            assert len(accesses) == counted, f"{entry}, packet {number}: {len(accesses)} accesses, {counted} counted"
            i = 0
            while i < len(accesses):
                for seen in calls[at]:
                    here = sorted(accesses[i : i + len(seen)], key=lambda one: (one["access"], int(one["address"], 16)))
                    for ours, theirs in zip(here, sorted(seen)):
                        assert moved(ours, theirs, distances), f"{entry}, packet {number}, access {i}: {ours}, lackey {theirs}"
                    i += len(here)
                    if i == len(accesses):
                        break
                at += 1
            total += len(accesses)
        print(f"{entry}: {len(packets)} packets, equal")
    assert total > 100, total


if __name__ == "__main__":
    main()
