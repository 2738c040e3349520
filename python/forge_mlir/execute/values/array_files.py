"""Reads files of arrays."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote
from forge_mlir.support.regular_files import open_regular

if TYPE_CHECKING:
    import numpy as np

# RuntimeError: an encrypted file; NotImplementedError, which is one: an unknown compression; the others of the header.
_UNREADABLE = (
    *(OSError, ValueError, TypeError, EOFError, RuntimeError, SyntaxError, MemoryError, OverflowError),
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)

_LONGEST_NAME = (1 << 16) - 1 - len(".npy")


def load_arrays(given: Iterable[str], names: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """Arrays by name from `FILE.npz`, `NAME=FILE.npy` and `FILE.npy`, several of which may be given.

    A .npy without a name is the only input in `names`, or the input that has the name of the file. Raises ForgeError
    for a file that cannot be read and for duplicate names.
    """
    arrays: dict[str, np.ndarray] = {}
    for text in given:
        name, found, file = text.rpartition("=")
        # "=" does not separate a name if the whole text is a file.
        path = Path(file) if found and not Path(text).exists() else Path(text)
        if path.suffix == ".npy":
            key = name if path != Path(text) else names[0] if len(names) == 1 else path.stem
            entries = {key: load_npy(path)}
        else:
            entries = load_npz(path)
        if twice := arrays.keys() & entries.keys():
            raise ForgeError(Code.InputNames, f"input {min(twice)!a} is given twice")
        arrays.update(entries)
    return arrays


def load_npz(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a .npz. Raises ForgeError if it is not valid or contains pickles."""
    import numpy as np

    try:
        # np.load takes "a" for "a.npy" if both are names of arrays, and advises for other files to allow pickles.
        arrays = {}
        with open_regular(path) as opened, zipfile.ZipFile(opened) as archive:
            for name in archive.namelist():
                if not name.endswith(".npy") or name.removesuffix(".npy") in arrays:
                    raise ValueError(f"{name!a} is {'there twice' if name.endswith('.npy') else 'no array'}")
                with archive.open(name) as file:
                    arrays[name.removesuffix(".npy")] = np.lib.format.read_array(file, allow_pickle=False)
        return arrays
    except _UNREADABLE as error:
        raise _unreadable(path, ".npz", error) from error


def save_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Writes a .npz, as np.savez does, which takes no arrays named `file` or `allow_pickle`. Raises ForgeError for a
    name that a zip archive would cut off."""
    import numpy as np

    for name in arrays:
        if "\0" in name or len(name.encode()) > _LONGEST_NAME:
            reason = (
                f"a .npz takes no array {quote(name)}: expected a name of at most {_LONGEST_NAME} bytes without NUL"
            )
            raise ForgeError(Code.CannotWrite, f"{reason}; the file of run --save has any names")
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asanyarray(array), allow_pickle=False)


def load_npy(path: Path) -> np.ndarray:
    """The array of a .npy. Raises ForgeError if it is not valid or contains pickles."""
    import numpy as np

    try:
        with open_regular(path) as file:
            array: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
    except _UNREADABLE as error:
        raise _unreadable(path, ".npy", error) from error
    return array


def _unreadable(path: Path, kind: str, error: BaseException) -> ForgeError:
    return ForgeError(Code.ArraysUnreadable, f"{escaped(path)}: not a readable {kind} file: {escaped(error)}")
