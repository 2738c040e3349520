"""The calls that an emitted module makes: from the table in its manifest, or from the source of one that was edited.

Equal layers are one method that `forward` calls for each of them; here its calls are listed once for each layer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from forge_mlir.artifact.parsed_calls import EmittedCall, count_parsed_calls, parsed_calls

__all__ = ["EmittedCall", "calls_of", "count_calls"]

Json = dict[str, Any]


def calls_of(source: str, manifest: Json) -> list[EmittedCall]:
    """The calls of a module in the order in which they are made. Raises ForgeError for an edited source without exactly
    one `forward`."""
    if not _is_of(manifest, source):
        return parsed_calls(source)
    return list(_CallTable(manifest["calls"]["methods"], source.splitlines()).calls(manifest["calls"]["forward"]))


def count_calls(source: str, manifest: Json) -> int:
    """How many calls are made, without listing them. Raises ForgeError as `calls_of` does."""
    if not _is_of(manifest, source):
        return count_parsed_calls(source)
    return sum(len(row["nodes"]) for row in manifest["calls"]["forward"])


def _is_of(manifest: Json, source: str) -> bool:
    """Whether the table of a manifest belongs to the source: not to one that was edited."""
    return manifest.get("calls_of_sha256") == hashlib.sha256(source.encode()).hexdigest()


@dataclass(frozen=True)
class _CallTable:
    """The methods of a table. A row is a statement: a call of `forge.op`, or the call of a method, maybe in a loop."""

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
        """The calls of a row. `known` has the place that each variable holds, `around` is the text before and after
        the row's variable in the places of a method, `nodes` are those of the calls that follow."""
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
