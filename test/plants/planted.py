"""The planted errors, and the package with all of them, of which FORGE_PLANT enables one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, numpy_helper, parser

REPOSITORY = Path(__file__).resolve().parents[2]
_SOURCES = Path("lib/Dialect/Forge")
_SWITCH = """
#include <cstdlib>
#include <cstring>
static bool planted(const char *name) {
  const char *on = std::getenv("FORGE_PLANT");
  return on && !std::strcmp(on, name);
}
"""
_LAST_HEADER_LINE = "using namespace forge;\n"


@dataclass(frozen=True)
class Plant:
    """An error in one rewrite. `changes` are pairs of old and new text, and `shown_by` is a graph whose result the
    error changes."""

    name: str
    what: str
    family: str
    culprit: str
    options: tuple[str, ...]
    file: Path
    changes: tuple[tuple[str, str], ...]
    shown_by: str

    def model(self) -> ModelProto:
        """The model of `shown_by`, with random weights."""
        text = f'<ir_version: 8, opset_import: ["" : 18]> {self.name} {self.shown_by}'
        model = parser.parse_model(text)
        random = np.random.default_rng(0)
        for value in list(model.graph.input):
            if value.name[0].isupper():
                shape = [size.dim_value for size in value.type.tensor_type.shape.dim]
                numbers = random.standard_normal(shape).astype(np.float32)
                model.graph.initializer.append(numpy_helper.from_array(numbers, value.name))
                model.graph.input.remove(value)
        return model


def plants() -> list[Plant]:
    """The plants of plants.toml."""
    rows = tomllib.loads((Path(__file__).parent / "plants.toml").read_text(encoding="utf-8"))
    return [_plant(name, row) for name, row in rows.items()]


def _plant(name: str, row: dict[str, Any]) -> Plant:
    changes = [(row["old"], row["new"])] + ([(row["and_old"], row["and_new"])] if "and_old" in row else [])
    return Plant(
        name,
        row["what"],
        row["family"],
        row["pass"],
        tuple(row.get("options", ())),
        _SOURCES / row["file"],
        tuple(changes),
        row["shown_by"],
    )


def planted_source(text: str, plants_of_file: Iterable[Plant]) -> str:
    """The text of a source file with its errors. Raises ValueError if the old text of an error does not occur exactly
    once."""
    for plant in plants_of_file:
        for old, new in plant.changes:
            if text.count(old) != 1:
                raise ValueError(f"plant {plant.name}: {text.count(old)} places in {plant.file} are {old.strip()!r}")
            text = text.replace(old, new)
    if text.count(_LAST_HEADER_LINE) != 1:
        raise ValueError(f"{text.count(_LAST_HEADER_LINE)} lines are {_LAST_HEADER_LINE.strip()!r}")
    return text.replace(_LAST_HEADER_LINE, _LAST_HEADER_LINE + _SWITCH)


def build(folder: Path) -> Path:
    """Builds the package from a copy of the sources in `folder`, and returns the entry for PYTHONPATH. Files that have
    not changed since the last build are not compiled again."""
    source, package = folder / "source", folder / "package"
    by_file: dict[Path, list[Plant]] = {}
    for plant in plants():
        by_file.setdefault(plant.file, []).append(plant)
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        content = (REPOSITORY / name).read_bytes()
        if of_file := by_file.pop(Path(name), None):
            content = planted_source(content.decode(), of_file).encode()
        copy = source / name
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    if by_file:
        raise ValueError(f"there is no {next(iter(by_file))}")
    _remove_others(source, set(listed.stdout.split("\0")))
    shutil.rmtree(package, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--target", str(package), str(source)], check=True)
    return package


def _remove_others(source: Path, names: set[str]) -> None:
    """Removes files of an earlier copy that the repository no longer has; the build outputs are kept."""
    for folder in {name.split("/")[0] for name in names if "/" in name}:
        for path in (source / folder).rglob("*"):
            if path.is_file() and path.relative_to(source).as_posix() not in names:
                path.unlink()
