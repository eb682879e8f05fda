"""Runs programs instruction by instruction and counts how often each address is executed."""
import ctypes
import os
import signal
from collections import Counter

TRACEME, PEEK, PEEKUSER, POKE, POKEUSER, CONTINUE, SINGLESTEP = 0, 1, 3, 4, 6, 7, 9
RAX, RDI, RIP, RSP = 10 * 8, 14 * 8, 16 * 8, 19 * 8
WORD = 2**64 - 1
BREAKPOINT = 0xCC

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def start(command):
    """A traced process."""
    child = os.fork()
    if child == 0:
        if libc.ptrace(TRACEME, 0, None, None) != 0:
            os._exit(77)
        os.execv(command[0], command)
    return child


def count_addresses(program):
    """The counts of a static program and its exit status; None where ptrace is not permitted."""
    child = start([program])
    counts = Counter()
    while True:
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return None if not counts and os.WEXITSTATUS(status) == 77 else (counts, os.WEXITSTATUS(status))
        assert os.WIFSTOPPED(status), f"killed by signal {os.WTERMSIG(status)}"
        counts[libc.ptrace(PEEKUSER, child, RIP, None)] += 1
        libc.ptrace(SINGLESTEP, child, None, None)


def load_address(process, program):
    with open(f"/proc/{process}/maps") as maps:
        return min(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(os.path.realpath(program)))


def count_calls(command, entry):
    """A Counter for each call of the function at ENTRY, an address in the file of a position-independent program. The
    counts are by addresses in that file; None where ptrace is not permitted."""
    child = start(command)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 77
        return None
    base = load_address(child, command[0])
    code = libc.ptrace(PEEK, child, base + entry, None) & WORD
    calls = []
    while True:
        libc.ptrace(POKE, child, base + entry, code & ~0xFF | BREAKPOINT)
        libc.ptrace(CONTINUE, child, None, None)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0
            return calls
        assert os.WSTOPSIG(status) == signal.SIGTRAP, f"stopped by signal {os.WSTOPSIG(status)}"
        libc.ptrace(POKE, child, base + entry, code)
        libc.ptrace(POKEUSER, child, RIP, base + entry)
        stack = libc.ptrace(PEEKUSER, child, RSP, None)
        counts, at = Counter(), base + entry
        while libc.ptrace(PEEKUSER, child, RSP, None) <= stack:
            counts[at - base] += 1
            libc.ptrace(SINGLESTEP, child, None, None)
            os.waitpid(child, 0)
            at = libc.ptrace(PEEKUSER, child, RIP, None)
        calls.append(counts)


class Call:
    """A call of a method or an entry: its first argument, how often it passed each mark itself, and the place of the
    call it is in."""

    def __init__(self, name, handle, stack, parent):
        self.name, self.handle, self.stack, self.parent = name, handle, stack, parent
        self.passed = Counter()
        self.result = None


def trace_calls(command, elf):
    """For each call of the one entry of a position-independent program: its Call, and those of the methods in it, in the
    order in which they begin. None where ptrace is not permitted."""
    child = start(command)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 77
        return None
    base = load_address(child, command[0])
    functions = {base + mark.address: mark for mark in elf.marks() if mark.kind in ("method", "entry")}
    marks = {base + mark.address: mark for mark in elf.marks() if mark.kind in ("pcv", "outcome")}
    packets, calls, running = [], [], []
    while True:
        libc.ptrace(SINGLESTEP, child, None, None)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return packets
        assert os.WSTOPSIG(status) == signal.SIGTRAP, f"stopped by signal {os.WSTOPSIG(status)}"
        at = libc.ptrace(PEEKUSER, child, RIP, None)
        stack = libc.ptrace(PEEKUSER, child, RSP, None) if running or at in functions else 0
        while running and stack > running[-1][1].stack:
            running.pop()[1].result = libc.ptrace(PEEKUSER, child, RAX, None)
        if at in functions and (running or functions[at].kind == "entry"):
            if not running:
                calls = []
                packets.append(calls)
            call = Call(functions[at].name, libc.ptrace(PEEKUSER, child, RDI, None), stack, running[-1][0] if running else 0)
            running.append((len(calls), call))
            calls.append(call)
        if running and at in marks:
            running[-1][1].passed[marks[at].kind, marks[at].name] += 1
