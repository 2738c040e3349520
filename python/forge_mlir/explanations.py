"""Explanations and remedies of diagnostic codes, from the table diagnostics.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True)
class Explanation:
    """A row of the table: `name` is the name of the code in `Code`, `severity` is error or warning, and `exit` is the
    exit code of a command that ends with the error."""

    name: str
    severity: str
    meaning: str
    cause: str
    cure: str
    exit: int = 3


@cache
def explanations() -> dict[str, Explanation]:
    """All rows, by code."""
    text = resources.files("forge_mlir").joinpath("diagnostics.toml").read_text(encoding="ascii")
    return {code: Explanation(**row) for code, row in tomllib.loads(text)["codes"].items()}
