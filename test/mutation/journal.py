"""What was measured, model by model, in a file: a stopped run goes on, and the two rates may be measured apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]


@dataclass
class Journal:
    """Lines of `{"kind": ..., "key": ..., "rows": [...]}`: what was found of one model, by what was measured."""

    path: Path
    _known: dict[tuple[str, str], Rows] = field(default_factory=dict)

    @staticmethod
    def open(path: Path, *, fresh: bool = False) -> Journal:
        """The journal at `path`, empty if it is to be `fresh` or there is none."""
        journal = Journal(path)
        if fresh:
            path.unlink(missing_ok=True)
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                journal._known[entry["kind"], entry["key"]] = entry["rows"]
        return journal

    def rows(self, kind: str) -> Rows:
        """All of one kind."""
        return [row for (known, _), rows in self._known.items() if known == kind for row in rows]

    def add(self, kind: str, key: str, measure: Callable[[], Iterable[dict[str, Any]]]) -> Rows:
        """What is known of `key`, or what `measure` finds, which is written down then."""
        if (kind, key) not in self._known:
            rows = list(measure())
            self._known[kind, key] = rows
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"kind": kind, "key": key, "rows": rows}) + "\n")
        return self._known[kind, key]
