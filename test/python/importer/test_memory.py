"""Weights are never loaded: a model far larger than the memory that the import may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from onnx import TensorProto, helper

from forge_mlir.importer import import_onnx
from sample_models.importing import model, value

ROWS, COLUMNS = 1 << 16, 1 << 12  # 1 GiB of float32


def anonymous() -> int:
    text = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("RssAnon:"))


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("where", ["inline", "external"])
def test_a_weight_of_a_gigabyte(where: str, tmp_path: Path) -> None:
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    proto = model([node], [value("x", 1, ROWS)], [value("y", 1, COLUMNS)])
    nbytes = ROWS * COLUMNS * 4
    path = tmp_path / "model.onnx"
    weight = TensorProto(name="w", dims=[ROWS, COLUMNS], data_type=TensorProto.FLOAT)
    if where == "external":
        weight.data_location = TensorProto.EXTERNAL
        weight.external_data.add(key="location", value="w.bin")
        proto.graph.initializer.append(weight)
        path.write_bytes(proto.SerializeToString())
        with (tmp_path / "w.bin").open("wb") as stream:
            stream.truncate(nbytes)
    else:
        graph = proto.graph.SerializeToString()
        proto.ClearField("graph")
        head = weight.SerializeToString() + b"\x4a" + varint(nbytes)
        tensor = b"\x2a" + varint(len(head) + nbytes) + head
        start = proto.SerializeToString() + b"\x3a" + varint(len(graph) + len(tensor) + nbytes) + graph + tensor
        path.write_bytes(start)
        os.truncate(path, len(start) + nbytes)  # The weight is a hole in the sparse file.
    before = anonymous()
    imported = import_onnx(path)
    assert anonymous() - before < 64 << 20
    (ref,) = imported.weights.values()
    assert ref.nbytes == nbytes
    assert ref.array().shape == (ROWS, COLUMNS)
    assert next(iter(ref.chunks(4096))) == bytes(4096)
