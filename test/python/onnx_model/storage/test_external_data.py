"""The files that a model may name for its weights."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto

from forge_mlir.importer import import_onnx
from sample_models.importing import entry, external, refusal, weights


@pytest.mark.parametrize(
    "location",
    ["", ".", "..", "../weights.bin", "a/../weights.bin", "a/../../b", "/etc/passwd", "/dev/zero", "/proc/self/environ",
     "C:\\w.bin", "\\\\host\\share", "a\\b", "w\0.bin", "http://example.com/w", "file:///etc/passwd", "folder", "fifo",
     "missing.bin", "./", "\x1b[31m.bin"],
)  # fmt: skip
def test_locations_that_are_refused(location: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    refusal(external(tmp_path, lambda t: entry(t, "location", location)), "tensor 'w'", "external data")


@pytest.mark.parametrize(
    ("key", "text", "word"),
    [
        ("offset", "-1", "no byte count"),
        ("offset", "12x", "no byte count"),
        ("offset", "٣", "no byte count"),
        ("offset", "9" * 30, "no byte count"),
        ("offset", "65", "which has 2112"),
        ("offset", "9223372036854775807", "which has 2112"),
        ("length", "4", "length 4"),
        ("length", "0", "length 0"),
        ("length", "4096", "length 4096"),
        ("length", "-2048", "no byte count"),
    ],
)
def test_ranges_that_are_refused(key: str, text: str, word: str, tmp_path: Path) -> None:
    refusal(external(tmp_path, lambda t: entry(t, key, text)), "tensor 'w'", word)


def test_duplicate_and_unknown_keys(tmp_path: Path) -> None:
    def doubled(tensor: TensorProto) -> None:
        tensor.external_data.add(key="offset", value="0")

    refusal(external(tmp_path, doubled), "two entries for offset")
    imported = import_onnx(external(tmp_path, lambda t: entry(t, "__class__", "os.system")))
    assert len(imported.weights) == 1


def test_length_and_offset_may_be_left_out(tmp_path: Path) -> None:
    def bare(tensor: TensorProto) -> None:
        del tensor.external_data[1:]

    (weight,) = import_onnx(external(tmp_path, bare)).weights.values()
    assert (weight.offset, weight.nbytes) == (0, 2048)


def test_short_and_empty_files(tmp_path: Path) -> None:
    path = external(tmp_path)
    for size in (0, 8, 64 + 2047):
        (tmp_path / "weights.bin").write_bytes(bytes(size))
        refusal(path, "external data needs bytes 64 to 2112", f"which has {size}")


def test_data_inside_and_outside(tmp_path: Path) -> None:
    refusal(external(tmp_path, lambda t: setattr(t, "raw_data", weights(32, 16).tobytes())), "external data too")


def test_a_forged_mark_is_only_a_missing_file(tmp_path: Path) -> None:
    refusal(external(tmp_path, lambda t: entry(t, "location", "forge-weight:0")), "is missing")


def test_a_model_in_memory_says_how_to_go_on(tmp_path: Path) -> None:
    import onnx

    proto = onnx.load(external(tmp_path), load_external_data=False)
    refusal(proto, "import the model by its path")


def links_out(folder: Path) -> None:
    (folder.parent / "secret.bin").write_bytes(bytes(4096))
    (folder / "weights.bin").unlink()
    (folder / "weights.bin").symlink_to(folder.parent / "secret.bin")


def parent_links_out(folder: Path) -> None:
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "weights.bin").write_bytes(bytes(4096))
    (folder / "weights.bin").unlink()
    (folder / "sub").symlink_to(folder.parent / "other")


@pytest.mark.parametrize(
    ("make", "location"), [(links_out, "weights.bin"), (parent_links_out, "sub/weights.bin")], ids=["file", "parent"]
)
def test_links_out_of_the_directory(make: Callable[[Path], None], location: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    path = external(folder, lambda t: entry(t, "location", location))
    make(folder)
    refusal(path, "leads out of the model's directory")


def check(path: Path) -> None:
    (weight,) = import_onnx(path).weights.values()
    np.testing.assert_array_equal(weight.array(), weights(32, 16))


def test_links_within_the_directory_and_hard_links(tmp_path: Path) -> None:
    path = external(tmp_path, lambda t: entry(t, "location", "sub/link.bin"))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link.bin").symlink_to(tmp_path / "weights.bin")
    check(path)
    (tmp_path / "sub" / "link.bin").unlink()
    os.link(tmp_path / "weights.bin", tmp_path / "sub" / "link.bin")
    check(path)


def test_hugging_face_cache(tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "abc" / "onnx"
    blobs.mkdir()
    snapshot.mkdir(parents=True)
    external(tmp_path)
    for blob, name in (("11aa", "model.onnx"), ("22bb", "weights.bin")):
        (tmp_path / name).rename(blobs / blob)
        (snapshot / name).symlink_to(Path("..") / ".." / ".." / "blobs" / blob)
    check(snapshot / "model.onnx")


def test_a_linked_model_finds_the_data_beside_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    path = external(tmp_path / "real")
    (tmp_path / "link.onnx").symlink_to(path)
    check(tmp_path / "link.onnx")


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    external(tmp_path)
    monkeypatch.chdir(tmp_path)
    imported = import_onnx("model.onnx")
    monkeypatch.chdir("/")
    (weight,) = imported.weights.values()
    np.testing.assert_array_equal(weight.array(), weights(32, 16))
