"""`forge-mlir bug-report`: the archive reproduces the failure, and contains no weights."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path

import numpy as np
import onnx
import pytest
from google.protobuf.message import Message
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError
from forge_mlir.onnx_model.graph import messages_of_type
from forge_mlir.report.bug_report import bug_report
from sample_models.tools import run_command
from stock_ir.importing import TEXT, serialised, stock_module

SECRET = "secret"


def model() -> ModelProto:
    """A model in which every name contains the secret word; Det is refused."""
    x = helper.make_tensor_value_info(f"{SECRET}_x", TensorProto.FLOAT, [32, 32])
    y = helper.make_tensor_value_info(f"{SECRET}_y", TensorProto.FLOAT, None)
    weight = numpy_helper.from_array(np.full((32, 32), 7.625, np.float32), f"{SECRET}_w")
    body = helper.make_function(
        f"{SECRET}.domain", f"{SECRET}_function", [f"{SECRET}_in"], [f"{SECRET}_out"],
        [helper.make_node("Relu", [f"{SECRET}_in"], [f"{SECRET}_out"], f"{SECRET}_relu")], [helper.make_opsetid("", 18)]
    )  # fmt: skip
    nodes = [
        helper.make_node("MatMul", [x.name, weight.name], [f"{SECRET}_a"], f"{SECRET}_product"),
        helper.make_node(body.name, [f"{SECRET}_a"], [f"{SECRET}_b"], f"{SECRET}_call", domain=body.domain),
        helper.make_node("Det", [f"{SECRET}_b"], [y.name], f"{SECRET}_det", doc_string=SECRET),
    ]
    graph = helper.make_graph(nodes, f"{SECRET}_graph", [x], [y], [weight], doc_string=SECRET)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(body.domain, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, functions=[body], producer_name=SECRET)


def unpacked(archive: Path, to: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        tar.extractall(to, filter="data")
    return {path.name: path.read_bytes() for path in to.iterdir()}


@pytest.mark.parametrize("anonymous", [False, True])
def test_the_failure_is_reproduced(anonymous: bool, tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / f"{SECRET}.onnx")
    names = bug_report(tmp_path / f"{SECRET}.onnx", tmp_path / "r.tar.gz", anonymous=anonymous)
    assert names == ["README", "before.mlir", "model.onnx", "report.json"]
    files = unpacked(tmp_path / "r.tar.gz", tmp_path / "r")
    assert not any(np.float32(7.625).tobytes() * 8 in data for data in files.values())
    assert any(SECRET.encode() in data for data in files.values()) != anonymous
    facts = json.loads(files["report.json"])
    assert facts["stage"] == "before convert-onnx-to-forge, which fails"
    assert "Det" in facts["said"][0]
    assert b"onnx.Det" in files["before.mlir"]
    command = next(line.strip() for line in files["README"].decode().splitlines() if line.startswith("    truncate"))
    subprocess.run(command.split(), cwd=tmp_path / "r", check=True)
    again = run_command(*facts["command"][1:], cwd=tmp_path / "r")
    assert again.returncode == 3
    assert "Det" in again.stderr


def test_a_model_that_compiles_and_a_file_that_is_not_a_model(tmp_path: Path) -> None:
    proto = model()
    del proto.graph.node[-1]
    proto.graph.output[0].name = f"{SECRET}_b"
    onnx.save(proto, tmp_path / "net.onnx")
    bug_report(tmp_path / "net.onnx", tmp_path / "r.tar.gz", anonymous=True)
    assert json.loads(unpacked(tmp_path / "r.tar.gz", tmp_path / "r")["report.json"])["stage"] == "after all passes"
    (tmp_path / "none.onnx").write_bytes(b"\xff\xff")
    with pytest.raises(ForgeError, match="not a readable ONNX file"):
        bug_report(tmp_path / "none.onnx", tmp_path / "r.tar.gz")


PLANTED = 123456.75
VALUES = ("TensorProto", "AttributeProto")
FORMS = [np.float32, np.float64, np.float16, np.int64, np.int32, np.uint64, np.int16, np.uint8]


def filled(message: Message, depth: int) -> None:
    """Sets every field of ONNX's protobuf: each string to the secret word, each number of a tensor or an attribute to
    the planted one."""
    for field in message.DESCRIPTOR.fields:
        if field.message_type is not None:
            if depth:
                inner = getattr(message, field.name)
                filled(inner.add() if field.is_repeated else inner, depth - 1)
            continue
        if field.type == field.TYPE_ENUM:
            continue
        text = field.type in (field.TYPE_STRING, field.TYPE_BYTES)
        whole = field.type not in (field.TYPE_FLOAT, field.TYPE_DOUBLE)
        value: object = SECRET if text else int(PLANTED) if whole else PLANTED
        if field.type == field.TYPE_BYTES:
            value = SECRET.encode()
        if not text and (message.DESCRIPTOR.name not in VALUES or field.name in ("dims", "data_type")):
            value = 1
        elif field.name == "raw_data":
            value = np.float32(PLANTED).tobytes() + SECRET.encode()
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)


def archive_of(proto: ModelProto, folder: Path, anonymous: bool) -> bytes:
    """All bytes of the archive of a model."""
    (folder / f"{SECRET}.onnx").write_bytes(proto.SerializeToString())
    bug_report(folder / f"{SECRET}.onnx", folder / "r.tar.gz", anonymous=anonymous)
    return b"\n".join(unpacked(folder / "r.tar.gz", folder / "r").values())


@pytest.mark.parametrize("anonymous", [False, True])
def test_no_text_and_no_number_of_any_field(anonymous: bool, tmp_path: Path) -> None:
    proto = ModelProto()
    filled(proto, 8)
    proto.MergeFromString(b"\xfa\x7f\x06" + SECRET.encode())  # An unknown field.
    assert proto.SerializeToString().count(SECRET.encode()) > 500
    data = archive_of(proto, tmp_path, anonymous)
    numbers = [np.float32(PLANTED).tobytes(), b"123456"]
    assert not any(number in data for number in numbers if anonymous)
    if anonymous:
        assert SECRET.encode() not in data
    kept = ModelProto.FromString((tmp_path / "r" / "model.onnx").read_bytes())
    for tensor in messages_of_type(kept, TensorProto):
        assert not set(numpy_helper.to_array(tensor).tobytes() if tensor.data_type == 1 else b"") - set(b"\0\x80\x3f")
        assert [*tensor.float_data, *tensor.int64_data, *tensor.int32_data, *tensor.double_data] == []
        assert SECRET.encode() not in (tensor.raw_data, *tensor.string_data)


@pytest.mark.alike(keep=16)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [1, 7, 300, 70000])
def test_no_value_of_a_weight(form: type[np.generic], size: int, tmp_path: Path) -> None:
    """As an initializer, a Constant, or the default of an input; as raw or as typed data."""
    number = form(77) if form is np.uint8 else form(12345.5 if np.issubdtype(form, np.floating) else 12345)
    array = np.full(size, number, form)
    tensor = numpy_helper.from_array(array, "w")
    typed = helper.make_tensor("t", tensor.data_type, [size], array)
    nodes = [
        helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(array)),
        helper.make_node("Add", ["w", "t"], ["a"]),
        helper.make_node("Add", ["a", "c"], ["y"]),
    ]
    info = helper.make_tensor_value_info("y", tensor.data_type, [size])
    graph = helper.make_graph(nodes, "g", [], [info], [tensor, typed])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    data = archive_of(proto, tmp_path, anonymous=False)
    if form is not np.uint8:
        assert number.tobytes() not in data
    assert b"12345" not in data
    assert b"dense<77" not in data


def test_integers_that_determine_shapes_are_kept(tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 17]> secret_g (float[2, 12] secret_x) => (float[3, 8] secret_y)
        <int64[1] secret_three = {3}, int64[1] secret_eight = {8}, int64[2] secret_rows = {1, 0}> {
        secret_shape = Concat <axis = 0> (secret_three, secret_eight)
        secret_g2 = Gather <axis = 0> (secret_x, secret_rows)
        secret_y = Reshape (secret_g2, secret_shape)
    }"""
    archive_of(onnx.parser.parse_model(text), tmp_path, anonymous=True)
    kept = ModelProto.FromString((tmp_path / "r" / "model.onnx").read_bytes())
    assert [numpy_helper.to_array(tensor).tolist() for tensor in kept.graph.initializer] == [[3], [8], [0, 0]]
    assert [node.op_type for node in kept.graph.node] == ["Concat", "Gather", "Reshape"]
    assert json.loads((tmp_path / "r" / "report.json").read_text())["stage"] == "after all passes"


@pytest.mark.parametrize("anonymous", [False, True])
def test_scales_in_a_list_are_kept(anonymous: bool, tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 18]> secret_g (float[1, 1, 2, 2] x) => (float[1, 1, 4, 4] y) {
        scales = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> () p = Constant <value_floats = [5.0]> ()
        r = Resize (x, , scales) y = Mul (r, p)
    }"""
    archive_of(onnx.parser.parse_model(text), tmp_path, anonymous)
    kept = ModelProto.FromString((tmp_path / "r" / "model.onnx").read_bytes())
    assert [list(node.attribute[0].floats) for node in kept.graph.node[:2]] == [[1, 1, 2, 2], [1]]


def test_words_of_onnx_are_kept_and_others_are_replaced(tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 17]>
        g (float[1, 1, 4, 4] x, float[1, 1, 3, 3] w) => (float[1, 1, 4, 4] y) {
        a = Conv <auto_pad = "SAME_UPPER", strides = [1, 1]> (x, w)
        b = Einsum <equation = "secr,secr->secr"> (a, a)
        y = Elu <alpha = 0.7654321> (b)
    }"""
    archive_of(onnx.parser.parse_model(text), tmp_path, anonymous=True)
    conv, einsum, elu = ModelProto.FromString((tmp_path / "r" / "model.onnx").read_bytes()).graph.node
    assert {a.name: a.s or list(a.ints) for a in conv.attribute} == {"auto_pad": b"SAME_UPPER", "strides": [1, 1]}
    assert [a.s for a in einsum.attribute] == [b"abcd,abcd->abcd"]
    assert [a.f for a in elu.attribute] == [1.0]


def test_constants_with_the_long_name_of_the_domain(tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 17]> g (float[2, 12] x) => (float[3, 8] y, int64[2] i) {
        f = ai.onnx.Constant <value_float = 3.140625> ()
        i = ai.onnx.Constant <value_ints = [424242, 434343]> ()
        s = ai.onnx.Constant <value_ints = [3, 8]> ()
        a = Add (x, f)
        y = ai.onnx.Reshape (a, s)
    }"""
    (tmp_path / "r").mkdir()
    onnx.save(onnx.parser.parse_model(text), tmp_path / "model.onnx")
    bug_report(tmp_path / "model.onnx", tmp_path / "r.tar.gz")
    files = unpacked(tmp_path / "r.tar.gz", tmp_path / "r")
    kept = ModelProto.FromString(files["model.onnx"]).graph.node[:3]
    assert [onnx.helper.get_attribute_value(node.attribute[0]) for node in kept] == [1.0, [0, 0], [3, 8]]
    assert json.loads(files["report.json"])["stage"] == "after all passes"


def test_the_command_in_the_readme_is_one_for_a_shell(tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / "model.onnx")
    bug_report(tmp_path / "model.onnx", tmp_path / "r.tar.gz", extract_outputs=["a b; touch c"])
    readme = unpacked(tmp_path / "r.tar.gz", tmp_path / "r")["README"].decode()
    assert "--extract-outputs 'a b; touch c'" in readme


@pytest.mark.parametrize("chosen", ["bfloat16", "mixed"])
def test_names_in_options_are_left_out(chosen: str, tmp_path: Path) -> None:
    onnx.save(
        onnx.parser.parse_model(f"""<ir_version: 9, opset_import: ["": 18]>
        g (float[2] {SECRET}_x) => (float[2] {SECRET}_y) {{ {SECRET}_y = Relu({SECRET}_x) }}"""),
        tmp_path / "model.onnx",
    )
    options = {"float_format": chosen, "keep_float32": [f"{SECRET}*"], "bind": {SECRET: np.ones(2, np.float32)}}
    options |= {"ranges": {SECRET: (0, 1)}, "dims": {SECRET: 1}, "input_shapes": {f"{SECRET}_x": [2]}}
    options |= {
        "extract_outputs": [f"{SECRET}_y"],
        "overridable": [SECRET],
        "cpu_ops": [SECRET],
        "device_ops": [SECRET],
    }
    bug_report(tmp_path / "model.onnx", tmp_path / "r.tar.gz", anonymous=True, **options)  # type: ignore[arg-type]
    files = unpacked(tmp_path / "r.tar.gz", tmp_path / "r")
    assert SECRET.encode() not in b"".join(files.values())
    assert json.loads(files["report.json"])["stage"] == "after all passes"


@pytest.mark.parametrize("anonymous", [False, True])
def test_a_model_in_mlir(anonymous: bool, tmp_path: Path) -> None:
    """It was refused as no ONNX file."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [32, 32])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [])
    weight = numpy_helper.from_array(np.full((32, 32), 7.625, np.float32), "w")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"]), helper.make_node("Det", ["a"], ["y"])]
    given = helper.make_model(helper.make_graph(nodes, "g", [x], [y], [weight]), ir_version=10)
    (tmp_path / "m.mlir").write_bytes(serialised(stock_module(given), TEXT))
    names = bug_report(tmp_path / "m.mlir", tmp_path / "r.tar.gz", anonymous=anonymous)
    assert names == ["README", "before.mlir", "model.onnx", "report.json"]
    files = unpacked(tmp_path / "r.tar.gz", tmp_path / "r")
    assert json.loads(files["report.json"])["stage"] == "before convert-onnx-to-forge, which fails"
    assert not any(np.float32(7.625).tobytes() * 8 in data for data in files.values())
    (tmp_path / "bad.mlir").write_text("no MLIR")
    with pytest.raises(ForgeError, match=r"bad\.mlir: cannot be read as MLIR"):
        bug_report(tmp_path / "bad.mlir", tmp_path / "r.tar.gz", force=True)
