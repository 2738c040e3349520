"""Statements that an emitted module contains only if it was edited."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.source.emitted_python import unexpected_python
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from sample_models.layers import numbered, stack
from sample_models.probe import FLOAT, build, mixed, node, partitioned, weights
from sample_models.repository import MODELS
from sample_models.tiny_language_model import tiny_language_model


def _stored(name: str) -> Callable[[], onnx.ModelProto]:
    return lambda: onnx.load(MODELS / name / "model.onnx")


def _lowered() -> list[Any]:
    """The module of a model whose Softmax is lowered by a lowering of the user."""

    def lower(n: Any, b: Any) -> Any:
        n.ignore_attr("axis")
        return b.softmax(n.input(0), dim=-1, stable=False)

    return [forge_mlir.lowering("", "Softmax")(lower)]


EMITTED: Mapping[str, tuple[Callable[[], onnx.ModelProto], dict[str, Any]]] = {
    "mixed": (mixed, {}),
    "flat": (lambda: stack(numbered(4)), {"flat": True}),
    "layers": (lambda: stack(numbered(4)), {}),
    "partitioned": (partitioned, {"fallback": "cpu"}),
    "tokens": (tiny_language_model, {"generate": Generation(24, [8])}),
    "past": (_stored("llama_with_past"), {"generate": Generation(24, [8])}),
    "blocks of names": (_stored("gpt2_block"), {}),
    "lowering": (_stored("vit"), {"lowerings": _lowered()}),
    "quantised": (_stored("resnet18_qdq"), {}),
    "loop of layers": (_stored("lstm"), {}),
    "narrow": (_stored("yolov8"), {"float_format": "bfloat16"}),
    "tiles": (_stored("swin"), {"layout": "tiles"}),
}


def _modules(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in directory.glob("*.py")}


def _without_bodies(source: str) -> str:
    """The module with other calls and weights, so that a comparison with it can only use the forms of its
    statements."""
    tree = ast.parse(source)
    for class_ in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for each in class_.body:
            if isinstance(each, ast.FunctionDef) and each.name not in ("process_framework_parameters", "fill_weights"):
                each.body = [ast.Pass()]
    return ast.unparse(tree)


@pytest.mark.parametrize("name", EMITTED)
def test_emitted_statements_are_accepted(name: str, tmp_path: Path) -> None:
    model, options = EMITTED[name]
    onnx.save(model(), tmp_path / "m.onnx")
    forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out", **options)
    modules = {file: source for file, source in _modules(tmp_path / "out").items() if "fill_weights" in source}
    assert modules
    for file, source in modules.items():
        assert unexpected_python(source, _without_bodies(source)) is None, file
        assert unexpected_python(source.replace("        return ", "        pass\n        return "), source) is not None


def test_emitted_statements_of_shape_sets_are_accepted(tmp_path: Path) -> None:
    text = '<ir_version: 10, opset_import: ["": 18]> net (float[n, 8] x) => (float[n, 8] y) { y = Relu(x) }'
    shapes = {"one": {"x": (1, 8)}, "two": {"x": (2, 8)}}
    forge_mlir.compile(onnx.parser.parse_model(text), tmp_path, name="net", shapes=shapes)
    for source in _modules(tmp_path).values():
        assert unexpected_python(source, _without_bodies(source)) is None


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    nodes = [node("MatMul", ["x", "w"], ["p"], "product"), node("Relu", ["p"], ["y"], "relu")]
    model = build(nodes, {"x": (FLOAT, [2, 8])}, {"y": FLOAT}, w=weights(8, 8))
    found: Artifact = forge_mlir.compile(model, tmp_path_factory.mktemp("source"), name="m")
    return found.source()


RELU = "        relu = "
UNEXPECTED = {
    "counter": "self.count = getattr(self, 'count', 0) + 1",
    "condition": "if product.value().sum() > 1e9: product = x",
    "global": "global STATE",
    "numpy": "product = numpy.abs(product)",
    "try": "try: product = x\n        except ValueError: pass",
    "random": "product = forge.op.Multiply('', product, random.random())",
    "while": "while False: pass",
    "with": "with torch.no_grad(): pass",
    "name of the package": "forge = forge.op.Relu('', product)",
    "another function": "print(product)",
    "a loop over values": "for n in (x, x): product = forge.op.Relu('', product)",
    "a value that is no operand": "product = forge.op.Multiply('', product, self.scale)",
    "an operand of the file": "product = forge.op.Multiply('', product, SCALE)",
    "a computed attribute": "product = forge.op.Clip('', product, min=float(x), max=1.0)",
    "an import": "import random",
    "a delete": "del product",
    "an assignment to two": "a = b = forge.op.Relu('', product)",
    "an early return": "return product",
    "an unknown method": "product = self.forward(product)",
    "an assertion": "assert True",
    "unpacked arguments": "product = forge.op.Relu(*('', product))",
    "unpacked names": "product = forge.op.Relu('', product, **{})",
}


@pytest.mark.parametrize("name", UNEXPECTED)
def test_an_added_statement_in_forward(name: str, source: str) -> None:
    edited = source.replace(RELU, f"        {UNEXPECTED[name]}\n{RELU}")
    found = unexpected_python(edited, source)
    assert found is not None
    assert found.line == edited[: edited.index(UNEXPECTED[name])].count("\n") + 1
    assert ast.unparse(ast.parse(f"def f():\n        {UNEXPECTED[name]}")).splitlines()[1].strip()[:57] in found.text


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("\nclass ", "\nSTATE = []\n\nclass ", "STATE = []"),
        ("(ForgeModule)", "(ForgeModule, metaclass=type)", "class M(ForgeModule, metaclass=type):"),
        ("(self, x):", "(self, x, scale=2):", "def forward(self, x, scale=2):"),
        ("    def forward", "    @torch.no_grad()\n    def forward", "@torch.no_grad()"),
        ("    def forward", "    count = 0\n\n    def forward", "count = 0"),
        ("\n    def process", "\n    def get_parameter(self, n):\n        return n\n\n    def process", "get_param"),
        ("tensor._value = None", "tensor._value *= 2", "def release(*tensors):"),
        ("super().__init__(name)", "super().__init__(name)\n        self.n = 0", "self.n = 0"),
        ("DataFormat.Float32", "DataFormat.Float16_b", "self.add_parameter('w', "),
        ("set_weight(weight", "set_weight(2 * weight", "def fill_weights(self, entries, weights):"),
    ],
)  # fmt: skip
def test_an_edit_outside_the_calls(old: str, new: str, text: str, source: str) -> None:
    assert old in source
    found = unexpected_python(source.replace(old, new, 1), source)
    assert found is not None
    assert text in found.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (RELU, "        # a remark\n        'text'\n" + RELU),
        (RELU, '        product = forge.op.Multiply("", product, forge.op.Constant("", constant=-1.0))\n' + RELU),
        (RELU, '        for n in range(2):\n            product = forge.op.Relu("", product)\n' + RELU),
        ("_(name)", '_(name)\n        self.add_constant("c", shape=(1,), dtype=torch.int32)'),
        ('"""Forge module', '"""My module'),
    ],
)  # fmt: skip
def test_other_calls_are_accepted(old: str, new: str, source: str) -> None:
    edited = source.replace(old, new, 1)
    assert edited != source
    assert unexpected_python(edited, source) is None


def test_a_syntax_error_names_its_line(source: str) -> None:
    line = source[: source.index(RELU)].count("\n") + 1
    with pytest.raises(ForgeError, match=rf"\[FM4001\] line {line}: not Python: "):
        unexpected_python(source.replace(RELU, "        relu = ("), source)
    with pytest.raises(ForgeError, match=r"\[FM4001\] line \d+: not Python: keyword argument repeated"):
        unexpected_python(source.replace(RELU, "        f(a=1, a=2)\n" + RELU), source)


def test_numbers_that_an_edit_computes(source: str) -> None:
    """A statement that the reader of calls does not understand is an error of the file."""
    from forge_mlir.artifact.source.parsed_calls import parsed_calls

    with pytest.raises(ForgeError, match=r"\[FM4001\] line \d+: expected a loop over numbers, but got x.shape"):
        parsed_calls(source.replace(RELU, "        for n in x.shape:\n            y = forge.op.Relu('', x)\n" + RELU))
    assert np.size(parsed_calls(source)) == 2
