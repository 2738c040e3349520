"""The flags of commands: those of all, and those of a compilation, made from the table of `compiler.options`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, get_args

import click

from forge_mlir.cli.arguments import Argument, Flag, parameter
from forge_mlir.cli.summary import summarised
from forge_mlir.cli.ui import Ui
from forge_mlir.compiler.option_values import wrong_choice
from forge_mlir.compiler.options import Form, Group, Option, Options, option_table
from forge_mlir.execute.array_files import load_arrays, load_npy
from forge_mlir.lowerings.plugins import load_plugin
from forge_mlir.support.outputs import reading

_TYPES: Mapping[Form, Any] = {
    "shapes": list[str],
    "dims": list[str],
    "ranges": list[str],
    "arrays": list[str],
    "plugins": list[Path],
    "files": list[Path],
    "names": list[str],
    "npz": list[str],
    "integer": int,
    "mebibytes": int,
    "number": float,
    "text": str,
    "switch": bool,
}


_COMMON = {
    "as_json": Flag("--json", help="print JSON on stdout"),
    "quiet": Flag("--quiet", "-q", help="print results and errors only"),
    "verbose": Flag("--verbose", "-v", help="print phases and their times, not only on a terminal"),
    "debug": Flag("--debug", help="show Python tracebacks"),
}

_SUMMARY = Flag("--summary", metavar="FILE", help="add what came of it to FILE, as Markdown for the page of a CI job")

EXIT_CODES = "Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."


def command(
    *groups: Group, names: Sequence[str] = (), options: bool = True
) -> Callable[[Callable[..., None]], click.Command]:
    """Makes a subcommand of a function. It gets a `Ui` as `ui`, made of the flags that all commands have, and what was
    given of the options of a compilation (of some groups and names, or all) as `options`."""

    def decorate(function: Callable[..., None]) -> click.Command:
        own = [p for p in inspect.signature(function, eval_str=True).parameters.values() if p.name not in _MADE]
        table = option_table().items() if options else ()
        flags = {
            name: _flag(name, option) for name, option in table if not groups or option.group in groups or name in names
        }
        parameters = [parameter(p.name, p.annotation, None if p.default is p.empty else p.default) for p in own]
        parameters += flags.values()
        parameters += (parameter(name, Annotated[bool, shown], False) for name, shown in _COMMON.items())
        parameters.append(parameter("summary", Annotated[Path | None, _SUMMARY], None))
        several = [p.name for p in parameters if p.multiple]

        def run(**arguments: Any) -> None:
            arguments |= {name: list(arguments[name]) or None for name in several}
            read = _files_read(arguments)
            # main reads --debug: the error may come before any command runs.
            _, *shown = (arguments.pop(name) for name in ("debug", "as_json", "quiet", "verbose"))
            given = {name: arguments.pop(name) for name in flags}
            with summarised(arguments.pop("summary"), _title(name, own, arguments)) as summary:
                as_json, quiet, verbose = shown
                ui = Ui(as_json, quiet, verbose, summary=summary)
                if options:
                    arguments["options"] = options_of(given)
                with ui.watching(), reading(read):
                    function(**arguments, ui=ui)

        # "import" is a keyword, a dash no part of a name.
        name = function.__name__.rstrip("_").replace("_", "-")
        return click.Command(name, params=parameters, callback=run, help=inspect.getdoc(function), epilog=EXIT_CODES)

    return decorate


_MADE = ("options", "ui")
_READ = ("model", "module", "directory", "inputs", "outputs", "shapes")
"""Parameters of commands that are files, or folders of them, which the command reads."""
_READ_FORMS: Sequence[Form] = ("arrays", "plugins", "files", "npz")


def _files_read(arguments: Mapping[str, Any]) -> list[Path]:
    """The files that the parameters of a command name, some of them as NAME=FILE."""
    table = option_table()
    found: list[Path] = []
    for name, value in arguments.items():
        if name in _READ or (name in table and table[name].form in _READ_FORMS):
            texts = [str(each) for each in (value if isinstance(value, list) else [value]) if each is not None]
            for word in filter(None, (word for text in texts for word in (text, text.rpartition("=")[2]))):
                path = Path(word)
                with suppress(OSError, ValueError):  # A text that is too long, or no path at all.
                    found += path.glob("*.onnx") if path.is_dir() else [path] if path.is_file() else []
    return found


def _title(name: str, parameters: Iterable[inspect.Parameter], arguments: Mapping[str, Any]) -> str:
    """The command and what it is about."""
    about = (arguments[each.name] for each in parameters if isinstance(get_args(each.annotation)[1], Argument))
    return " ".join([f"forge-mlir {name}", *map(str, about)])


def _flag(name: str, option: Option) -> click.Parameter:
    shown = Flag(
        option.flag,
        help=option.help,
        minimum=option.minimum,
        metavar=option.metavar,
        show_default=bool(option.default),
    )
    default: Any = None
    if option.form == "switch":
        default = False
    elif option.form == "mebibytes":
        default = option.default >> 20
    elif option.default not in (None, ()):
        default = option.default
    return parameter(name, Annotated[_TYPES[option.form], shown], default)


def options_of(given: Mapping[str, Any]) -> Options:
    """The options that flags stand for; those that were not given are left out.

    Raises BadParameter for wrong usage, and ForgeError for a file that cannot be read.
    """
    options: Options = {}
    for name, value in given.items():
        option = option_table()[name]
        if value is None or value == [] or value is False or value == "":
            continue
        options[name] = _value(option, value)  # type: ignore[literal-required]
    _check(options)
    return options


def _value(option: Option, given: Any) -> Any:
    value = _parsed(option, given)
    if (reason := wrong_choice(option, value)) is not None:
        raise click.BadParameter(reason, param_hint=option.flag)
    return value


def _parsed(option: Option, given: Any) -> Any:
    match option.form:
        case "shapes":
            return dict(_sizes(option.flag, text, ":") for text in given)
        case "dims":
            return dict(_dim(option.flag, text) for text in given)
        case "ranges":
            return dict(_range(option.flag, text) for text in given)
        case "arrays":
            return {name: load_npy(file) for name, file in (_file(option.flag, text) for text in given)}
        case "plugins":
            return [lowering for file in given for lowering in load_plugin(file)]
        case "npz":
            return load_arrays(given)
        case "names":
            return _names(given)
        case "mebibytes":
            return given << 20
        case "switch":
            return option.on
    return given


def _check(options: Options) -> None:
    table = option_table()
    stray = [
        table[name].flag
        for name in options
        if table[name].group == "fallback" and name != "fallback" and options[name] != table[name].default  # type: ignore[literal-required]
    ]
    if stray and options.get("fallback") != "cpu":
        raise click.BadParameter(f"{', '.join(stray)} need --fallback=cpu")


def _sizes(flag: str, text: str, separator: str) -> tuple[str, list[int]]:
    """`name:1,2` split at the last separator (names may hold one)."""
    name, found, sizes = text.rpartition(separator)
    try:
        values = [int(size) for size in sizes.split(",")] if sizes else []
    except ValueError:
        found = ""
        values = []
    if not found or not name:
        raise click.BadParameter(f"expected NAME{separator}SIZES, but got {text!a}", param_hint=flag)
    return name, values


def _dim(flag: str, text: str) -> tuple[str, int]:
    name, values = _sizes(flag, text, "=")
    if len(values) != 1:
        raise click.BadParameter(f"expected one size for {name!a}", param_hint=flag)
    return name, values[0]


def _range(flag: str, text: str) -> tuple[str, tuple[int | None, int | None]]:
    name, found, ends = text.rpartition("=")
    lowest, colon, end = ends.partition(":")
    try:
        values = (int(lowest) if lowest else None, int(end) if end else None)
    except ValueError:
        colon = ""
    if not found or not name or not colon:
        raise click.BadParameter(f"expected NAME=LOWEST:END, but got {text!a}", param_hint=flag)
    return name, values


def _file(flag: str, text: str) -> tuple[str, Path]:
    name, found, file = text.rpartition("=")
    if not found or not name:
        raise click.BadParameter(f"expected NAME=FILE.npy, but got {text!a}", param_hint=flag)
    return name, Path(file)


def _names(given: Iterable[str]) -> Sequence[str]:
    return [name for text in given for name in text.split(",")]
