"""Files of an artifact appear together or not at all, and never in place of a file that is not ours."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forge_mlir.artifact.owned_files import OwnedFiles, not_ours
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.support.outputs import check_input, is_stale

_SUFFIX = "staging"


@contextmanager
def held(directory: Path, alone: bool = False) -> Iterator[None]:
    """While no other process of ours replaces files of the directory, and with `alone` none reads them in such a block.
    Where the file system has no locks, there is none."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def staged(directory: Path, name: str, force: bool = False) -> Iterator[Path]:
    """A directory to write into. Its files move to `directory` when all went well, `<name>.py` last: where it is, the
    files it needs are too.

    What an earlier compilation of `name` wrote is replaced. Raises ForgeError for any other file of these names, unless
    `force` is given, for one that is read (`forge_mlir.support.outputs`), and when something cannot be written. Staging
    directories of processes that are gone are removed.
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
    directory.mkdir(parents=True, exist_ok=True)
    for file in directory.iterdir():
        if is_stale(file.name, _SUFFIX) and not file.is_symlink():
            shutil.rmtree(file, ignore_errors=True)
    staging = tempfile.mkdtemp(prefix=f".{name}.", suffix=f".{os.getpid()}.{_SUFFIX}", dir=directory)
    try:
        yield Path(staging)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def publish(staging: Path, directory: Path, name: str, force: bool) -> None:
    """Moves the files out of the staging directory. Raises ForgeError for files in the way that are not ours, and
    OSError."""
    written = sorted(os.listdir(staging))
    owned = OwnedFiles.of(directory, name)
    for file in written:
        if not force and file not in owned.names and os.path.lexists(directory / file):
            reason = owned.reason or not_ours(directory / file)
            raise ForgeError(Code.CannotWrite, f"{reason}; move it away, or give --force")
    module = f"{name}.py"
    if module in owned.names:  # Should this process die now, the rest is known not to be whole.
        (directory / module).unlink(missing_ok=True)
    for file in sorted(written, key=lambda file: file == module):
        (staging / file).rename(directory / file)
    for file in owned.names.difference(written):
        (directory / file).unlink(missing_ok=True)
