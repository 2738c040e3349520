"""The `forge-mlir` command. Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."""

from __future__ import annotations

import atexit
import gc
import os
import sys

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
    import signal

    # So that what is half written is taken away, as it is on an interrupt.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        from forge_mlir.cli.app import app

        app(prog_name="forge-mlir")
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        _tell(error)
        sys.exit(1)
    finally:
        _end_without_collection()


def _tell(error: Exception) -> None:
    """A line for the error, or one per refused node."""
    import json

    from forge_mlir.cli.reporting import errors_as_json, show_error
    from forge_mlir.codes import Code
    from forge_mlir.errors import ForgeError

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
    import threading

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
