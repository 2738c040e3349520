"""Files of an artifact appear together or not at all, and never in place of a file that is not ours."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote


@contextmanager
def staged(directory: Path, name: str, force: bool = False) -> Iterator[Path]:
    """A directory to write into. Its files move to `directory` when all went well, `<name>.py` last: where it is, the
    files it needs are too.

    What an earlier compilation of `name` wrote is replaced. Raises ForgeError for any other file of these names, unless
    `force` is given, and when something cannot be written. Staging directories of processes that are gone are removed.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _remove_stale(directory)
        staging = Path(tempfile.mkdtemp(prefix=f".{name}.", suffix=f".{os.getpid()}.staging", dir=directory))
    except OSError as error:
        raise _cannot_write(directory, error) from error
    try:
        yield staging
        written = {path.name for path in staging.iterdir()}
        owned = _owned(directory, name)
        foreign = [] if force else [file for file in sorted(written - owned) if os.path.lexists(directory / file)]
        if foreign:
            reason = "is there and was not written by forge-mlir, or has changed since; move it away, or give --force"
            raise ForgeError(Code.CannotWrite, f"{quote(directory / foreign[0])[1:-1]}: {reason}")
        if f"{name}.py" in owned:  # Should this process die now, the rest is known not to be whole.
            (directory / f"{name}.py").unlink(missing_ok=True)
        for path in sorted(staging.iterdir(), key=lambda path: (path.name == f"{name}.py", path.name)):
            os.replace(path, directory / path.name)
        for old in sorted(owned - written):
            (directory / old).unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(directory, error) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _cannot_write(directory: Path, error: OSError) -> ForgeError:
    return ForgeError(Code.CannotWrite, f"cannot write to {str(directory)!a}: {error.strerror}")


def _owned(directory: Path, name: str) -> set[str]:
    """The files that an earlier compilation of `name` wrote here: its manifest describes the module beside it, or there
    is none, because a compilation was killed.

    Files of partitions must be what it wrote, too; what `reseal` accepted is the user's. Weights are taken for ours by
    their name, for hashing takes long.
    """
    module = directory / f"{name}.py"
    try:
        manifest = json.loads((directory / f"{name}.json").read_text(encoding="utf-8"))
        edited = set(manifest.get("edited", ()))
        files = {file: digest for file, digest in manifest.get("files", {}).items() if file not in edited}
        digest = manifest["python_sha256"]
        if module.name in edited or (os.path.lexists(module) and digest != _sha256(module)):
            return set()
        weights = {str(manifest["weights_file"])} - edited
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return set()
    part = re.compile(rf"{re.escape(name)}(_[A-Za-z0-9_]+)?(_(cpu|device)\d+)?\.(py|json|onnx)", re.ASCII)
    return (
        {f"{name}.json", f"{name}.py"}
        | (weights & {f"{name}.safetensors"})
        | {
            file
            for file, digest in files.items()
            if part.fullmatch(file) and (directory / file).is_file() and _sha256(directory / file) == digest
        }
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove_stale(directory: Path) -> None:
    for path in directory.glob(".*.staging"):
        number = path.name.split(".")[-2]
        if number.isdecimal() and not _is_running(int(number)):
            shutil.rmtree(path, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
