"""The options of all commands, and those of a compilation, which are made from the table in `compiler.options`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import click

from forge_mlir.cli.arguments import PATH, Argument, Flag, Integer, Number, option, parameter
from forge_mlir.cli.exit_codes import EXIT_CODES
from forge_mlir.cli.help import EVERY_COMMAND, HELP_ALL, Command
from forge_mlir.cli.output.summary import summarised
from forge_mlir.cli.output.ui import Ui
from forge_mlir.cli.shapes import each_once, named_shape, named_size
from forge_mlir.compiler.options import Form, Group, Option, Options, option_table
from forge_mlir.errors import quote
from forge_mlir.execute.values.array_files import load_arrays, load_npy
from forge_mlir.lowerings.plugins import load_plugin
from forge_mlir.support.outputs import reading

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_METAVARS: Mapping[Form, str | None] = {
    "shapes": "NAME=SIZES",
    "dims": "NAME=SIZE",
    "ranges": "NAME=LOWEST:END",
    "arrays": "NAME=FILE.npy",
    "plugins": "FILE.py",
    "files": "FILE.mlir",
    "names": "NAME,...",
    "npz": "FILE.npz",
    "integer": "INTEGER",
    "number": "NUMBER",
    "text": "TEXT",
    "switch": None,
    "mebibytes": "MIB",
}
"""The placeholder for a value in the help."""

_REPEATED: Sequence[Form] = ("shapes", "dims", "ranges", "arrays", "plugins", "files", "names", "npz")

TITLES: Mapping[Group, str] = {
    "inputs": "Sizes and values of inputs",
    "extraction": "A part of the model",
    "conversion": "Conversion",
    "floats": "Precision",
    "tiles": "Tensors in tiles",
    "fallback": "CPU partitions (all but the first need --fallback=cpu)",
    "limits": "Limits of time and memory",
}

_COMMON = {
    "as_json": Flag("--json", help="print the result as JSON; errors are in it, too", title=EVERY_COMMAND),
    "quiet": Flag("--quiet", "-q", help="print results and errors only", title=EVERY_COMMAND),
    "verbose": Flag(
        "--verbose",
        "-v",
        help="print each phase with its time in seconds; on a terminal, phases are always shown",
        title=EVERY_COMMAND,
        brief=False,
    ),
    "debug": Flag("--debug", help="show Python tracebacks", title=EVERY_COMMAND, brief=False),
}

_SUMMARY = Flag(
    metavar="FILE",
    help="append the result to a Markdown file; e.g. $GITHUB_STEP_SUMMARY, which a CI job shows",
    title=EVERY_COMMAND,
    brief=False,
)


def command(
    *groups: Group, names: Sequence[str] = (), options: bool = True, hidden: Sequence[str] = ()
) -> Callable[[Callable[..., None]], click.Command]:
    """Makes a function a subcommand. The function gets a `Ui` as `ui`, from the flags of all commands, and as `options`
    the options of a compilation that were given (those of some groups and names, or all). The help does not list
    `hidden` options, which the command refuses with a reason."""

    def decorate(function: Callable[..., None]) -> click.Command:
        own = [p for p in inspect.signature(function, eval_str=True).parameters.values() if p.name not in _MADE]
        table = option_table().items() if options else ()
        chosen = [(name, spec) for name, spec in table if not groups or spec.group in groups or name in names]
        chosen.sort(key=lambda pair: [*TITLES].index(pair[1].group))
        flags = {name: _flag(name, spec) for name, spec in chosen}
        for each in hidden:
            flags[each].hidden = True
        parameters = [parameter(p.name, p.annotation, None if p.default is p.empty else p.default) for p in own]
        parameters += flags.values()
        parameters += (parameter(name, Annotated[bool, shown], False) for name, shown in _COMMON.items())
        parameters.append(parameter("summary", Annotated[Path | None, _SUMMARY], None))
        parameters.append(HELP_ALL)
        several = [p.name for p in parameters if p.multiple]

        def run(**arguments: Any) -> None:
            arguments |= {name: list(arguments[name]) or None for name in several}
            read = _files_read(arguments)
            # main reads --debug itself, because an error may occur before any command runs.
            _, *shown = (arguments.pop(name) for name in ("debug", "as_json", "quiet", "verbose"))
            given = {name: arguments.pop(name) for name in flags}
            page = arguments.pop("summary")
            with reading(read), summarised(page, _title(name, own, arguments)) as summary:
                as_json, quiet, verbose = shown
                ui = Ui(as_json, quiet, verbose, summary=summary)
                if options:
                    arguments["options"] = options_of(given)
                with ui.watching():
                    function(**arguments, ui=ui)

        # "import" is a Python keyword, and names cannot contain dashes.
        name = function.__name__.rstrip("_").replace("_", "-")
        return Command(name, params=parameters, callback=run, help=inspect.getdoc(function), epilog=EXIT_CODES)

    return decorate


_MADE = ("options", "ui")
_READ = (
    *("model", "module", "directory", "file", "inputs", "expected", "shapes"),
    *("artifact", "against", "compare", "tokenizer", "weight_table"),
)
"""Parameters of commands that are files, or folders of files, which the command reads."""
_READ_FORMS: Sequence[Form] = ("arrays", "plugins", "files", "npz")


def _files_read(arguments: Mapping[str, Any]) -> list[Path]:
    """The files that the parameters of a command name, some as NAME=FILE."""
    table = option_table()
    found: list[Path] = []
    for name, value in arguments.items():
        if name in _READ or (name in table and table[name].form in _READ_FORMS):
            texts = [str(each) for each in (value if isinstance(value, list) else [value]) if each is not None]
            for word in filter(None, (word for text in texts for word in (text, text.rpartition("=")[2]))):
                path = Path(word)
                with suppress(OSError, ValueError):  # The text is too long or not a path.
                    found += path.glob("*.onnx") if path.is_dir() else [path] if path.is_file() else []
    return found


def _title(name: str, parameters: Iterable[inspect.Parameter], arguments: Mapping[str, Any]) -> str:
    """The name of the command and its main argument."""
    about = (arguments[each.name] for each in parameters if isinstance(get_args(each.annotation)[1], Argument))
    return " ".join([f"forge-mlir {name}", *map(str, about)])


def _flag(name: str, spec: Option) -> click.Option:
    shown = Flag(
        spec.flag,
        help=spec.help,
        metavar=spec.unit or (None if spec.choices else _METAVARS[spec.form]),
        show_default=spec.default_of_pass or bool(spec.default) or (spec.default == 0 and spec.form == "integer"),
        title=TITLES[spec.group],
        brief=spec.brief,
        needs=spec.needs,
    )
    default: Any = None
    if spec.form == "switch":
        default = False
    elif spec.form == "mebibytes":
        default = spec.default >> 20
    elif spec.default not in (None, ()):
        default = spec.default
    is_flag = spec.form == "switch"
    return option(name, shown, _type(spec), default, is_flag=is_flag, many=spec.form in _REPEATED)


def _type(spec: Option) -> click.ParamType[Any]:
    if spec.choices is not None:
        return _Choices(spec)
    match spec.form:
        case "integer" | "mebibytes":
            return Integer(min=None if spec.minimum is None else int(spec.minimum))
        case "number":
            return Number(min=spec.minimum)
        case "plugins" | "files":
            return PATH
        case "switch":
            return click.BOOL
    return click.STRING


class _Choices(click.ParamType[Any]):
    """A choice of an option, or several separated by commas. The choices are computed on first use, because the native
    module provides some of them."""

    name = "choice"

    def __init__(self, spec: Option) -> None:
        assert spec.choices is not None
        self._spec = spec
        self._choices = spec.choices

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        return f"[{'|'.join(self._choices())}]{',...' if self._spec.form == 'names' else ''}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        given = value.split(",") if self._spec.form == "names" else [value]
        choices = self._choices()
        if stray := [each for each in given if each not in choices]:
            self.fail(f"expected {', '.join(choices)}, but got {quote(stray[0])}", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        before, comma, begun = incomplete.rpartition(",") if self._spec.form == "names" else ("", "", incomplete)
        return [CompletionItem(f"{before}{comma}{each}") for each in self._choices() if each.startswith(begun)]


def options_of(given: Mapping[str, Any]) -> Options:
    """Converts flags to options; those that were not given are left out.

    Raises BadParameter for wrong usage, and ForgeError for a file that cannot be read.
    """
    options: Options = {}
    for name, value in given.items():
        spec = option_table()[name]
        if value is None or value == [] or value is False:
            continue
        options[name] = _parsed(spec, value)  # type: ignore[literal-required]
    return options


def _parsed(spec: Option, given: Any) -> Any:
    match spec.form:
        case "shapes":
            return each_once((named_shape(text, spec.flag) for text in given), spec.flag)
        case "dims":
            return each_once((named_size(text, spec.flag) for text in given), spec.flag)
        case "ranges":
            return each_once((_range(spec.flag, text) for text in given), spec.flag)
        case "arrays":
            files = each_once((_file(spec.flag, text) for text in given), spec.flag)
            return {name: load_npy(file) for name, file in files.items()}
        case "plugins":
            return [lowering for file in given for lowering in load_plugin(file)]
        case "npz":
            return load_arrays(given)
        case "names":
            return _names(given)
        case "mebibytes":
            return given << 20
        case "switch":
            return spec.on
    return given


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
