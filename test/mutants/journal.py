"""A file with the measurements of each model, so that a stopped run can be resumed and the two rates can be measured
separately."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]


@dataclass
class Journal:
    """Lines of `{"kind": ..., "key": ..., "rows": [...]}`: the results for one model, by the kind of measurement."""

    path: Path
    _known: dict[tuple[str, str], Rows] = field(default_factory=dict)

    @staticmethod
    def open(path: Path, *, fresh: bool = False) -> Journal:
        """The journal at `path`; an empty one if it is to be `fresh` or there is no file."""
        journal = Journal(path)
        if fresh:
            path.unlink(missing_ok=True)
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                journal._known[entry["kind"], entry["key"]] = entry["rows"]
        return journal

    def rows(self, kind: str) -> Rows:
        """All results of one kind."""
        return [row for (known, _), rows in self._known.items() if known == kind for row in rows]

    def add(self, kind: str, key: str, measure: Callable[[], Iterable[dict[str, Any]]]) -> Rows:
        """The stored results for `key`; if there are none, `measure` computes them, and they are stored."""
        if (kind, key) not in self._known:
            rows = list(measure())
            self._known[kind, key] = rows
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"kind": kind, "key": key, "rows": rows}) + "\n")
        return self._known[kind, key]
