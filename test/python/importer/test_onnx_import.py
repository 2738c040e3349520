"""Files that are not models, and damaged models."""

from __future__ import annotations

import os
import random
from pathlib import Path

import onnx
import pytest
from onnx import helper

from forge_mlir.errors import ForgeError
from forge_mlir.importer import OnnxImportError, import_onnx
from sample_models.importing import linear, model, refusal, save, value


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "git lfs pull"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\n <html><body>404", "web page"),
        (b"ir_version: 8\ngraph {\n}\n", "onnx.save"),
        (b"Not found\n", "text file"),
        (b"\x1f\x8b\x08\x00aaaa", "gzip"),
        (b"\x80\x02}q\x00.", "pickle"),
        (bytes(range(256)) * 4, "not a readable ONNX file"),
        (b"\0" * 100, "not a readable ONNX file"),
        (b"\x08\x08", "no graph"),
        (b"\x08", "not a readable ONNX file"),
        (b"\x3a\xff\xff\xff\xff\x7f", "past the end"),
        (b"\x3a" + b"\xff" * 12, "does not end"),
        (b"\x0b\x0c", "wire type 3"),
    ],
)
def test_not_a_model(content: bytes, word: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    error = refusal(path, word, "model.onnx")
    assert isinstance(error, ForgeError)


def test_not_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    refusal(tmp_path / "fifo", "not a regular file")
    refusal(tmp_path, "not a regular file")
    refusal(tmp_path / "none.onnx", "No such file")
    refusal(Path("nul\0.onnx"), "null byte")
    refusal(Path("/dev/zero"), "not a regular file")


def test_truncation_at_every_byte(tmp_path: Path) -> None:
    whole = save(linear(), tmp_path).read_bytes()
    path = tmp_path / "cut.onnx"
    # All bytes of both ends, and a sample of the middle, where the weight is.
    for size in [*range(len(whole) - 200, len(whole)), *range(200), *range(200, len(whole) - 200, 97)]:
        path.write_bytes(whole[:size])
        refusal(path, "cut.onnx")  # The opset is at the end, so that no prefix of the file is a model.


@pytest.mark.parametrize("count", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_flipped_bytes(count: int, tmp_path: Path) -> None:
    """The result is a valid module or an OnnxImportError that names the file."""
    sound, refused = 0, []
    body = helper.make_graph([helper.make_node("Relu", ["x"], ["t"])], "b", [], [value("t", 2, 3)])
    nodes = [
        helper.make_node("Constant", [], ["c"], value=helper.make_tensor("", onnx.TensorProto.BOOL, [], [True])),
        helper.make_node("If", ["c"], ["z"], then_branch=body, else_branch=body),
        helper.make_node("Softmax", ["z"], ["y"], axis=-1),
    ]
    whole = model(nodes, [value("x", 2, 3)], [value("y", 2, 3)]).SerializeToString()
    chance = random.Random(5)
    path = tmp_path / "bad.onnx"
    for _ in range(count):
        spoiled = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 8))):
            spoiled[chance.randrange(len(whole))] = chance.randrange(256)
        path.write_bytes(spoiled)
        try:
            import_onnx(path).module.operation.verify()
            sound += 1
        except OnnxImportError as error:
            refused.append(str(error))
    # The random numbers are seeded. Few bytes may have any value; most belong to the structure.
    assert sound > 0
    assert len(refused) > count * 2 / 3
    assert [text for text in refused if "bad.onnx" not in text] == []


def test_trailing_garbage(tmp_path: Path) -> None:
    path = save(linear(), tmp_path)
    path.write_bytes(path.read_bytes() + b"\xde\xad\xbe\xef")
    refusal(path, "not a readable ONNX file")


def test_unknown_fields_are_stepped_over(tmp_path: Path) -> None:
    path = save(linear(), tmp_path)
    extra = b"\xc0\x3e\x05" + b"\xca\x3e\x03abc" + b"\xcd\x3e1234" + b"\xc9\x3e12345678"  # field 1000, all types
    path.write_bytes(extra + path.read_bytes() + extra)
    assert len(import_onnx(path).weights) == 1


def test_two_graphs(tmp_path: Path) -> None:
    path = save(linear(), tmp_path)
    path.write_bytes(path.read_bytes() * 2)
    refusal(path, "a second field 7 of the model")


def test_training_info_is_dropped(tmp_path: Path) -> None:
    proto = linear()
    proto.training_info.add().algorithm.name = "sgd"
    assert import_onnx(save(proto, tmp_path)).warnings == ["training information in the model is ignored"]


def test_deep_nesting(tmp_path: Path) -> None:
    """Serialised by hand, because protobuf cannot write such nesting."""

    def field(number: int, payload: bytes) -> bytes:
        length, out = len(payload), bytearray([number << 3 | 2])
        while length > 0x7F:
            out.append(length & 0x7F | 0x80)
            length >>= 7
        return bytes((*out, length)) + payload

    graph = field(2, b"inner" * 300)
    for _ in range(2000):
        graph = field(1, field(4, b"If") + field(5, field(1, b"then_branch") + field(6, graph)))
    path = tmp_path / "deep.onnx"
    path.write_bytes(field(7, graph))
    refusal(path, "nested more than")
