"""The base of every error that Forge-MLIR raises on purpose: a message for people, never a traceback to decode."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

NAME_LIMIT = 120

Report = tuple[str, str, str, str, list[str]]
"""Severity, message, ONNX node, location and notes, as the native module gives them."""


def quote(name: object) -> str:
    """`name` as an ASCII literal of bounded length. Names in a model are hostile text: they may hold quotes, control
    characters, terminal escapes or a megabyte of anything."""
    text = name if isinstance(name, (str, bytes)) else str(name)
    shown = ascii(text[:NAME_LIMIT])
    return shown if len(text) <= NAME_LIMIT else f"{shown}... ({len(text)} characters)"


@dataclass(frozen=True)
class Diagnostic:
    """One report of a compiler pass.

    `severity` is error, warning, remark or note; `onnx_node` is the name that the ONNX node has in its model, "" when
    the report is about no node; `location` is the MLIR location, "" when unknown; `notes` belong to the report;
    `model` is the file, once somebody knows it.
    """

    severity: str
    message: str
    onnx_node: str = ""
    location: str = ""
    notes: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def all_of(cls, reports: Iterable[Report]) -> tuple[Diagnostic, ...]:
        """From the tuples in which the native module reports."""
        return tuple(
            cls(severity, message, onnx_node, "" if location == "loc(unknown)" else location, tuple(notes))
            for severity, message, onnx_node, location, notes in reports
        )

    def __str__(self) -> str:
        """A line for the report and one per note, all ASCII; lines inside a message are indented."""
        node = quote(self.onnx_node) if self.onnx_node else ""
        # Passes that speak of a node by name need no second mention.
        where = f"node {node}: " if node and node[1:-1] not in _ascii(self.message) else ""
        model = f"{_ascii(self.model)}: " if self.model else ""
        lines = [f"{self.severity}: {model}{where}{_ascii(self.message)}"]
        lines += [f"  note: {_ascii(note)}" for note in self.notes]
        return "\n".join(lines)


def _ascii(text: str) -> str:
    lines = [
        "".join(c if c.isascii() and c.isprintable() else ascii(c)[1:-1] for c in line) for line in text.split("\n")
    ]
    return "\n    ".join(lines)


@dataclass(eq=False)
class ForgeError(Exception):
    """`message` is one line for the user; `diagnostics` say more, in the order in which to show them."""

    message: str
    diagnostics: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        return "\n".join((self.message, *map(str, self.diagnostics)))
