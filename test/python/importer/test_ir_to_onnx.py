"""IR of torch-mlir's own importer is processed by the passes on the ONNX graph, too, with the same results as the
file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.cli.app import app
from forge_mlir.importer import import_onnx
from sample_models.goldens import assert_same
from sample_models.importing import model, value
from stock_ir.importing import BYTECODE, FORMS, TEXT, serialised, stock_module

MODELS = Path(__file__).parents[3] / "models"
STORED = sorted(file.parent.name for file in MODELS.glob("*/model.onnx"))
SUFFIX = {TEXT: ".mlir", BYTECODE: ".mlirbc"}
HEADER = '<ir_version: 8, opset_import: ["" : 17]>'


def written(proto: ModelProto, form: str, directory: Path) -> Path:
    """The stock importer's IR of a model, in a file."""
    file = directory / f"model{SUFFIX[form]}"
    file.write_bytes(serialised(stock_module(proto), form))
    return file


def results(source: Path, given: list[np.ndarray], directory: Path) -> list[np.ndarray]:
    """The outputs of a compiled model; inputs and outputs are matched by position, because the text has no names."""
    names = [entry.name for entry in import_onnx(source).inputs]
    shapes = {name: array.shape for name, array in zip(names, given, strict=True)}
    artifact = forge_mlir.compile(source, directory, input_shapes=shapes)
    session = forge_mlir.InferenceSession(artifact)
    return session.run(None, dict(zip(names, given, strict=True)))


def same(proto: ModelProto, given: list[np.ndarray], form: str, directory: Path) -> None:
    onnx.save(proto, directory / "model.onnx")
    expected = results(directory / "model.onnx", given, directory / "file")
    found = results(written(proto, form, directory), given, directory / "ir")
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_every_stored_model_is_here() -> None:
    assert {"mixtral", "bert", "llama", "resnet18"} <= set(STORED)


@pytest.mark.alike(keep=4)
@pytest.mark.parametrize("name", STORED)
def test_stored_models_give_the_results_of_the_file(name: str, tmp_path: Path) -> None:
    proto = onnx.load(MODELS / name / "model.onnx")
    with np.load(MODELS / name / "inputs.npz") as saved:
        given = [saved[entry.name] for entry in proto.graph.input if entry.name in saved]
    expected = results(MODELS / name / "model.onnx", given, tmp_path / "file")
    found = results(written(proto, TEXT, tmp_path), given, tmp_path / "ir")
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("form", FORMS)
def test_subgraphs_and_left_out_inputs(form: str, tmp_path: Path) -> None:
    proto = parser.parse_model(
        HEADER
        + """g (float[4] x) => (float[4] y, float[4] z, float[4] same)
        <int64 five = {3}, bool yes = {1}, float low = {0.5}> {
          y = Loop (five, yes, x) <body = body (int64 i, bool c, float[4] a) => (bool d, float[4] b)
            { d = Identity (c) b = Add (a, x) }>
          z = Clip (x, , low)
          same = Identity (x)
        }"""
    )
    same(proto, [np.arange(4, dtype=np.float32) - 1], form, tmp_path)


def test_functions_that_the_stock_importer_expands(tmp_path: Path) -> None:
    text = HEADER + "g (float[1,2,3,3] x) => (float[1,2,3,3] y) { y = MeanVarianceNormalization (x) }"
    file = written(parser.parse_model(text), TEXT, tmp_path)
    assert "private" in file.read_text()
    given = [np.random.default_rng(0).random((1, 2, 3, 3)).astype(np.float32)]
    (found,) = results(file, given, tmp_path / "ir")
    centred = given[0] - given[0].mean((0, 2, 3), keepdims=True)
    expected = centred / np.sqrt((given[0] ** 2).mean((0, 2, 3)) - given[0].mean((0, 2, 3)) ** 2)[:, None, None]
    assert_same(found, expected)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "bool", "uint8", "int4", "float64"])
def test_constants_keep_their_bytes(dtype: str, tmp_path: Path) -> None:
    from forge_mlir.onnx_model.dtypes import element_by_name

    values = np.array([0, 1, 1, 0, 1]).astype(element_by_name(dtype).numpy)
    weight = numpy_helper.from_array(values, "w")
    nodes = [helper.make_node("Cast", ["w"], ["c"], to=TensorProto.FLOAT), helper.make_node("Add", ["x", "c"], ["y"])]
    proto = model(nodes, [value("x", 5)], [value("y", 5)], [weight], opsets={"": 21})
    same(proto, [np.arange(5, dtype=np.float32)], TEXT, tmp_path)


def test_text_of_our_tools_is_read(tmp_path: Path) -> None:
    """They have another version of MLIR, which packs large constants of i1 to bits."""
    mask = numpy_helper.from_array(np.arange(256).reshape(16, 16) % 3 == 0, "mask")
    nodes = [
        helper.make_node("Constant", [], ["m"], value=mask),
        helper.make_node("Where", ["m", "x", "zero"], ["y"]),
    ]
    zero = numpy_helper.from_array(np.float32(0), "zero")
    onnx.save(model(nodes, [value("x", 16, 16)], [value("y", 16, 16)], [zero]), tmp_path / "model.onnx")
    told = CliRunner().invoke(
        app, ["import", str(tmp_path / "model.onnx"), "--inline-weights", "-o", str(tmp_path / "model.mlir")]
    )
    assert told.exit_code == 0, told.output
    assert "0x" in (tmp_path / "model.mlir").read_text()
    given = [np.ones((16, 16), np.float32)]
    (found,) = results(tmp_path / "model.mlir", given, tmp_path / "ir")
    np.testing.assert_array_equal(found, np.arange(256).reshape(16, 16) % 3 == 0)


def test_bytecode_keeps_names(tmp_path: Path) -> None:
    nodes = [helper.make_node("Relu", ['an "input"\n'], ["y"], "a node")]
    file = written(model(nodes, [value('an "input"\n', 4)], [value("y", 4)]), BYTECODE, tmp_path)
    imported = import_onnx(file, keep_graph=True)
    assert [entry.name for entry in imported.inputs] == ['an "input"\n']
    assert imported.graph is not None
    assert imported.graph.graph.node[0].name == "a node"
    artifact = forge_mlir.compile(file, tmp_path / "out")
    assert "\nan" not in artifact.module_path.read_text()


def test_verify_compares_with_the_model_of_the_ir(tmp_path: Path) -> None:
    nodes = [helper.make_node("Softmax", ["x"], ["y"])]
    file = written(model(nodes, [value("x", 2, 4)], [value("y", 2, 4)]), TEXT, tmp_path)
    verification = forge_mlir.verify(file)
    assert verification.outputs
    assert verification.verdict == "right"


MODULE = """func.func @f(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  attributes {{torch.onnx_meta.opset_version = 17 : si64{opsets}}} {{
  %0 = {op} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}}
"""


@pytest.mark.parametrize(
    ("op", "opsets", "reason"),
    [
        ('"evil.\\1B[31m"(%x)', "", r"is no ONNX op"),
        ('torch.operator "aten.relu"(%x)', "", "'aten.relu' is no ONNX op"),
        ('torch.operator "onnx.Relu"(%x) {other = 1}', "", "its attribute 'other' is none of ONNX"),
        (
            'torch.operator "onnx.Relu"(%x) {torch.onnx.value = dense_resource<gone> : tensor<4xf32>}',
            "",
            "the resource 'gone', has 0 bytes, but its type needs 16",
        ),
        (
            'torch.operator "onnx.Attention"(%x)',
            ", torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64, other = 1 : si64}",
            "its domain is not in the IR",
        ),
        ('torch.operator "onnx.Relu"(%x', "", "cannot be read as MLIR"),
        (
            'torch.operator "onnx.Relu"(%x)',
            ', torch.onnx_meta.opset_versions = "none"',
            "it is no IR of an ONNX model: Cannot cast attribute to DictAttr",
        ),
    ],
)
def test_ir_without_an_onnx_form_is_refused_by_name(op: str, opsets: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(MODULE.format(op=op, opsets=opsets))
    with pytest.raises(ForgeError, match=reason) as caught:
        forge_mlir.compile(file, tmp_path / "out")
    assert caught.value.code != "FM9001"
    assert "\x1b" not in str(caught.value)


def test_the_importers_own_ir_needs_its_model(tmp_path: Path) -> None:
    file = tmp_path / "m.mlir"
    file.write_text('module attributes {forge.weights = "m.weights.json"} {}')
    with pytest.raises(ForgeError, match="compile the ONNX file that it is from"):
        import_onnx(file)
