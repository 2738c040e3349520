"""Files of an artifact appear together or not at all, and never in place of a file that is not ours.

The rules are those of C++ (`lib/Target/Artifact/ArtifactDirectory.cpp`), which writes artifacts too.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.support.outputs import check_input


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
    target = os.fsencode(directory)
    made, failure = _native.open_staging(target, name)
    if failure:
        raise ForgeError(Code.CannotWrite, failure)
    staging = Path(os.fsdecode(made))
    try:
        yield staging
        for file in os.listdir(staging):
            check_input(directory / file)
        with held(directory, alone=True):
            failure = _native.publish(made, target, name, force)
        if failure:
            raise ForgeError(Code.CannotWrite, failure)
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write to {str(directory)!a}: {error.strerror}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
