"""Error output of the command: lines for users, JSON for tools."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from forge_mlir.cli.exit_codes import DISK_FULL
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, headline, printable, quote, shortened
from forge_mlir.support.sandbox import is_out_of_memory


def show_error(error: ForgeError) -> None:
    """Prints a line per diagnostic with its notes, and a line for the error itself. The remedy of each code is printed
    once, unless a note is more specific."""
    from forge_mlir.explanations import explanations

    for diagnostic in error.details:
        print(diagnostic, file=sys.stderr)
    for code in dict.fromkeys(found.code for found in error.details if found.severity == "error" and not found.bind):
        print(headline("note", code, explanations()[code].cure), file=sys.stderr)
    for line in _what_to_do(error):
        print(f"note: {line}", file=sys.stderr)
    print(headline("error", error.code, error.message), file=sys.stderr)


def show_traceback(error: Exception) -> None:
    """Prints the traceback if --debug is given."""
    if "--debug" in sys.argv:
        traceback.print_exception(error)


# What a user can state about the inputs that refusals name: values or ranges.
_ABOUT_INPUTS = (
    ("inputs that are known before", "--bind", "FILE.npy", False),
    ("inputs whose integers are bounded", "--range", "LOWEST:END", True),
)


class Refused(Protocol):
    """A refused node or input: the code, the op ("" for an input), and the inputs that would resolve the refusal."""

    @property
    def code(self) -> str: ...
    @property
    def op(self) -> str: ...
    @property
    def bind(self) -> Sequence[str]: ...


def _what_to_do(error: ForgeError) -> list[str]:
    refused = [found for found in error.details if found.severity == "error"]
    return advice(refused) if error.code == Code.ModelRefused else []


def advice(refused: Sequence[Refused]) -> list[str]:
    """Advice after the refused nodes: flags that help, and where to read more."""
    lines = []
    if any(found.op and found.code != Code.PartitionFailed for found in refused):
        lines.append(
            "--fallback=cpu runs refused nodes on the CPU; "
            "forge-mlir check MODEL --suggest-cuts finds where to cut the model"
        )
    for what, flag, value, about_integers in _ABOUT_INPUTS:
        names = dict.fromkeys(
            name for found in refused if (found.code == Code.IntegerUnproven) == about_integers for name in found.bind
        )
        if names:
            lines.append(f"{what}: {' '.join(f'{flag} {printable(name)}={value}' for name in names)}")
    codes = sorted({found.code for found in refused if found.code})
    if codes:
        lines.append(f"more: forge-mlir explain {codes[0]}; docs/diagnostics.md has {', '.join(codes)}")
    return lines


def errors_as_json(error: ForgeError) -> list[dict[str, Any]]:
    """The error and its diagnostics, each with code and message; an internal error also with the type of the
    exception."""
    facts: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.code == Code.InternalError and error.__cause__ is not None:
        facts["exception"] = type(error.__cause__).__name__
    return [facts, *map(asdict, error.details)]


_EXTRAS = {
    "distributed": "sweep",
    "google": "compile",
    "jinja2": "compile",
    "onnx": "compile",
    "onnxruntime": "onnxruntime",
    "onnxscript": "export",
    "tokenizers": "tokenizers",
    "torch": "runtime",
    "torch_mlir": "compile",
}
"""Optional packages, and the extra that installs them."""


_OF_PATHS = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP)
"""Errors of the operating system about a path that the user gave."""


_NO_TEMPORARY = "No usable temporary directory"
"""The message of tempfile, in an error that has no path."""


def forge_error_of(error: Exception, about: object = "") -> ForgeError:
    """`error` as one that can be shown to users. Other errors than those of files, packages and memory are internal,
    and name the model `about`."""
    if isinstance(error, ForgeError):
        return error
    code, where = Code.InternalError, f"{escaped(about)}: " if str(about) else ""
    message = f"{where}{type(error).__name__}: {escaped(error)} (a bug; --debug shows more)"
    if isinstance(error, OSError) and error.errno in DISK_FULL:
        target = "to the standard output, or a temporary file" if error.filename is None else quote(error.filename)
        code, message = Code.CannotWrite, f"cannot write {target}: {error.strerror}"
    elif isinstance(error, FileNotFoundError) and str(error.strerror).startswith(_NO_TEMPORARY):
        code, message = Code.CannotWrite, f"cannot write temporary files: {escaped(error.strerror)}; set TMPDIR"
    elif isinstance(error, OSError) and error.errno in _OF_PATHS and error.filename is not None:
        code, message = Code.FileUnreadable, f"{shortened(error.filename)}: {error.strerror}"
    elif isinstance(error, ModuleNotFoundError) and (package := str(error.name).partition(".")[0]) in _EXTRAS:
        install = f"pip install 'forge-mlir[{_EXTRAS[package]}]'"
        code, message = Code.PackageMissing, f"this needs the package {package}: {install}"
    elif is_out_of_memory(error):
        code, message = Code.MemoryLimit, f"{where}this machine has no memory left for the command"
    failure = ForgeError(code, message)
    failure.__cause__ = error
    return failure
