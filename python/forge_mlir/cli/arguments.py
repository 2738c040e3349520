"""Declarations of command parameters, and the parameters that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, NewType, Union, get_args, get_origin

import click

from forge_mlir.cli.help import OWN, Option


class Argument(NamedTuple):
    """A positional parameter."""

    help: str


class Flag:
    """A command-line option, spelled `names`, or --its-own-name by default.

    `help` begins with a short clause, which is all that the short help prints if the option is `brief`; details follow
    a semicolon. `metavar` is shown in place of the value; for a number it is the unit. `minimum` applies to numbers.
    `formerly` are old spellings, whose use is an error that names the new one. `needs` is the option without which
    this one has no effect, as "--generate" or "--fallback=cpu".
    """

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        minimum: float | None = None,
        show_default: bool | str = True,
        title: str = OWN,
        brief: bool = True,
        formerly: Sequence[str] = (),
        needs: str = "",
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.minimum = minimum
        self.show_default = show_default
        self.title = title
        self.brief = brief
        self.formerly = formerly
        self.needs = needs


def parameter(name: str, annotation: Any, default: Any) -> click.Parameter:
    """The click parameter for the parameter `name` of a function, annotated as Annotated[TYPE, Argument or Flag].

    List elements are given one at a time; a parameter whose default is None is optional.
    """
    kind, shown = get_args(annotation)
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    many = get_origin(kind) is list
    if many:
        (kind,) = get_args(kind)
    if isinstance(shown, Argument):
        return click.Argument([name], type=_type(kind, None), help=shown.help)
    return option(name, shown, _type(kind, shown.minimum), default, is_flag=kind is bool, many=many)


def option(
    name: str, shown: Flag, kind: click.ParamType[Any], default: Any, *, is_flag: bool = False, many: bool = False
) -> Option:
    """The click option for `shown`, whose values have the type `kind`."""
    return Option(
        [name, *(shown.names or [f"--{name.replace('_', '-')}"])],
        type=kind,
        is_flag=is_flag,
        multiple=many,
        default=default,
        help=shown.help,
        metavar=shown.metavar,
        show_default=shown.show_default,
        title=shown.title,
        brief=shown.brief,
        formerly=shown.formerly,
        needs=shown.needs,
    )


def _type(kind: Any, minimum: float | None) -> Any:
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind in (Path, Filled):
        return PATH if kind is Path else _Text()
    if kind is float:
        return Number(min=minimum)
    if minimum is not None:
        return Integer(min=int(minimum))
    return click.types.convert_type(kind)


class _Filled(click.ParamType[Any]):
    """The value is not empty, as that of an unset variable. The empty path would be the current directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail(f"expected a {self.name}, but got ''", param, ctx)
        return super().convert(value, param, ctx)


class _Path(_Filled, click.Path):
    pass


class _Text(_Filled, click.types.StringParamType):
    pass


PATH = _Path(path_type=Path)
Filled = NewType("Filled", str)
"""The type of text that is not empty."""


class Integer(click.IntRange):
    name = "integer"  # In errors; that of click is "integer range".


class Number(click.FloatRange):
    """A number, not NaN, which no range excludes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        return self.fail("expected a number, but got nan", param, ctx) if found != found else found


Model = Annotated[Path, Argument("ONNX model")]
Models = Annotated[Path, Argument("ONNX model, or a folder of ONNX models")]
Module = Annotated[Path, Argument("compiled module: its .py file, or its directory")]
Name = Annotated[
    Filled | None, Flag(metavar="NAME", help="set the name of the module; by default the name of the file", brief=False)
]
Inputs = Annotated[
    list[Filled] | None,
    Flag(
        "--inputs",
        "-i",
        metavar="FILE",
        help="take inputs from .npz or .npy files; NAME=FILE.npy is one input; may be repeated; by default, inputs are "
        "random",
    ),
]
Expected = Annotated[
    list[Filled] | None,
    Flag(
        "--expected",
        metavar="FILE",
        help="take expected outputs from files; in the forms of --inputs; by default, onnxruntime computes them",
        formerly=("--outputs",),
    ),
]
Seed = Annotated[int, Flag(metavar="SEED", help="set the seed of random inputs", minimum=0, brief=False)]


def require_random(has_inputs: bool, **given: object) -> None:
    """Raises BadParameter for options of random inputs if there are none."""
    if has_inputs and (stray := [f"--{name}" for name, value in given.items() if value]):
        raise click.BadParameter(f"{', '.join(stray)}: only for random inputs, and the inputs are given")


FORCE = Flag(
    "--force",
    help="overwrite all existing files; also edited ones, and those that forge-mlir did not write",
)


def output_option(text: str, metavar: str = "FILE") -> Any:
    """The option for the path that a command writes to."""
    return Flag("--output", "-o", metavar=metavar, help=text)
