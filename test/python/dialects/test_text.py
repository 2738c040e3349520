"""The custom assembly of forge ops from Python, which only our C++ can print and parse: `verify`, `text`, `parse` and
the op classes."""

from __future__ import annotations

from typing import Any

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.dialects import forge
from forge_mlir.dialects.crossing import bytecode
from sample_models.forge_builders import USES, function


def _ops(module: ir.Module) -> list[Any]:
    return list(module.body.operations[0].regions[0].blocks[0])


def _two() -> ir.Module:
    return function(lambda t: forge.index(forge.relu(t(2, 12)), dim=-1, start=0, stop=10, stride=2))


def test_an_op_prints_in_custom_form_with_the_names_of_the_module() -> None:
    module = _two()  # torch_mlir's ops do not keep their module alive.
    relu, index, _ = _ops(module)
    assert str(relu) == "%0 = forge.relu %arg0 : tensor<2x12xf32>"
    assert str(index) == "%1 = forge.index %0 dim -1 [0:10:2] : (tensor<2x12xf32>) -> tensor<2x5xf32>"
    assert str(index.operation).startswith('%1 = "forge.index"(%0)')
    assert forge.text(index, locations=True).endswith('-> tensor<2x5xf32> loc("node")')


def test_text_of_a_module_and_of_a_function() -> None:
    module = _two()
    body = """func.func @main(%arg0: tensor<2x12xf32>) -> tensor<2x5xf32> {
  %0 = forge.relu %arg0 : tensor<2x12xf32>
  %1 = forge.index %0 dim -1 [0:10:2] : (tensor<2x12xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}"""
    assert forge.text(module.body.operations[0]) == body
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    assert forge.text(module).strip() == f"module {{\n{lines}\n}}"


@pytest.mark.parametrize("name", USES)
def test_the_text_of_every_op_can_be_parsed_again(name: str) -> None:
    module = function(USES[name][0])
    text = forge.text(module, locations=True)
    assert f"forge.{name} " in text
    assert f'"forge.{name}"' not in text
    again = forge.parse(text, module.context)
    assert again.operation.get_asm(enable_debug_info=True) == module.operation.get_asm(enable_debug_info=True)


def test_verify_of_an_op_names_the_constraint_and_the_location() -> None:
    module = _two()
    _, index, _ = _ops(module)
    assert index.verify()
    with module.context:
        index.dim = ir.Attribute.parse("7 : i64")
    assert module.operation.verify(), "torch_mlir sees nothing"
    with pytest.raises(ForgeError, match="expected 'dim' inside rank 2, but got 7") as caught:
        index.verify()
    assert caught.value.diagnostics[0].location == 'loc("node")'
    with pytest.raises(ForgeError, match="expected 'dim' inside rank 2"):
        forge.text(module)
    assert str(index).startswith('%1 = "forge.index"(%0)'), "what is not valid prints in generic form"


def test_an_op_without_a_module() -> None:
    context = ir.Context()
    forge_mlir.register(context)
    with context, ir.Location.unknown():
        constant = forge.ConstantOp(
            ir.DenseElementsAttr.get_splat(  # type: ignore[no-untyped-call]
                ir.RankedTensorType.get([2], ir.F32Type.get()), ir.FloatAttr.get(ir.F32Type.get(), 1.0)
            )
        )
    for ask in (forge.text, forge.verify, lambda op: op.verify()):
        with pytest.raises(ForgeError, match=r"'forge\.constant' op is in no module"):
            ask(constant)
    assert '"forge.constant"()' in str(constant)


def test_errors_of_text_have_a_location() -> None:
    context = ir.Context()
    forge_mlir.register(context)
    with pytest.raises(ForgeError, match="the text is no valid module") as caught:
        forge.parse("func.func @f(%x: tensor<2xf32>) {\n  %0 = forge.relu %x alpha : tensor<2xf32>\n}", context)
    assert caught.value.diagnostics[0].message == "expected ':'"
    assert caught.value.diagnostics[0].location.endswith(":2:21)")


def test_parse_reads_bytecode_too() -> None:
    module = _two()
    again = forge.parse(bytecode(module), module.context)
    assert str(again) == str(module)
