"""Rows F2 to F6 of the catalogue of bad inputs: external data of a model."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hostile_models import compiled, model, refused, saved, value
from onnx import ModelProto, TensorProto, helper

from forge_mlir import ForgeError, compile
from forge_mlir.execute.run import run
from forge_mlir.importer import import_onnx
from forge_mlir.onnx_model.storage import external_data
from forge_mlir.reduce.cases import capture


def external(folder: Path, **entries: str) -> ModelProto:
    """y = x + w, with `w` (6 KB) in weights.bin at offset 64; `entries` replace those of its external data."""
    folder.mkdir(parents=True, exist_ok=True)
    array = np.arange(1536, dtype=np.float32)
    path = folder / "weights.bin"
    if not path.exists():
        path.write_bytes(bytes(64) + array.tobytes())
    tensor = TensorProto(name="w", dims=[1536], data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    wanted = {"location": "weights.bin", "offset": "64", "length": "6144", **entries}
    for key, entry in wanted.items():
        tensor.external_data.add(key=key, value=entry)
    proto = model([helper.make_node("Add", ["x", "w"], ["y"])], [value("x", [1536])], [value("y", [1536])])
    proto.graph.initializer.append(tensor)
    return proto


def reads_weights(path: Path, folder: Path) -> None:
    artifact = compiled(path, folder)
    got = run(artifact, {"x": np.zeros(1536, np.float32)})["y"]
    np.testing.assert_array_equal(got, np.arange(1536, dtype=np.float32))


def test_F2_more_than_two_gigabytes_inline(tmp_path: Path) -> None:
    """A sparse file that contains a tensor of 2.2 GB: sizes have 64 bits, and only needed data is read."""

    def varint(number: int) -> bytes:
        out = bytearray()
        while number > 0x7F:
            out.append(number & 0x7F | 0x80)
            number >>= 7
        return bytes([*out, number])

    count = 550_000_000
    proto = model([helper.make_node("Relu", ["w"], ["y"])], [], [value("y", [count])])
    tensor = TensorProto(name="w", dims=[count], data_type=TensorProto.FLOAT).SerializeToString()
    head = tensor + varint(9 << 3 | 2) + varint(4 * count)
    graph = proto.graph.SerializeToString() + varint(5 << 3 | 2) + varint(len(head) + 4 * count) + head
    proto.ClearField("graph")
    start = proto.SerializeToString() + varint(7 << 3 | 2) + varint(len(graph) + 4 * count) + graph
    path = tmp_path / "model.onnx"
    path.write_bytes(start)
    os.truncate(path, len(start) + 4 * count)
    (ref,) = import_onnx(path).weights.values()
    assert (ref.offset, ref.nbytes) == (len(start), 4 * count)
    os.truncate(path, len(start) + 4 * count - 1)
    refused(path, tmp_path)


@pytest.mark.parametrize(
    "entries",
    [
        {"location": "missing.bin"}, {"location": "empty.bin"}, {"location": "short.bin"}, {"offset": "65"},
        {"offset": "9223372036854775807"}, {"offset": "-1"}, {"offset": "x"}, {"offset": "1e3"}, {"offset": "\u0661"},
        {"length": "6145"}, {"length": "4"}, {"length": "-1"}, {"length": "99999999999999999999"}, {"length": "6144 "},
    ],
    ids=str,
)  # fmt: skip
def test_F2_ranges_of_external_data(entries: dict[str, str], tmp_path: Path) -> None:
    proto = external(tmp_path, **entries)
    (tmp_path / "empty.bin").touch()
    (tmp_path / "short.bin").write_bytes(bytes(72))
    refused(proto, tmp_path, "'w'")


def test_F2_declared_sizes_are_not_allocated(tmp_path: Path) -> None:
    proto = external(tmp_path, length=str(4 << 60))
    proto.graph.initializer[0].dims[:] = [1 << 60]
    refused(proto, tmp_path, "'w'")


def test_F2_overlaps_and_absent_lengths_are_fine(tmp_path: Path) -> None:
    proto = external(tmp_path)
    second = proto.graph.initializer.add()
    second.CopyFrom(proto.graph.initializer[0])
    second.name = "v"
    del second.external_data[2]
    proto.graph.node[0].input[0] = "v"
    del proto.graph.input[:]
    artifact = compiled(saved(proto, tmp_path), tmp_path)
    np.testing.assert_array_equal(run(artifact, {})["y"], 2 * np.arange(1536, dtype=np.float32))


LOCATIONS = [
    "/etc/passwd", "/dev/zero", "/proc/self/environ", "../weights.bin", "a/../../weights.bin", "a/../weights.bin",
    "C:\\weights.bin", "C:weights.bin", "\\\\host\\share", "\\weights.bin", "weights.bin\0", "\0", "file:///etc/passwd",
    "http://a/b", ".", "", "./", "folder", "fifo", "socket/../../x", "n" * 5000, "a/" * 3000,
]  # fmt: skip


@pytest.mark.parametrize("location", LOCATIONS, ids=lambda text: ascii(text)[:24])
def test_F3_locations(location: str, tmp_path: Path) -> None:
    (tmp_path / "m/folder").mkdir(parents=True)
    (tmp_path / "weights.bin").write_bytes(bytes(8192))
    os.mkfifo(tmp_path / "m/fifo")
    proto = external(tmp_path / "m", location=location, offset="0")
    start = time.monotonic()
    refused(proto, tmp_path / "m", "'w'")
    assert time.monotonic() - start < 60  # A pipe without a writer does not block.


@pytest.mark.parametrize("target", ["outside.bin", "/dev/zero", "/proc/self/environ", "gone"])
@pytest.mark.parametrize("parent", [False, True])
def test_F4_links_that_lead_out(target: str, parent: bool, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "outside.bin").write_bytes(bytes(8192))
    if parent:
        (folder / "link").symlink_to(outside)
        location = f"link/{target.strip('/')}"
    else:
        (folder / "link").symlink_to(outside / target)
        location = "link"
    refused(external(folder, location=location), folder, "'w'")


def test_F4_links_that_stay(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    proto = external(folder)
    (folder / "data").mkdir()
    (folder / "link.bin").symlink_to("weights.bin")
    os.link(folder / "weights.bin", folder / "hard.bin")
    (folder / "there").symlink_to("data")
    (folder / "data/w.bin").write_bytes((folder / "weights.bin").read_bytes())
    for location in ("link.bin", "hard.bin", "there/w.bin", "./data/w.bin"):
        proto = external(folder, location=location)
        reads_weights(saved(proto, folder), folder / "to")


def test_F4_the_hugging_face_cache(tmp_path: Path) -> None:
    blobs, revision = tmp_path / "blobs", tmp_path / "snapshots/abc/onnx"
    revision.mkdir(parents=True)
    proto = external(blobs)
    (blobs / "weights.bin").rename(blobs / "123")
    (blobs / "456").write_bytes(proto.SerializeToString())
    (revision / "model.onnx").symlink_to("../../../blobs/456")
    (revision / "weights.bin").symlink_to("../../../blobs/123")
    reads_weights(revision / "model.onnx", tmp_path / "to")
    case = capture(revision / "model.onnx", {"x": np.zeros(1536, np.float32)})
    np.testing.assert_array_equal(case.values["y"], np.arange(1536, dtype=np.float32))


def test_F4_a_model_in_the_hugging_face_cache_that_runs_as_a_whole(tmp_path: Path) -> None:
    """The importer has no values of four bits."""
    proto = external(tmp_path / "blobs")
    proto.opset_import[0].version = 23
    proto.graph.node.append(helper.make_node("Identity", ["four"], ["same"]))
    proto.graph.input.append(value("four", [2], TensorProto.FLOAT4E2M1))
    proto.graph.output.append(value("same", [2], TensorProto.FLOAT4E2M1))
    (tmp_path / "weights.bin").symlink_to("blobs/weights.bin")
    path = tmp_path / "model.onnx"
    path.write_bytes(proto.SerializeToString())
    artifact = compile(path, tmp_path / "to", fallback="cpu")
    got = run(artifact, {"x": np.zeros(1536, np.float32), "four": np.zeros(2, ml_dtypes.float4_e2m1fn)})["y"]
    np.testing.assert_array_equal(got, np.arange(1536, dtype=np.float32))


def test_F4_a_link_swapped_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the checks, and before the file is opened, it is replaced by a link."""
    proto = external(tmp_path / "m")
    (tmp_path / "secret").write_bytes(bytes(8192))
    path = tmp_path / "m/weights.bin"
    opened = external_data._regular_file

    def swapped(root: str, real: str) -> external_data.WeightFile:
        path.unlink()
        path.symlink_to(tmp_path / "secret")
        return opened(root, real)

    monkeypatch.setattr(external_data, "_regular_file", swapped)
    refused(proto, tmp_path / "m", "'w'")


def test_F5_unknown_and_doubled_keys(tmp_path: Path) -> None:
    proto = external(tmp_path, __class__="evil", basepath="/etc", evil="1")
    reads_weights(saved(proto, tmp_path), tmp_path)
    for key in ("offset", "location", "length", "checksum"):
        proto = external(tmp_path / "two", checksum="0" * 40)
        proto.graph.initializer[0].external_data.add(key=key, value="1")
        refused(proto, tmp_path / "two", "'w'", "two entries")


def test_F6_checksums(tmp_path: Path) -> None:
    external(tmp_path)
    sha1 = hashlib.sha1((tmp_path / "weights.bin").read_bytes()).hexdigest()
    reads_weights(saved(external(tmp_path, checksum=sha1), tmp_path), tmp_path)
    reads_weights(saved(external(tmp_path, checksum=sha1.upper()), tmp_path), tmp_path)
    bad = tmp_path / "bad"
    refused(external(bad, checksum="0" * 40), bad, "'w'", "checksum")
    refused(external(bad, checksum="nonsense"), bad, "'w'", "checksum")


def test_F6_a_data_file_that_changes_meanwhile(tmp_path: Path) -> None:
    path = saved(external(tmp_path), tmp_path)
    imported = import_onnx(path)
    (tmp_path / "weights.bin").write_bytes(bytes(8192))
    with pytest.raises(ForgeError, match="import it again"):
        next(iter(imported.weights.values())).array()
