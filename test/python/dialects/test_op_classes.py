"""The op classes and builders of `forge_mlir.dialects.forge`."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.dialects import forge
from sample_models.forge_builders import USES, Make, function


def _forge_ops(module: ir.Module) -> list[ir.OpView]:
    body = module.body.operations[0].regions[0].blocks[0]
    return [op for op in body.operations if op.operation.name.startswith("forge.")]


def test_every_op_has_a_use() -> None:
    # forge.run needs the function that it names, and has no type inference.
    inferring = {op.OPERATION_NAME for op in forge.OP_CLASSES} - {"forge.run"}
    assert {f"forge.{name}" for name in USES} == inferring


@pytest.mark.parametrize("name", USES)
def test_builder_infers_types_and_cxx_accepts_the_op(name: str) -> None:
    build, expected = USES[name]
    module = function(build)
    (op,) = _forge_ops(module)
    assert str(op.results[0].type) == f"tensor<{expected}>"
    assert forge_mlir.verify_module(module) == []
    before = {key: str(value) for key, value in op.attributes.items()}
    forge_mlir.run_pipeline(module, "builtin.module()")
    (op,) = _forge_ops(module)
    assert type(op) is type(op.operation.opview)
    assert op.operation.name == f"forge.{name}"
    assert isinstance(op, forge.OP_CLASSES)
    assert {key: str(value) for key, value in op.attributes.items()} == before
    assert str(op.location) == 'loc("node")'
    with module.context:
        again = ir.Module.parse(str(module))
    assert str(again) == str(module)


def test_accessors_of_a_parsed_op() -> None:
    module = function(lambda t: forge.matmul(forge.index(t(2, 3), dim=-1, start=0, stop=3, stride=1), t(3, 4)))
    forge_mlir.run_pipeline(module, "builtin.module(cse)")
    index, matmul = _forge_ops(module)
    assert isinstance(index, forge.IndexOp)
    assert isinstance(matmul, forge.MatmulOp)
    assert (index.dim.value, index.stop.value) == (-1, 3)
    assert matmul.operandA == index.result
    assert matmul.bias is None
    assert str(matmul.result.type) == "tensor<2x4xf32>"
    with module.context:
        index.dim = ir.Attribute.parse("1 : i64")
    assert forge_mlir.verify_module(module) == []


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (
            lambda t: forge.index(t(2, 3), dim=2, start=0, stop=1, stride=1),
            "(C1) expected 'dim' inside rank 2, but got 2",
        ),
        (lambda t: forge.add(t(2, 3), t(4)), "forge.add"),
        (lambda t: forge.add(t(2, 3), t(2, 3, dtype="i32")), "forge.add"),
        (lambda t: forge.add(t(2, 3, dtype="index"), t(2, 3)), "operand #0 must be"),
        (lambda t: forge.gelu(t(2), "erf"), "one of 'none', 'tanh'"),
        (lambda t: forge.index(t(2), dim=ir.StringAttr.get("x"), start=0, stop=1, stride=1), "64-bit signed integer"),
        (lambda _: forge.concatenate([], axis=0), "(C1) expected at least one operand"),
        (lambda t: forge.split(t(10), dim=0, sizes=[2**62, 2**62]), "(C3) expected 'sizes' that add up to 10"),
        (lambda t: forge.exp(t("?")), "operand #0 must be"),
    ],
)
def test_broken_constraint_raises_before_there_is_ir(build: Callable[[Make], Any], text: str) -> None:
    with pytest.raises(ForgeError) as caught:
        function(build)
    assert text in str(caught.value)
    assert all(diagnostic.severity == "error" for diagnostic in caught.value.diagnostics)


@pytest.mark.parametrize("bad", ["a", 1.5, None, [1]])
def test_attribute_of_the_wrong_python_type(bad: object) -> None:
    with pytest.raises(TypeError):
        function(lambda t: forge.cum_sum(t(2, 3), dim=bad))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3), (300,)])
def test_constants_of_numpy_arrays(dtype: str, shape: tuple[int, ...]) -> None:
    values = (np.arange(np.prod(shape, dtype=int)) % 2).reshape(shape).astype(dtype)
    module = function(lambda _: forge.constant(values))
    (op,) = _forge_ops(module)
    assert tuple(op.result.type.shape) == shape
    element = {"bool": "i1", "uint8": "ui8"}.get(dtype, dtype.replace("float", "f").replace("int", "i"))
    assert str(op.result.type.element_type) == element
    before = str(op.value)
    forge_mlir.run_pipeline(module, "builtin.module()")
    assert str(_forge_ops(module)[0].value) == before


def test_verify_finds_wrong_result_types_that_a_builder_accepted() -> None:
    def build(t: Make) -> Any:
        x = t(2, 3)
        return forge.AddOp(  # type: ignore[no-untyped-call]
            x, x, results=[ir.Type.parse("tensor<7xf32>")]
        ).result

    module = function(build)
    assert module.operation.verify()
    with pytest.raises(ForgeError, match="the module is not valid") as caught:
        forge_mlir.verify_module(module)
    first = caught.value.diagnostics[0]
    assert first.onnx_node == "node"
    assert "tensor<7xf32>" in str(caught.value)


def test_register_twice_and_in_many_contexts() -> None:
    for _ in range(3):
        context = ir.Context()
        forge_mlir.register(context)
        forge_mlir.register(context)
        with context:
            module = ir.Module.parse('"forge.add"() : () -> ()')
        assert isinstance(module.body.operations[0], forge.AddOp)


def test_text_and_bytecode_of_built_ops() -> None:
    module = function(lambda t: forge.split(t(10, 4), dim=0, sizes=[2, 3, 5]))
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    with module.context:
        assert str(ir.Module.parse(buffer.getvalue())) == str(module)


def test_imports_are_lazy() -> None:
    """All imports in one process, in this order."""
    names = ("forge_mlir", "forge_mlir.errors", "forge_mlir.runtime", "forge_mlir.emitted")
    code = f"""
import importlib, sys
for name in {names}:
    importlib.import_module(name)
    print(name, [each for each in ('torch_mlir', 'onnx', 'forge_mlir._native') if each in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert done.stdout.splitlines() == [f"{name} []" for name in names], done.stderr


def test_lazy_names() -> None:
    assert set(forge_mlir.__all__) <= set(dir(forge_mlir))
    for name in forge_mlir.__all__:
        assert getattr(forge_mlir, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = forge_mlir.nothing
