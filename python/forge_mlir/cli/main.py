"""The `forge-mlir` command as a process. `forge_mlir.cli.exit_codes` has its exit codes."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from forge_mlir.errors import escaped

if TYPE_CHECKING:
    import click

# Packages that not every installation has, and the extra that brings them.
_EXTRAS = {
    "distributed": "sweep",
    "google": "compile",
    "jinja2": "compile",
    "onnx": "compile",
    "onnxruntime": "onnxruntime",
    "onnxscript": "export",
    "torch": "runtime",
    "torch_mlir": "compile",
}


def main() -> None:
    """Runs the command. Every error is one line, or one per refused node, unless --debug is given; with --json it is on
    stdout as JSON too."""
    # Most of what the command loads and makes it keeps: the collections of a start find nothing. This comes first.
    gc.set_threshold(100_000, 20)
    # Threads of numpy's BLAS spin when they start, on the processor that the child which checks a model could have.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        _run_command()
    except (KeyboardInterrupt, BrokenPipeError) as end:  # Nobody waits for more, or reads it.
        from forge_mlir.cli.exit_codes import INTERRUPTED, PIPE_CLOSED

        _silence()
        sys.exit(INTERRUPTED if isinstance(end, KeyboardInterrupt) else PIPE_CLOSED)
    finally:
        _end_without_collection()


def _run_command() -> None:
    import signal

    # So that what is half written is taken away, as it is on an interrupt.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    import click

    try:
        from forge_mlir.cli.app import app

        sys.exit(app.main(prog_name="forge-mlir", standalone_mode=False))
    except click.ClickException as error:
        _tell_usage(error)
        sys.exit(error.exit_code)
    except click.Abort as error:  # What click makes of an interrupt.
        raise KeyboardInterrupt from error
    except BrokenPipeError:
        raise
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        sys.exit(_tell(error))


def _tell(error: Exception) -> int:
    """Prints a line for the error, or one per refused node; gives the exit code."""
    import json

    from forge_mlir.cli.exit_codes import DISK_FULL, exit_of_error
    from forge_mlir.cli.output.reporting import errors_as_json, show_error
    from forge_mlir.codes import Code
    from forge_mlir.errors import ForgeError, quote

    if isinstance(error, OSError) and error.errno in DISK_FULL:
        place = "to the standard output, or a temporary file" if error.filename is None else quote(error.filename)
        failure = ForgeError(Code.CannotWrite, f"cannot write {place}: {error.strerror}")
        failure.__cause__ = error
        details = errors_as_json(failure)
        _silence()
    elif isinstance(error, ForgeError):
        failure, details = error, errors_as_json(error)
    elif isinstance(error, ModuleNotFoundError) and (package := str(error.name).partition(".")[0]) in _EXTRAS:
        install = f"pip install 'forge-mlir[{_EXTRAS[package]}]'"
        failure = ForgeError(Code.PackageMissing, f"this needs the package {package}: {install}")
        details = errors_as_json(failure)
    else:  # A bug of ours is no reason for a traceback either.
        what = type(error).__name__
        failure = ForgeError(Code.InternalError, f"{what}: {escaped(error)} (a bug; --debug shows more)")
        details = [{**errors_as_json(failure)[0], "exception": what}]
    if "--json" in sys.argv:
        print(json.dumps({"errors": details}, indent=2))
    show_error(failure)
    return exit_of_error(failure)


def _tell_usage(error: click.ClickException) -> None:
    import json

    from forge_mlir.codes import Code

    if "--json" in sys.argv:
        print(json.dumps({"errors": [{"code": Code.WrongUsage, "message": error.format_message()}]}, indent=2))
    error.show()


def _silence() -> None:
    """What the standard output still holds cannot be written: no second error for that as the interpreter ends."""
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


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
    import signal
    import threading

    if not isinstance(code, int) or threading.active_count() > 1:
        sys.exit(code)  # A text is to be printed, a thread to be waited for.
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError as error:
        told = _tell(error) if not isinstance(error, BrokenPipeError) else 128 + signal.SIGPIPE
        code = code or told
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code & 0xFF)


if __name__ == "__main__":
    run()
