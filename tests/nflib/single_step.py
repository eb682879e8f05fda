"""Runs a static program instruction by instruction and counts how often each address is executed."""
import ctypes
import os
from collections import Counter

TRACEME, PEEKUSER, SINGLESTEP = 0, 3, 9
RIP = 16 * 8

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def count_addresses(program):
    """The counts and the exit status; None where ptrace is not permitted."""
    child = os.fork()
    if child == 0:
        if libc.ptrace(TRACEME, 0, None, None) != 0:
            os._exit(77)
        os.execv(program, [program])
    counts = Counter()
    while True:
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return None if not counts and os.WEXITSTATUS(status) == 77 else (counts, os.WEXITSTATUS(status))
        assert os.WIFSTOPPED(status), f"killed by signal {os.WTERMSIG(status)}"
        counts[libc.ptrace(PEEKUSER, child, RIP, None)] += 1
        libc.ptrace(SINGLESTEP, child, None, None)
