"""The exit codes of the command, by which scripts can distinguish outcomes."""

from __future__ import annotations

import errno
import signal
from collections.abc import Iterable
from enum import IntEnum

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError


class Exit(IntEnum):
    """The exit codes; a command that a signal ends has 128 + N."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    REFUSED = 3
    MISMATCH = 4
    LIMIT = 5


EXIT_CODES = "Exit codes: 0 done, 1 internal, 2 usage, 3 refused, 4 mismatch, 5 limit."
"""A short form; docs/guides/command.md has the full table."""

INTERRUPTED = 128 + signal.SIGINT
PIPE_CLOSED = 128 + signal.SIGPIPE

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of the operating system for which no other path or permission would help."""

_WORST_FIRST = (Exit.INTERNAL, Exit.USAGE, Exit.MISMATCH, Exit.LIMIT, Exit.REFUSED, Exit.DONE)


def exit_of(code: str) -> Exit:
    """The exit code of a command that ends with the diagnostic `code`, from its row in diagnostics.toml."""
    from forge_mlir.explanations import explanations

    return Exit(explanations()[code].exit)


def exit_of_error(error: ForgeError) -> Exit:
    """The exit code of a command that ends with `error`.

    A refused model has the exit code that all of its refused nodes share, if they agree. A file that cannot be written
    because the disk is full counts as a resource limit.
    """
    cause = error.__cause__
    while isinstance(cause, ForgeError):  # the error that was wrapped with the name of the model
        cause = cause.__cause__
    if error.code is Code.CannotWrite and isinstance(cause, OSError) and cause.errno in DISK_FULL:
        return Exit.LIMIT
    if error.code is Code.ModelRefused:
        return exit_of_codes(each.code for each in error.details if each.severity == "error" and each.code)
    return exit_of(error.code)


def exit_of_codes(codes: Iterable[str]) -> Exit:
    """The exit code on which all diagnostics of a refused model agree, otherwise that of a refusal."""
    found = {exit_of(code) for code in codes}
    return found.pop() if len(found) == 1 else Exit.REFUSED


def worst(exits: Iterable[Exit]) -> Exit:
    """The exit code of a command on several models, in this order: internal error, wrong usage, wrong results, resource
    limit, refusal."""
    return min(exits, key=_WORST_FIRST.index, default=Exit.DONE)
