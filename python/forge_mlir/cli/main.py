"""The `forge-mlir` command. Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."""

from __future__ import annotations

import json
import signal
import sys
from typing import Annotated

import typer

from forge_mlir.cli.commands import artifact, compile, report, stages, sweep, tools, verify
from forge_mlir.cli.reporting import errors_as_json, show_error
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError

_EXIT_CODES = "Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."

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

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from forge_mlir.version import __version__

        print(f"forge-mlir {__version__}")
        raise typer.Exit


@app.callback(epilog=_EXIT_CODES)
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """ONNX in, Tenstorrent Forge Python module out, through MLIR."""
    del version  # Its callback has ended the program.


for _group in (compile, stages, artifact, verify, report, sweep, tools):
    for _command in _group.COMMANDS:
        # "import" is a keyword, a dash no part of a name.
        app.command(_command.__name__.rstrip("_").replace("_", "-"), epilog=_EXIT_CODES)(_command)


def main() -> None:
    """Runs the command. Every error is one line, or one per refused node, unless --debug is given; with --json it is on
    stdout as JSON too."""
    # So that what is half written is taken away, as it is on an interrupt.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        app(standalone_mode=True)
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


if __name__ == "__main__":
    main()
