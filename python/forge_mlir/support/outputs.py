"""Writes files of commands all or none, and never over files that are read or that belong to the user."""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from io import BufferedRandom, BufferedReader
from pathlib import Path

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote

Writer = Callable[[Path], object]
"""Writes a file to the given path, which is temporary."""

_MARK = b"forge-mlir:generated:"
"""Followed by the SHA-256 of the file with zeros in place of that hash."""
_BLANK = b"0" * 64
_NEAR = 4096
"""The mark is within this many bytes of the end of a file."""
_BYTECODE, _PRODUCER = b"ML\xefR", b"forge-mlir"
"""The magic number of MLIR bytecode, and the name of its producer, which follows soon after it."""

_being_read: ContextVar[tuple[Path, ...]] = ContextVar("forge_mlir_being_read", default=())


@contextmanager
def reading(files: Iterable[Path]) -> Iterator[None]:
    """Within the block, `files` are protected from being overwritten, even if that is forced."""
    token = _being_read.set((*_being_read.get(), *files))
    try:
        yield
    finally:
        _being_read.reset(token)


def check_input(path: Path, inputs: Iterable[Path | None] = ()) -> None:
    """Raises ForgeError if `path` is one of the files that are read, under any name: those of `inputs` and of
    `reading`."""
    for given in (*inputs, *_being_read.get()):
        with suppress(OSError):
            if given is not None and path.samefile(given):
                raise ForgeError(
                    Code.CannotWrite, f"{quote(str(path))} is what the command reads, or its summary; give another file"
                )


def check_output(path: Path, inputs: Iterable[Path | None] = (), force: bool = False) -> None:
    """For the start of a command that writes `path` at its end. Raises ForgeError as `check_input` does, for a path
    that cannot be written, and, unless `force` is given, for a file that `write_outputs` did not write or that has
    changed since."""
    _check_replaced(path, inputs, force)
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not _is_special(path):
            with _scratch_of(Path(os.path.realpath(path))):
                pass
    except OSError as error:
        raise cannot_write(path, error) from error


def check_folder(folder: Path, names: Iterable[str] = (), force: bool = False) -> None:
    """`check_output` for files `names` in a folder that is made when they are written."""
    found = folder
    while not os.path.lexists(found) and found != found.parent:
        found = found.parent
    try:
        with _scratch_of(found / "x"):
            pass
    except OSError as error:
        raise cannot_write(folder, error) from error
    for name in names if found == folder else ():
        check_output(folder / name, (), force)


def make_with_parents(folder: Path) -> None:
    """Makes a folder and those above it. Path.mkdir calls itself for each of them, which Python limits. Raises OSError,
    and ValueError for a name with NUL."""
    for each in reversed((folder, *folder.parents)):
        if not each.is_dir():
            each.mkdir(exist_ok=True)


def make_folder(folder: Path) -> None:
    """Raises ForgeError."""
    try:
        make_with_parents(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error


def _check_replaced(path: Path, inputs: Iterable[Path | None], force: bool) -> None:
    """Raises ForgeError for a file that must not be replaced."""
    check_input(path, inputs)
    if not force and not _is_device(path) and (path.is_file() or path.is_symlink()) and not _is_ours(path):
        message = f"{quote(str(path))} is there and was not written by forge-mlir; move it away, or give --force"
        raise ForgeError(Code.CannotWrite, message)


def write_output(path: Path, write: Writer, inputs: Iterable[Path | None] = (), force: bool = False) -> None:
    """`write_outputs` for one file."""
    write_outputs({path: write}, inputs, force)


def write_outputs(
    files: Mapping[Path, Writer],
    inputs: Iterable[Path | None] = (),
    force: bool = False,
    about_to_move: Callable[[Path, str], object] = lambda *_: None,
) -> None:
    """Writes all `files` or none. Each is written to a temporary file next to its path, in order, and all are renamed
    once they are complete. The last file is the one by which the others are found, so that they exist if it does.
    Special files such as /dev/stdout are written at once. `about_to_move` is called with each file and its SHA-256
    before any is moved.

    Raises ForgeError as `check_output` does, and if a file cannot be written.
    """
    given = tuple(inputs)
    for path in files:
        _check_replaced(path, given, force)
    current = next(iter(files))
    try:
        with ExitStack() as scratches:
            moves: dict[Path, Path] = {}
            for current, write in files.items():
                if _is_special(current):
                    _write_through(current, write)
                    continue
                target = Path(os.path.realpath(current))
                moves[target] = scratch = scratches.enter_context(_scratch_of(target))
                write(scratch)
                about_to_move(current, _seal(scratch, target.name))
            modes = {target: _mode(target) for target in moves}
            if len(moves) > 1:  # If this process dies now, readers can tell that the files are incomplete.
                [*moves][-1].unlink(missing_ok=True)
            for current, scratch in moves.items():
                scratch.chmod(modes[current])
                scratch.replace(current)
    except OSError as error:
        raise cannot_write(current, error) from error


def cannot_write(path: Path, error: OSError) -> ForgeError:
    return ForgeError(Code.CannotWrite, f"cannot write {quote(str(path))}: {error.strerror or error}")


def _is_device(path: Path) -> bool:
    return os.path.abspath(path).startswith(("/dev/", "/proc/"))


def _is_special(path: Path) -> bool:
    return _is_device(path) or (path.exists() and not path.is_file())


def _write_through(special: Path, write: Writer) -> None:
    """Writes to a special file, where `write` may not move back, and which it must not replace."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder, special.name)
        write(scratch)
        with scratch.open("rb") as source, special.open("wb") as target:
            shutil.copyfileobj(source, target)


@contextmanager
def _scratch_of(target: Path) -> Iterator[Path]:
    """An empty temporary file next to `target`, which is removed after the block, as are those of killed processes."""
    prefix = f".{target.name[:100]}."
    for name in os.listdir(target.parent):
        if name.startswith(prefix) and is_stale(name, "new"):
            (target.parent / name).unlink(missing_ok=True)
    number, name = tempfile.mkstemp(prefix=prefix, suffix=f".{os.getpid()}.new", dir=target.parent)
    os.close(number)
    scratch = Path(name)
    try:
        yield scratch
    finally:
        scratch.unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """The permissions of an existing file, or those of a new one."""
    umask = os.umask(0)
    os.umask(umask)
    return target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask


def is_stale(name: str, suffix: str) -> bool:
    """Whether `name` is a temporary file `.<name>.<random>.<process>.<suffix>` of a dead process."""
    words = name.split(".")
    if words[0] or len(words) < 4 or words[-1] != suffix or not words[-2].isdecimal():
        return False
    try:
        os.kill(int(words[-2]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def _seal(file: Path, name: str) -> str:
    """Marks the file as ours if its format permits that; returns its SHA-256."""
    _mark(file, name)
    with file.open("r+b") as stream:
        found = _mark_in(stream)
        digest = _digest(stream, None)
        if found is None:
            return digest
        stream.seek(found[0])
        stream.write(digest.encode())
        stream.flush()
        return _digest(stream, None)


def _mark(file: Path, name: str) -> None:
    """Writes the mark with a blank digest in the syntax of the format."""
    mark = _MARK + _BLANK
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file, "a") as archive:
            archive.comment = mark
        return
    with file.open("r+b") as stream:
        begin = stream.read(16)
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 16))
        end = stream.read()
        if begin.startswith(b"\x1f\x8b"):  # an empty gzip member, which readers skip
            with gzip.GzipFile(mark.decode(), "wb", fileobj=stream, mtime=0):
                pass
        elif begin.startswith((b"{", b"[")) and end.rstrip(b"] \n").endswith(
            b"}"
        ):  # the outermost object, or the last one
            close = end.rindex(b"}")
            stream.seek(close - len(end), os.SEEK_END)
            stream.write(b', "generator": "' + mark + b'"' + end[close:])
        elif name.endswith((".html", ".md", ".xml")):
            stream.write(b"<!-- " + mark + b" -->\n")
        elif name.endswith(".mlir"):
            stream.write(b"// " + mark + b"\n")
        elif name.endswith(".onnx"):  # ModelProto.metadata_props, whose entries have a key and a value.
            entry = b"".join(bytes((tag, len(text))) + text for tag, text in ((0x0A, b"generator"), (0x12, mark)))
            stream.write(bytes((0x72, len(entry))) + entry)
        elif name.endswith(".bin"):
            stream.write(mark)


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            begin = stream.read(64)
            if begin.startswith(_BYTECODE):
                return _PRODUCER in begin
            found = _mark_in(stream)
            return found is not None and found[1] == _digest(stream, found[0]).encode()
    except OSError:
        return False


def _mark_in(stream: BufferedReader | BufferedRandom) -> tuple[int, bytes] | None:
    """The offset of the digest in the mark, and the digest."""
    start = max(0, stream.seek(0, os.SEEK_END) - _NEAR)
    stream.seek(start)
    tail = stream.read()
    found = tail.rfind(_MARK)
    digest = tail[found + len(_MARK) :][: len(_BLANK)]
    return (start + found + len(_MARK), digest) if found >= 0 and len(digest) == len(_BLANK) else None


def _digest(stream: BufferedReader | BufferedRandom, blank: int | None) -> str:
    """The SHA-256 of a file, with zeros in place of the digest at `blank`."""
    stream.seek(0)
    if blank is None:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    hashed, left = hashlib.sha256(), blank
    while left and (block := stream.read(min(left, 1 << 20))):
        hashed.update(block)
        left -= len(block)
    stream.seek(blank + len(_BLANK))
    hashed.update(_BLANK)
    hashed.update(stream.read())
    return hashed.hexdigest()
