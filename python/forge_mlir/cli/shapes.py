"""Sizes on the command line. All flags that give sizes take `NAME=SIZES`, such as ids=1x128.

`NAME:1,128` is an accepted alternative. Names may contain `=` and `:`; the last one that is followed by sizes is the
separator. Empty sizes are those of a scalar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import click

from forge_mlir.support.json_text import json_object
from forge_mlir.support.regular_files import open_regular

T = TypeVar("T")

_SIZE = r"\d{1,20}"  # Longer numbers are none for Python, and no size for ONNX, whose sizes have up to 19 digits.
_SIZES = rf"{_SIZE}(?:[x,]{_SIZE})*|"
_ONE = re.compile(rf"(.+)[=:]({_SIZES})", re.DOTALL)
_NEXT = re.compile(rf"[\s,]*([^\s,]+?)[=:]({_SIZES})(?=[\s,]|$)")
_SET = re.compile(r"\s*([^:\s]+)\s*:(.*)", re.DOTALL)


def named_shape(text: str, flag: str) -> tuple[str, list[int]]:
    """Parses `NAME=SIZES`. Raises BadParameter, naming `flag`, for other text."""
    found = _ONE.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"expected NAME=SIZES, such as ids=1x128, but got {text!a}", param_hint=flag)
    return found[1], _sizes(found[2])


def named_size(text: str, flag: str) -> tuple[str, int]:
    """Parses `NAME=SIZE`. Raises BadParameter, naming `flag`, for other text."""
    name, sizes = named_shape(text, flag)
    if len(sizes) != 1:
        raise click.BadParameter(f"expected one size for {name!a}", param_hint=flag)
    return name, sizes[0]


def each_once(pairs: Iterable[tuple[str, T]], flag: str) -> dict[str, T]:
    """The values by name. Raises BadParameter, naming `flag`, for a name that is given twice."""
    found: dict[str, T] = {}
    for name, value in pairs:
        if name in found:
            raise click.BadParameter(f"{name!a} is given twice", param_hint=flag)
        found[name] = value
    return found


def shape_sets(given: Iterable[str]) -> dict[str, dict[str, list[int]]]:
    """Parses sets of the form `SET: NAME=SIZES NAME=SIZES` and .json files ({"SET": {"NAME": [1, 128]}}), in order.

    Raises BadParameter for other text and for duplicate names.
    """
    sets: dict[str, dict[str, list[int]]] = {}
    for text in given:
        found = _of_file(Path(text)) if text.endswith(".json") else dict([_of_text(text)])
        if twice := sets.keys() & found.keys():
            raise click.BadParameter(f"the set {min(twice)!a} is given twice", param_hint="--shapes")
        sets.update(found)
    return sets


def _sizes(text: str) -> list[int]:
    return [int(size) for size in re.split("[x,]", text)] if text else []


def _of_text(text: str) -> tuple[str, dict[str, list[int]]]:
    parsed = _SET.fullmatch(text)
    if parsed is None:
        raise _wrong(text)
    shapes = []
    rest = parsed[2].rstrip(" \t\n,")
    at = 0
    while at < len(rest):
        found = _NEXT.match(rest, at)
        if found is None:
            raise _wrong(text)
        shapes.append((found[1], _sizes(found[2])))
        at = found.end()
    return parsed[1], each_once(shapes, "--shapes")


def _of_file(path: Path) -> dict[str, dict[str, list[int]]]:
    try:
        with open_regular(path) as file:
            text = file.read()
        sets = json_object(text, lambda pairs: each_once(pairs, "--shapes"))
        valid = all(type(size) is int for shapes in sets.values() for shape in shapes.values() for size in shape)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise click.BadParameter(f"{str(path)!a}: {error}", param_hint="--shapes") from error
    if not valid:
        raise click.BadParameter(f"{str(path)!a}: sizes must be integers", param_hint="--shapes")
    return dict(sets)


def _wrong(text: str) -> click.BadParameter:
    return click.BadParameter(
        f"expected 'SET: NAME=1x128 NAME=1x1', in quotes, or a .json file, but got {text!a}", param_hint="--shapes"
    )
