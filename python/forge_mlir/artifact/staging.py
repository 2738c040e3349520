"""Writes the files of an artifact all or none, and never replaces files that this program did not write."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forge_mlir.artifact.owned_files import OwnedFiles, not_ours
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.support.outputs import check_input, is_stale, make_with_parents

_SUFFIX = "staging"


@contextmanager
def held(directory: Path, alone: bool = False) -> Iterator[None]:
    """Locks the directory against processes that replace its files; with `alone` also against readers in such a block.
    Does nothing if the file system has no locks."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def staged(directory: Path, name: str, force: bool = False) -> Iterator[Path]:
    """A directory to write into. If the block succeeds, its files are moved to `directory`, `<name>.py` last, so that a
    module's files are complete whenever it exists.

    Files of an earlier compilation of `name` are replaced. Raises ForgeError for other files of these names unless
    `force` is given, for files that are read (`forge_mlir.support.outputs`), and if something cannot be written.
    Staging directories of dead processes are removed.
    """
    try:
        with _staging(directory, name) as staging:
            yield staging
            for file in os.listdir(staging):
                check_input(directory / file)
            with held(directory, alone=True):
                publish(staging, directory, name, force)
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write to {str(directory)!a}: {error.strerror}") from error


@contextmanager
def _staging(directory: Path, name: str) -> Iterator[Path]:
    """An empty directory `.<name>.<random>.<process>.staging`."""
    try:
        make_with_parents(directory)
    except ValueError as error:  # a name with NUL
        raise OSError(errno.EINVAL, str(error)) from error
    for file in directory.iterdir():
        if is_stale(file.name, _SUFFIX) and not file.is_symlink():
            shutil.rmtree(file, ignore_errors=True)
    staging = tempfile.mkdtemp(prefix=f".{name}.", suffix=f".{os.getpid()}.{_SUFFIX}", dir=directory)
    try:
        yield Path(staging)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def publish(staging: Path, directory: Path, name: str, force: bool) -> None:
    """Moves the files out of the staging directory. Raises OSError, and ForgeError, before any file is moved, if others
    are in the way: files unless `force` is given, and folders."""
    written = sorted(os.listdir(staging))
    owned = OwnedFiles.of(directory, name)
    for file in written:
        if not force and file not in owned.names and os.path.lexists(directory / file):
            reason = owned.reason or not_ours(directory / file)
            raise ForgeError(Code.CannotWrite, f"{reason}; move it away, or give --force")
        if (directory / file).is_dir() and not (directory / file).is_symlink():
            raise ForgeError(Code.CannotWrite, f"{escaped(directory / file)}: is a folder; move it away")
    module = f"{name}.py"
    if module in owned.names:  # If this process dies now, readers can tell that the artifact is incomplete.
        (directory / module).unlink(missing_ok=True)
    for file in sorted(written, key=lambda file: file == module):
        (staging / file).rename(directory / file)
    for file in owned.names.difference(written):
        (directory / file).unlink(missing_ok=True)
