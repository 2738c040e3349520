"""How a command writes a file: never over what it reads, nor over a file of the user's, and whole or not at all."""

from __future__ import annotations

import gzip
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote

_MARK = b"forge-mlir:generated"
_NEAR = 4096
"""Bytes at the end of a file in which the mark is."""


def check_output(path: Path, inputs: Iterable[Path | None], force: bool = False) -> None:
    """Raises ForgeError where `path` is one of the files that the command reads, by whatever name, or a file that
    `write_output` did not write, unless `force` is given."""
    for given in inputs:
        with suppress(OSError):
            if given is not None and path.samefile(given):
                raise ForgeError(
                    Code.CannotWrite, f"{quote(str(path))} is what the command reads; give another --output"
                )
    if path.is_file() and not force and not _is_ours(path):
        message = f"{quote(str(path))} is there and was not written by forge-mlir; move it away, or give --force"
        raise ForgeError(Code.CannotWrite, message)


def write_output(
    path: Path, write: Callable[[Path], object], inputs: Iterable[Path | None], force: bool = False
) -> None:
    """Calls `write` with a file beside `path`, which then takes its place; with `path` itself where that is no ordinary
    file, as /dev/stdout. Raises ForgeError as `check_output` does, and for what cannot be written."""
    check_output(path, inputs, force)
    try:
        if path.exists() and not path.is_file():
            write(path)
            return
        target = Path(os.path.realpath(path))
        number, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".new", dir=target.parent)
        os.close(number)
        scratch = Path(name)
        try:
            write(scratch)
            _mark(scratch, target.name)
            umask = os.umask(0)
            os.umask(umask)
            scratch.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask)
            scratch.replace(target)
        finally:
            scratch.unlink(missing_ok=True)
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write {quote(str(path))}: {error.strerror}") from error


def _mark(file: Path, name: str) -> None:
    """Says in the file that we wrote it, where its format has a place for that; others are replaced with --force."""
    if name.endswith((".html", ".md")):
        with file.open("ab") as text:
            text.write(b"<!-- " + _MARK + b" -->\n")
    elif zipfile.is_zipfile(file):
        with zipfile.ZipFile(file, "a") as archive:
            archive.comment = _MARK
    elif name.endswith(".gz"):
        with file.open("ab") as text, gzip.GzipFile(_MARK.decode(), "wb", fileobj=text, mtime=0):
            pass  # An empty member, which readers skip.


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _NEAR))
        return _MARK in file.read()
