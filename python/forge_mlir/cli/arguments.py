"""How parameters of commands are spelt and explained, and those that several commands have. One name, one meaning."""

from __future__ import annotations

from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import click


class Argument(NamedTuple):
    """A parameter that is given by its place."""

    help: str


class Flag:
    """A parameter with `names`, which are by default --its-own. A `minimum` is of numbers."""

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        minimum: float | None = None,
        show_default: bool = True,
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.minimum = minimum
        self.show_default = show_default


def parameter(name: str, annotation: Any, default: Any) -> click.Parameter:
    """What click reads of the parameter `name` of a function, annotated as Annotated[TYPE, Argument or Flag].

    A list is given one value at a time; a parameter with the default None may be left out.
    """
    kind, shown = get_args(annotation)
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    many = get_origin(kind) is list
    if many:
        (kind,) = get_args(kind)
    if isinstance(shown, Argument):
        return click.Argument([name], type=_type(kind, None), help=shown.help)
    return click.Option(
        [name, *(shown.names or [f"--{name.replace('_', '-')}"])],
        type=_type(kind, shown.minimum),
        is_flag=kind is bool,
        multiple=many,
        default=default,
        help=shown.help,
        metavar=shown.metavar,
        show_default=shown.show_default,
    )


def _type(kind: Any, minimum: float | None) -> Any:
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind is Path:
        return click.Path(path_type=Path)
    if minimum is not None:
        return click.IntRange(min=int(minimum)) if kind is int else click.FloatRange(min=minimum)
    return click.types.convert_type(kind)


Model = Annotated[Path, Argument("ONNX model")]
Models = Annotated[Path, Argument("ONNX model, or a folder of them")]
Module = Annotated[Path, Argument("compiled module: its .py, or its directory")]
Name = Annotated[str | None, Flag(help="name of the module; the file's by default")]
Inputs = Annotated[
    list[str] | None,
    Flag(
        "--inputs", "-i", metavar="FILE", help=".npz, .npy or NAME=FILE.npy; may be repeated; seeded random by default"
    ),
]
Outputs = Annotated[
    list[str] | None,
    Flag("--outputs", metavar="FILE", help="expected outputs, as --inputs; onnxruntime's results by default"),
]
Seed = Annotated[int, Flag(help="seed of random inputs")]


FORCE = Flag("--force", help="replace a file that forge-mlir did not write")


def output_option(text: str) -> Any:
    """Where a command writes to."""
    return Flag("--output", "-o", help=text)
