"""Sets of input shapes that users give."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import click

_SET = re.compile(r"\s*([^:\s]+)\s*:(.*)", re.DOTALL)
_SHAPE = re.compile(r"(.+)=(\d+(?:x\d+)*|)", re.DOTALL)


def shape_sets(given: Iterable[str]) -> dict[str, dict[str, list[int]]]:
    """The sets of `NAME: INPUT=1x128 INPUT=1` and of .json files ({"NAME": {"INPUT": [1, 128]}}), in order.

    Raises BadParameter for other text, and for a name that is given twice.
    """
    sets: dict[str, dict[str, list[int]]] = {}
    for text in given:
        found = _of_file(Path(text)) if text.endswith(".json") else dict([_of_text(text)])
        if twice := sets.keys() & found.keys():
            raise click.BadParameter(f"the set {min(twice)!a} is given twice", param_hint="--shapes")
        sets.update(found)
    return sets


def _of_text(text: str) -> tuple[str, dict[str, list[int]]]:
    parsed = _SET.fullmatch(text)
    if parsed is None:
        raise _wrong(text)
    shapes = {}
    for word in parsed[2].replace(",", " ").split():
        shape = _SHAPE.fullmatch(word)
        if shape is None:
            raise _wrong(text)
        shapes[shape[1]] = [int(size) for size in shape[2].split("x")] if shape[2] else []
    return parsed[1], shapes


def _of_file(path: Path) -> dict[str, dict[str, list[int]]]:
    try:
        sets = json.loads(path.read_text(encoding="utf-8"))
        valid = all(isinstance(size, int) for shapes in sets.values() for shape in shapes.values() for size in shape)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise click.BadParameter(f"{str(path)!a}: {error}", param_hint="--shapes") from error
    if not valid:
        raise click.BadParameter(f"{str(path)!a}: sizes must be integers", param_hint="--shapes")
    return dict(sets)


def _wrong(text: str) -> click.BadParameter:
    return click.BadParameter(
        f"expected 'NAME: INPUT=1x128 INPUT=1x1', in quotes, or a .json file, but got {text!a}", param_hint="--shapes"
    )
