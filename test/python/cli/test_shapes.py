"""--input-shape, --dim and --shapes have one grammar of sizes, and accept the other spelling."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from forge_mlir.cli.flags import options_of
from forge_mlir.cli.shapes import named_shape, named_size, shape_sets
from forge_mlir.compiler.option_types.values import command_line


@pytest.mark.parametrize(
    ("text", "name", "sizes"),
    [
        ("image=1x3x224x224", "image", [1, 3, 224, 224]),
        ("image:1,3,224,224", "image", [1, 3, 224, 224]),
        ("image=1,3", "image", [1, 3]),
        ("input:0=1x2", "input:0", [1, 2]),
        ("input:0:1,2", "input:0", [1, 2]),
        ("a=b:1,2", "a=b", [1, 2]),
        ("scalar=", "scalar", []),
        ("two words=4", "two words", [4]),
    ],
)
def test_sizes_of_a_name(text: str, name: str, sizes: list[int]) -> None:
    assert named_shape(text, "--input-shape") == (name, sizes)
    words = command_line({"input_shapes": {name: sizes}})
    assert options_of({"input_shapes": words[1:]}) == {"input_shapes": {name: sizes}}


@pytest.mark.parametrize("text", ["x", "=1", "x=a", "x=1x", "x=-1", "x=1 x", f"x={'1' * 5000}"])
def test_invalid_sizes(text: str) -> None:
    with pytest.raises(click.BadParameter, match="NAME=SIZES"):
        named_shape(text, "--input-shape")


def test_a_dim_has_one_size() -> None:
    assert named_size("batch=4", "--dim") == ("batch", 4)
    with pytest.raises(click.BadParameter, match="one size"):
        named_size("batch=4x4", "--dim")


@pytest.mark.parametrize(
    "text",
    [
        "decode: ids=1x1 mask=1x8",
        "decode: ids=1x1, mask=1x8",
        "decode:ids=1x1,mask=1x8",
        "decode: ids:1,1 mask:1,8",
    ],
)
def test_sets_have_the_same_grammar(text: str) -> None:
    assert shape_sets([text]) == {"decode": {"ids": [1, 1], "mask": [1, 8]}}


def test_a_name_is_given_once() -> None:
    for name, texts in {
        "input_shapes": ["x=1x2", "x=1x3"],
        "dims": ["n=2", "n=2"],
        "ranges": ["x=0:5", "x=1:5"],
        "bind": ["x=a.npy", "x=b.npy"],
    }.items():
        with pytest.raises(click.BadParameter, match=r"'[xn]' is given twice"):
            options_of({name: texts})
    with pytest.raises(click.BadParameter, match="'ids' is given twice"):
        shape_sets(["decode: ids=1x1 ids=1x8"])


def test_names_that_are_digits_in_a_set() -> None:
    assert shape_sets(["s: 1=2,3=4 5=6x7"]) == {"s": {"1": [2], "3": [4], "5": [6, 7]}}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": {"x": [1]}, "a": {"x": [2]}}', "'a' is given twice"),
        ('{"a": {"x": [1], "x": [2]}}', "'x' is given twice"),
        ('{"a": {"x": [true]}}', "sizes must be integers"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "no JSON object"),
    ],
)
def test_invalid_files_of_sets(text: str, reason: str, tmp_path: Path) -> None:
    """The last set of a name was taken, and true for 1; the deep file ended with FM9001."""
    file = tmp_path / "sets.json"
    file.write_text(text)
    with pytest.raises(click.BadParameter, match=reason):
        shape_sets([str(file)])


def test_a_pipe_of_sets(tmp_path: Path) -> None:
    """A command waited for its writer."""
    os.mkfifo(tmp_path / "sets.json")
    with pytest.raises(click.BadParameter, match="it is not a regular file"):
        shape_sets([str(tmp_path / "sets.json")])
