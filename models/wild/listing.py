"""The models that published packages ship: `models.toml`, read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "models.toml"


@dataclass(frozen=True)
class Source:
    """A file inside a package of the index."""

    package: str
    version: str
    file: str


@dataclass(frozen=True)
class WildModel:
    """One ONNX file and how to run it.

    `parts` are joined to the file; most models have one. `beside` are its files of external data. `shapes` fix inputs
    with open dims, `values` are inputs that are not random, `bound` those of them that are given at compile time, and
    `most` bounds random integers (each is below the number), `scale` multiplies random floats.
    """

    parts: Sequence[Source]
    sha256: str
    kind: str
    beside: Sequence[str] = ()
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    bound: Sequence[str] = ()
    most: Mapping[str, int] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Package and file name, as the table shows them."""
        return f"{self.parts[0].package}/{Path(self.parts[0].file).name}"


def listed() -> list[WildModel]:
    """All rows, in their order."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["model"]
    return [_read(row) for row in rows]


def _read(row: dict[str, Any]) -> WildModel:
    first = Source(row.pop("package"), row.pop("version"), row.pop("file"))
    more = [Source(**part) for part in row.pop("parts", [])]
    return WildModel([first, *more], **row)
