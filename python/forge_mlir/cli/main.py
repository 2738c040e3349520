"""The `forge-mlir` command. Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import sys
import threading
from importlib import import_module

import click

from forge_mlir.cli.flags import EXIT_CODES
from forge_mlir.cli.reporting import errors_as_json, show_error
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError

# Packages that not every installation has, and the extra that brings them.
_EXTRAS = {
    "distributed": "sweep",
    "google": "compile",
    "onnx": "compile",
    "onnxruntime": "onnxruntime",
    "onnxscript": "export",
    "torch": "runtime",
    "torch_mlir": "compile",
}

_COMMANDS = {
    "compile": "compile:compile",
    "check": "check:check",
    "import": "stages:import_",
    "run": "artifact:run",
    "reseal": "artifact:reseal",
    "verify": "verify:verify",
    "bisect": "verify:bisect",
    "reduce": "reduce:reduce",
    "report": "report:report",
    "sweep": "sweep:sweep",
    "explain": "tools:explain",
    "ops": "tools:ops",
    "bug-report": "tools:bug_report",
}
"""The module in `forge_mlir.cli.commands` that has a command, and what it is called there."""


class _Commands(click.Group):
    """Loads a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        found: click.Command = getattr(import_module(f"forge_mlir.cli.commands.{module}"), name)
        return found


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from forge_mlir.version import __version__

        click.echo(f"forge-mlir {__version__}")
        context.exit()


app = _Commands(
    help="ONNX in, Tenstorrent Forge Python module out, through MLIR.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="print the version",
        )
    ],
)


def main() -> None:
    """Runs the command. Every error is one line, or one per refused node, unless --debug is given; with --json it is on
    stdout as JSON too."""
    # Most of what the command makes it keeps: the collections of a start find nothing.
    gc.set_threshold(100_000, 20)
    # So that what is half written is taken away, as it is on an interrupt.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        app(prog_name="forge-mlir")
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        if isinstance(error, ForgeError):
            failure, details = error, errors_as_json(error)
        elif isinstance(error, ModuleNotFoundError) and (package := str(error.name).partition(".")[0]) in _EXTRAS:
            install = f"pip install 'forge-mlir[{_EXTRAS[package]}]'"
            failure = ForgeError(Code.PackageMissing, f"this needs the package {package}: {install}")
            details = errors_as_json(failure)
        else:  # A bug of ours is no reason for a traceback either.
            what = type(error).__name__
            failure = ForgeError(Code.InternalError, f"{what}: {ascii(str(error))[1:-1]} (a bug; --debug shows more)")
            details = [{**errors_as_json(failure)[0], "exception": what}]
        if "--json" in sys.argv:
            print(json.dumps({"errors": details}, indent=2))
        show_error(failure)
        sys.exit(1)
    finally:
        _end_without_collection()


def _end_without_collection() -> None:
    """Saves the interpreter from looking at every object once more before it ends. What is in cycles stays then, such
    as a node that a user's lowering has kept; that is no leak."""
    if (native := sys.modules.get("forge_mlir._native")) is not None:
        native.set_leak_warnings(False)
    gc.freeze()


def run() -> None:
    """`main` as a process of its own. It ends as soon as all is written and every exit handler has run: taking the
    interpreter apart would only free, object by object, what the system takes back at once."""
    code: str | int = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    if not isinstance(code, int) or threading.active_count() > 1:
        sys.exit(code)  # A text is to be printed, a thread to be waited for.
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # Nobody reads: the interpreter tells of that.
        sys.exit(code)
    os._exit(code & 0xFF)


if __name__ == "__main__":
    run()
