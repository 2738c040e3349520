"""Files of arrays that users give."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError


def load_npz(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a .npz. Raises ForgeError when it is none, or holds pickles."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise ForgeError(
            Code.ArraysUnreadable, f"{ascii(str(path))[1:-1]}: not a readable .npz file: {error}"
        ) from error


def load_npy(path: Path) -> np.ndarray:
    """The array of a .npy. Raises ForgeError when it is none, or holds pickles."""
    try:
        array: np.ndarray = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ForgeError(
            Code.ArraysUnreadable, f"{ascii(str(path))[1:-1]}: not a readable .npy file: {error}"
        ) from error
    return array
