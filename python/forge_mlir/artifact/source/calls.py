"""The calls of an emitted module: from the table in its manifest, or from its source if that was edited.

Equal layers share a method. Its calls are listed once for each call of the method.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from forge_mlir.artifact.source.parsed_calls import EmittedCall, count_parsed_calls, parsed_calls

__all__ = ["EmittedCall", "calls_of", "count_calls"]

Json = dict[str, Any]


def calls_of(source: str, manifest: Json) -> list[EmittedCall]:
    """The calls of a module in execution order. Raises ForgeError for an edited source that does not have exactly one
    `forward`."""
    if not _is_of(manifest, source):
        return parsed_calls(source)
    return list(_CallTable(manifest["calls"]["methods"], source.splitlines()).calls(manifest["calls"]["forward"]))


def count_calls(source: str, manifest: Json) -> int:
    """The number of calls, without listing them. Raises ForgeError as `calls_of` does."""
    if not _is_of(manifest, source):
        return count_parsed_calls(source)
    return sum(len(row["nodes"]) for row in manifest["calls"]["forward"])


def _is_of(manifest: Json, source: str) -> bool:
    """Whether the table of calls in a manifest describes this source; false if the source was edited."""
    return manifest.get("calls_of_sha256") == hashlib.sha256(source.encode()).hexdigest()


@dataclass(frozen=True)
class _CallTable:
    """The methods of a table of calls. A row is a statement: a call of `forge.op` or of a method, possibly in a
    loop."""

    methods: Json
    lines: Sequence[str]

    def calls(self, forward: Sequence[Json]) -> Iterator[EmittedCall]:
        known: dict[str, str | None] = {}
        for row in forward:
            nodes = iter(row["nodes"])
            for number in row.get("loop", ("",)):
                yield from self._calls_of_row(row, known, ("", f"[{number}]" if "loop" in row else ""), nodes)

    def _calls_of_row(
        self, row: Json, known: dict[str, str | None], around: tuple[str, str], nodes: Iterator[str]
    ) -> Iterator[EmittedCall]:
        """The calls of a row. `known` maps variables to their paths, `around` is the prefix and suffix of the row's
        variables in paths of a method, and `nodes` are the nodes of the following calls."""
        before, after = around
        given = [name and known.get(name, before + name) for name in row["operands"]]
        first = before + row["variables"][0]
        if "op" in row:
            line = row["line"]
            reads = tuple(filter(None, given))
            yield EmittedCall(line, first, reads, row["op"], self.lines[line - 1].strip(), next(nodes))
            known[row["variables"][0]] = first
            return
        method = self.methods[row["method"]]
        inner = dict(zip(method["parameters"], given, strict=True))
        for each in method["calls"]:
            yield from self._calls_of_row(each, inner, (f"{first}{after}.", ""), nodes)
        known.update(zip(row["variables"], (inner[name] for name in method["returns"]), strict=True))
