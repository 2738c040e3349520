"""Each op as the float64 layer defines it, compared with the CPU reference, which shares no code with it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.bisect.interpreter import Interpreter
from forge_mlir.dialects import forge
from forge_mlir.equivalence.interpreter import Evaluation
from forge_mlir.equivalence.leaves import Leaves
from forge_mlir.equivalence.numbers.algebra import Reals
from forge_mlir.equivalence.program import NotCovered, Type, functions_of

# One case per line: an op, or a few ops separated by semicolons.
CASES = (Path(__file__).parent / "ops.txt").read_text().splitlines()
# The reference refuses these ops, as Forge does.
UNCHECKED = {"forge.max_pool1d", "forge.constant_pad", "forge.downsample2d", "forge.run", "forge.parameter"}


def program(case: str, context: ir.Context) -> ir.Module:
    """The ops of a case in a function whose results are those of the last op."""
    arguments: dict[str, str] = {}
    made: set[str] = set()
    lines = case.split("; ")
    for line in lines:
        results, rest = line.split(" = ", 1)
        names = re.findall(r"%\w+", rest)
        types = re.search(r" : (\(.*\) -> .*|tensor<[^>]*>)$", line)
        assert types is not None, line
        given = re.findall(r"tensor<[^>]*>", types[1].split(" -> ")[0])
        given = given if " -> " in types[1] else given * len(names)
        arguments |= {n: t for n, t in zip(names, given, strict=bool(names)) if n not in made}
        made |= set(re.findall(r"%\w+", results))
    out = re.findall(r"tensor<[^>]*>", types[1].split(" -> ")[-1])
    if len(out) > 1:
        lines[-1] = lines[-1].replace("%y =", f"%y:{len(out)} =")
    values = ", ".join(f"%y#{at}" for at in range(len(out))) if len(out) > 1 else "%y"
    signature = ", ".join(f'{name}: {type_} {{forge.onnx_name = "{name[1:]}"}}' for name, type_ in arguments.items())
    returned = ", ".join(f'{type_} {{forge.onnx_name = "y{at}"}}' for at, type_ in enumerate(out))
    body = "\n".join([*lines, f"return {values} : {', '.join(out)}"])
    return forge.parse(f"func.func @f({signature}) -> ({returned}) {{\n{body}\n}}", context)


@pytest.mark.parametrize("case", CASES)
def test_op(case: str) -> None:
    context = ir.Context()
    forge_mlir.register(context)
    module = program(case, context)
    (function,) = functions_of(module).values()
    leaves = Leaves(seed=3)
    arguments = leaves.arguments(function)
    with np.errstate(all="ignore"):
        found = Evaluation(Reals(), leaves.weight).outputs(function, arguments)
    names = [ir.StringAttr(ir.DictAttr(entry)["forge.onnx_name"]).value for entry in _arguments(module)]
    given = {
        name: value.astype({"f32": np.float32, "i32": np.int32, "i64": np.int64}[type_.element])
        for name, value, type_ in zip(names, arguments, function.arguments, strict=True)
    }
    for name, value in Interpreter({}).run(module, given).items():
        mine = found[int(name[1:])]
        assert mine.shape == np.shape(value)
        np.testing.assert_allclose(mine, np.asarray(value).astype(mine.dtype), rtol=2e-5, atol=2e-5)


def _arguments(module: ir.Module) -> list[ir.Attribute]:
    attributes = module.body.operations[0].operation.attributes
    return list(ir.ArrayAttr(attributes["arg_attrs"])) if "arg_attrs" in attributes else []


def test_every_op_has_a_case() -> None:
    tested = {name for case in CASES for name in re.findall(r"forge\.\w+", case)}
    assert tested | UNCHECKED == {op.OPERATION_NAME for op in forge.OP_CLASSES}


def test_constants_of_bfloat16() -> None:
    context = ir.Context()
    forge_mlir.register(context)
    for count in (2, 200):
        elements = ", ".join(["1.5", "-3.0e38"] * (count // 2))
        (function,) = functions_of(
            program(f"%y = forge.constant dense<[{elements}]> : tensor<{count}xbf16>", context)
        ).values()
        (found,) = Evaluation(Reals(), Leaves(0).weight).outputs(function, [])
        np.testing.assert_allclose(found, [1.5, -3.0e38] * (count // 2), rtol=4e-3)


def test_an_unsigned_integer_beyond_int64_is_not_covered() -> None:
    """As int64 the value would be negative, and its relu would be 0."""
    context = ir.Context()
    forge_mlir.register(context)
    module = program("%y = forge.constant dense<18446744073709551615> : tensor<1xui64>", context)
    (function,) = functions_of(module).values()
    with pytest.raises(NotCovered, match=r"forge\.constant"):
        Evaluation(Reals(), Leaves(0).weight).outputs(function, [])


def test_a_weight_may_be_empty() -> None:
    for shape in ((0, 0), (0, 3), (0,)):
        assert Leaves(0).weight("w", Type("f32", shape)).shape == shape
