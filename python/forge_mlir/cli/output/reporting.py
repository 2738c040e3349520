"""Error output of the command: lines for users, JSON for tools."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, headline, printable


def show_error(error: ForgeError) -> None:
    """Prints a line per diagnostic with its notes, and a line for the error itself. The remedy of each code is printed
    once, unless a note is more specific."""
    from forge_mlir.explanations import explanations

    for diagnostic in error.details:
        print(diagnostic, file=sys.stderr)
    for code in dict.fromkeys(found.code for found in error.details if found.severity == "error" and not found.bind):
        print(headline("note", code, explanations()[code].cure), file=sys.stderr)
    for line in _what_to_do(error):
        print(f"note: {line}", file=sys.stderr)
    print(headline("error", error.code, error.message), file=sys.stderr)


# What a user can state about the inputs that refusals name: values or ranges.
_ABOUT_INPUTS = (
    ("inputs that are known before", "--bind", "FILE.npy", False),
    ("inputs whose integers are bounded", "--range", "LOWEST:END", True),
)


class Refused(Protocol):
    """A refused node or input: the code, the op ("" for an input), and the inputs that would resolve the refusal."""

    @property
    def code(self) -> str: ...
    @property
    def op(self) -> str: ...
    @property
    def bind(self) -> Sequence[str]: ...


def _what_to_do(error: ForgeError) -> list[str]:
    refused = [found for found in error.details if found.severity == "error"]
    return advice(refused) if error.code == Code.ModelRefused else []


def advice(refused: Sequence[Refused]) -> list[str]:
    """Advice after the refused nodes: flags that help, and where to read more."""
    lines = []
    if any(found.op and found.code != Code.PartitionFailed for found in refused):
        lines.append(
            "--fallback=cpu runs refused nodes on the CPU; "
            "forge-mlir check MODEL --suggest-cuts finds where to cut the model"
        )
    for what, flag, value, about_integers in _ABOUT_INPUTS:
        names = dict.fromkeys(
            name for found in refused if (found.code == Code.IntegerUnproven) == about_integers for name in found.bind
        )
        if names:
            lines.append(f"{what}: {' '.join(f'{flag} {printable(name)}={value}' for name in names)}")
    codes = sorted({found.code for found in refused if found.code})
    if codes:
        lines.append(f"more: forge-mlir explain {codes[0]}; docs/diagnostics.md has {', '.join(codes)}")
    return lines


def errors_as_json(error: ForgeError) -> list[dict[str, Any]]:
    """The error and its diagnostics, each with code and message."""
    return [{"code": error.code, "message": error.message}, *map(asdict, error.details)]
