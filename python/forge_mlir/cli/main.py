"""The `forge-mlir` command as a process. `forge_mlir.cli.exit_codes` defines its exit codes."""

from __future__ import annotations

import atexit
import codecs
import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    import click


def main() -> None:
    """Runs the command. An error is printed as one line, or one per refused node, after its traceback if --debug is
    given; with --json it is also printed as JSON on stdout."""
    # Must come first. Most objects that are created while loading are kept, so that collections would be wasted time.
    gc.set_threshold(100_000, 20)
    _open_streams()
    # Idle BLAS threads of numpy spin, which would slow down the child process that checks a model.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        _run_command()
    except (KeyboardInterrupt, BrokenPipeError) as end:  # Interrupted, or the output is closed.
        from forge_mlir.cli.exit_codes import INTERRUPTED, PIPE_CLOSED

        _silence()
        sys.exit(INTERRUPTED if isinstance(end, KeyboardInterrupt) else PIPE_CLOSED)
    finally:
        _end_without_collection()


def _open_streams() -> None:
    """Replaces standard streams that are closed: other files would get their numbers, which child processes redirect.
    Also makes stdout print any path: bytes that are no text as they are, other characters escaped."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r"))  # noqa: SIM115
    if getattr(sys.stdout, "errors", "") == "strict":
        codecs.register_error("forge-mlir", _encoded)
        sys.stdout.reconfigure(errors="forge-mlir")  # type: ignore[union-attr]


def _encoded(error: UnicodeError) -> tuple[str | bytes, int]:
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.lookup_error("backslashreplace")(error)


def _run_command() -> None:
    import signal

    signal.signal(signal.SIGTERM, _end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # nohup and shells may ignore it.
        signal.signal(signal.SIGINT, _end)
    import click

    try:
        from forge_mlir.cli.app import app

        sys.exit(app.main(prog_name="forge-mlir", standalone_mode=False))
    except click.ClickException as error:
        _tell_usage(error)
        sys.exit(error.exit_code)
    except click.Abort as error:  # click's exception for an interrupt.
        raise KeyboardInterrupt from error
    except BrokenPipeError:
        raise
    except Exception as error:
        sys.exit(_tell(error))


def _end(number: int, frame: FrameType | None) -> None:
    """The handler of signals, which raises an exception, so that incomplete files are removed. While a module is
    imported, it waits for the next line after the import, because the initialisation of native modules, such as those
    of torch, crashes at exceptions. A second signal then has its default effect."""
    import signal

    importing: FrameType | None = None
    while frame is not None:
        if frame.f_code.co_name == "_find_and_load":
            importing = frame.f_back
        frame = frame.f_back
    if importing is not None:
        signal.signal(number, signal.SIG_DFL)
        importing.f_trace = lambda *_: _end(number, None)
        sys.settrace(lambda *_: None)
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        sys.exit(128 + number)


def _tell(error: Exception) -> int:
    """Prints the error, one line per refused node. Returns the exit code."""
    import json

    from forge_mlir.cli.exit_codes import exit_of_error
    from forge_mlir.cli.output.reporting import errors_as_json, forge_error_of, show_error, show_traceback
    from forge_mlir.errors import ForgeError

    failure = forge_error_of(error)
    if isinstance(error, OSError) and not isinstance(error, ForgeError):
        _silence()
    if "--json" in sys.argv:
        print(json.dumps({"errors": errors_as_json(failure)}, indent=2))
    with suppress(OSError):  # Without a place for the message, the exit code has to tell.
        show_traceback(error)
        show_error(failure)
    return exit_of_error(failure)


def _tell_usage(error: click.ClickException) -> None:
    import json

    from forge_mlir.codes import Code

    if "--json" in sys.argv:
        print(json.dumps({"errors": [{"code": Code.WrongUsage, "message": error.format_message()}]}, indent=2))
    with suppress(OSError):
        error.show()


def _silence() -> None:
    """Discards buffered output that cannot be written, to avoid a second error when the interpreter exits."""
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _end_without_collection() -> None:
    """Skips the final garbage collection. Objects in reference cycles, such as nodes that a user's lowering keeps, are
    then not freed."""
    if (native := sys.modules.get("forge_mlir._native")) is not None:
        native.set_leak_warnings(False)
    gc.freeze()


def run() -> None:
    """`main` as a process. It exits as soon as all output is written and the exit handlers have run, without finalising
    the interpreter, because the system frees the memory faster."""
    code: str | int = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    import signal
    import threading

    if not isinstance(code, int) or threading.active_count() > 1:
        sys.exit(code)  # Needs the regular exit: a message to print, or a thread to join.
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError as error:
        reported = _tell(error) if not isinstance(error, BrokenPipeError) else 128 + signal.SIGPIPE
        code = code or reported
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code & 0xFF)


if __name__ == "__main__":
    run()
