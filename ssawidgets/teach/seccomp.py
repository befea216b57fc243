"""A filter for the Linux kernel that forbids a process to start others, and to keep memory that no limit counts.

Limits on the number of processes do not bind root, and memory limits count each process alone; a process that
cannot fork is bound by its own limits. Segments and queues of System V belong to no process, and stay when it lets go
of them. Threads stay allowed. The filter is a classic BPF program as
seccomp(2) takes it and bubblewrap's `--seccomp` loads it.
"""

from __future__ import annotations

import platform
import struct

_LD_WORD, _JEQ, _JGE, _JSET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NUMBER, _ARCH, _FIRST_ARG = 0, 4, 16  # offsets in struct seccomp_data
_CLONE_THREAD = 0x00010000

#: machine -> (audit number, clone, clone3, fork, vfork, shmget and msgget where there are any, first number of a foreign
#: call table)
_MACHINES = {
    "x86_64": (0xC000003E, 56, 435, (57, 58, 29, 68), 0x40000000),
    "aarch64": (0xC00000B7, 220, 435, (194, 186), None),
}


def no_fork_filter(machine: str | None = None) -> bytes | None:
    """Return the filter for a machine (this one unless said), None where its call numbers are not known here.

    `fork`, `vfork`, `shmget`, `msgget`, and `clone` without CLONE_THREAD give EPERM; `clone3` gives ENOSYS, upon which the C
    library falls back to `clone` for its threads. Calls by another architecture's table end the process.

    >>> len(no_fork_filter("x86_64")) % 8
    0
    """
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    audit, clone, clone3, refused, foreign = known
    # Each entry: (code, value, lines to skip if true, if false).
    program = [
        (_LD_WORD, _ARCH, 0, 0),
        (_JEQ, audit, 1, 0),
        (_RETURN, _KILL, 0, 0),
        (_LD_WORD, _NUMBER, 0, 0),
    ]
    if foreign is not None:
        program += [(_JGE, foreign, 0, 1), (_RETURN, _KILL, 0, 0)]
    for number in refused:
        program += [(_JEQ, number, 0, 1), (_RETURN, _ERRNO | _EPERM, 0, 0)]
    program += [(_JEQ, clone3, 0, 1), (_RETURN, _ERRNO | _ENOSYS, 0, 0)]
    program += [
        (_JEQ, clone, 0, 3),
        (_LD_WORD, _FIRST_ARG, 0, 0),
        (_JSET, _CLONE_THREAD, 1, 0),
        (_RETURN, _ERRNO | _EPERM, 0, 0),
        (_RETURN, _ALLOW, 0, 0),
    ]
    return b"".join(struct.pack("<HBBI", code, yes, no, value) for code, value, yes, no in program)
