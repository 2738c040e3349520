"""Arrays that are given as .npz and .npy files."""

from __future__ import annotations

import os
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.execute.values.array_files import load_arrays, load_npy, load_npz, save_npz

X, Y = np.arange(3), np.ones((2, 2), np.float32)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    np.savez("both.npz", x=X, y=Y)
    np.save("x.npy", X)
    np.save("a=b.npy", Y)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "inputs", "names"),
    [
        (["both.npz"], [], ["x", "y"]),
        (["x.npy"], ["z", "x"], ["x"]),
        (["x.npy"], ["only"], ["only"]),
        (["input:0=x.npy"], ["only"], ["input:0"]),
        (["a=b.npy"], ["p", "q"], ["a=b"]),
        (["c=a=b.npy", "x.npy"], ["p", "q"], ["c=a", "x"]),
    ],
)
def test_names_of_files(given: list[str], inputs: list[str], names: list[str], folder: Path) -> None:
    np.save(folder / "b.npy", Y)
    assert list(load_arrays(given, inputs)) == names


@pytest.mark.usefixtures("folder")
def test_an_input_that_is_given_twice() -> None:
    with pytest.raises(ForgeError, match="input 'x' is given twice"):
        load_arrays(["both.npz", "x.npy"])


def test_files_that_hold_no_arrays(tmp_path: Path) -> None:
    pickled = tmp_path / "p.npy"
    np.save(pickled, np.array([{}], object), allow_pickle=True)
    with pytest.raises(ForgeError, match=r"p\.npy: not a readable \.npy file"):
        load_npy(pickled)
    with pytest.raises(ForgeError, match=r"p\.npy: not a readable \.npz file"):
        load_npz(pickled)
    other = tmp_path / "other"
    other.write_bytes(b"no array")
    with pytest.raises(ForgeError, match=r"not a readable \.npy file: the magic string is not correct"):
        load_npy(other)
    with pytest.raises(ForgeError, match=r"not a readable \.npz file: File is not a zip file"):
        load_npz(other)


def _damaged(path: Path, at: int, value: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] = value
    path.write_bytes(data)


def test_damaged_files(tmp_path: Path) -> None:
    """What zipfile, zlib and tokenize raise for them is no OSError or ValueError."""
    file = tmp_path / "x.npz"
    for save, mark, offset, value in (
        (np.savez_compressed, b"PK\x01\x02", 10, 99),  # an unknown compression
        (np.savez, b"PK\x01\x02", 8, 1),  # encrypted
        (np.savez, b"PK\x01\x02", 6, 252),  # a future version
        (np.savez_compressed, b"x.npy", 25, 255),  # the compressed bytes
    ):
        save(file, x=X)
        _damaged(file, file.read_bytes().index(mark) + offset, value)
        with pytest.raises(ForgeError, match=r"x\.npz: not a readable \.npz file"):
            load_npz(file)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt", "text")
    with pytest.raises(ForgeError, match=r"not a readable \.npz file: 'readme\.txt' is no array"):
        load_npz(file)
    for text in ("{'descr': '<f8', 'shape': (3,", "{'descr': '<f8', 'fortran_order': False, 'shape': (03,), }"):
        header = text.encode().ljust(117) + b"\n"
        (tmp_path / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        with pytest.raises(ForgeError, match=r"x\.npy: not a readable \.npy file"):
            load_npy(tmp_path / "x.npy")
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000000,), }".ljust(117) + b"\n"
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
    with pytest.raises(ForgeError, match="file: Unable to allocate"):
        load_npy(tmp_path / "x.npy")


def test_arrays_of_any_name(tmp_path: Path) -> None:
    arrays = {name: np.full(2, at) for at, name in enumerate(("file", "allow_pickle", "a", "a.npy", "b/../c", "x y"))}
    save_npz(tmp_path / "all.npz", arrays)
    read = load_npz(tmp_path / "all.npz")
    assert {name: array.tolist() for name, array in read.items()} == {n: a.tolist() for n, a in arrays.items()}


@pytest.mark.parametrize("name", ["a\0b", "n" * (1 << 16), "\0"], ids=["NUL within", "long", "NUL"])
def test_names_that_a_zip_cuts_off(name: str, tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=r"FM4003.*a \.npz takes no array .* run --save has any names"):
        save_npz(tmp_path / "x.npz", {name: np.zeros(1)})
    assert not (tmp_path / "x.npz").exists()
    save_npz(tmp_path / "x.npz", {"n" * ((1 << 16) - 5): np.zeros(1)})
    assert len(load_npz(tmp_path / "x.npz")) == 1


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_that_is_there_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        for value in (1, 2):
            with archive.open("x.npy", "w") as file:
                np.lib.format.write_array(file, np.array(value))
    with pytest.raises(ForgeError, match="is there twice"):
        load_npz(tmp_path / "x.npz")


@pytest.mark.parametrize("suffix", ["npz", "npy"])
def test_devices_and_pipes(suffix: str, tmp_path: Path) -> None:
    """A command read /dev/zero until the memory was full, and waited for the writer of a pipe."""
    pipe, device = tmp_path / f"pipe.{suffix}", tmp_path / f"device.{suffix}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for file in (pipe, device):
        with pytest.raises(ForgeError, match=f"FM5008.*not a readable .{suffix} file: it is not a regular file"):
            load_arrays([str(file)])
