"""The exit codes of the command: what a script learns without reading the output."""

from __future__ import annotations

import errno
import signal
from collections.abc import Iterable
from enum import IntEnum

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError


class Exit(IntEnum):
    """Each command ends with one of these, or with 128 + N where signal N ended it."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    REFUSED = 3
    MISMATCH = 4
    LIMIT = 5


EXIT_CODES = "Exit codes: 0 done, 1 internal, 2 usage, 3 refused, 4 mismatch, 5 limit."
"""Each in a word; docs/guides/command.md has the whole table."""

INTERRUPTED = 128 + signal.SIGINT
PIPE_CLOSED = 128 + signal.SIGPIPE

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of the operating system that no other path or permission would avoid."""

_WORST_FIRST = (Exit.INTERNAL, Exit.USAGE, Exit.MISMATCH, Exit.LIMIT, Exit.REFUSED, Exit.DONE)


def exit_of(code: str) -> Exit:
    """The exit code of a command that ends with the diagnostic `code`: its row in diagnostics.toml has it."""
    from forge_mlir.explanations import explanations

    return Exit(explanations()[code].exit)


def exit_of_error(error: ForgeError) -> Exit:
    """The exit code of a command that ends with `error`.

    A model that is refused counts as its refused nodes do where all of them agree. A file that cannot be written
    counts as a limit where the disk is full.
    """
    cause = error.__cause__
    while isinstance(cause, ForgeError):  # the same error without the name of the model
        cause = cause.__cause__
    if error.code is Code.CannotWrite and isinstance(cause, OSError) and cause.errno in DISK_FULL:
        return Exit.LIMIT
    if error.code is Code.ModelRefused:
        return exit_of_codes(each.code for each in error.details if each.severity == "error" and each.code)
    return exit_of(error.code)


def exit_of_codes(codes: Iterable[str]) -> Exit:
    """The exit code that all diagnostics of a model that is refused agree on; otherwise that of a refusal."""
    found = {exit_of(code) for code in codes}
    return found.pop() if len(found) == 1 else Exit.REFUSED


def worst(exits: Iterable[Exit]) -> Exit:
    """The exit code of a command on several models: an internal error counts most, then wrong results, an exhausted
    limit, and a refusal."""
    return min(exits, key=_WORST_FIRST.index, default=Exit.DONE)
