"""How the command tells of errors: lines for people, JSON for tools."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from forge_mlir.errors import ForgeError, headline
from forge_mlir.explanations import explanations


def show_error(error: ForgeError) -> None:
    """A line per diagnostic with its notes, the cure of each code among them once, unless a note was more specific, and
    a line for the error itself."""
    for diagnostic in error.diagnostics:
        print(diagnostic, file=sys.stderr)
    for code in dict.fromkeys(
        found.code for found in error.diagnostics if found.severity == "error" and not found.bind
    ):
        print(headline("note", code, explanations()[code].cure), file=sys.stderr)
    print(headline("error", error.code, error.message), file=sys.stderr)


def errors_as_json(error: ForgeError) -> list[dict[str, Any]]:
    """The error and its diagnostics, each with code and message."""
    return [{"code": error.code, "message": error.message}, *map(asdict, error.diagnostics)]
