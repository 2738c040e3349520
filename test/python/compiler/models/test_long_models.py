"""Models of many equal steps compile in time proportional to their length, to programs with right results."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from sample_models.goldens import assert_same
from sample_models.tools import tool


def model(nodes: list[onnx.NodeProto], shape: list[int], outputs: list[str], **weights: np.ndarray) -> ModelProto:
    tensors = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    made = [onnx.ValueInfoProto(name=name) for name in outputs]
    for value in made:
        value.type.tensor_type.elem_type = TensorProto.FLOAT
    graph = helper.make_graph(nodes, "g", inputs, made, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32) * 0.5


def pads(count: int) -> ModelProto:
    """A sequence of pads by zero elements before a convolution."""
    names = ["x", *(f"v{i}" for i in range(count))]
    nodes = [helper.make_node("Pad", [a, "p"], [b], b) for a, b in pairwise(names)]
    nodes.append(helper.make_node("Conv", [names[-1], "w"], ["y"], "conv"))
    return model(nodes, [1, 4, 2, 2], ["y"], w=random(4, 4, 1, 1), p=np.zeros(8, np.int64))


def lstm(steps: int) -> ModelProto:
    nodes = [helper.make_node("LSTM", ["x", "w", "r", "b"], ["y"], "lstm", hidden_size=4)]
    return model(nodes, [steps, 1, 4], ["y"], w=random(1, 16, 4), r=random(1, 16, 4), b=random(1, 32))


def seconds_of(made: ModelProto, path: Path) -> float:
    """The processor time of this process, so that other processes do not count."""
    begin = time.process_time()
    forge_mlir.compile(made, path)
    return time.process_time() - begin


_AT_NIGHT = pytest.mark.slow


@pytest.mark.parametrize(
    ("make", "few", "many"),
    [
        (pads, 2_000, 16_000),
        pytest.param(pads, 5_000, 40_000, marks=_AT_NIGHT),
        (lstm, 32, 256),
        pytest.param(lstm, 64, 512, marks=_AT_NIGHT),
    ],
)
def test_time_grows_with_the_model(make: Callable[[int], ModelProto], few: int, many: int, tmp_path: Path) -> None:
    short, long = (seconds_of(make(count), tmp_path / str(count)) for count in (few, many))
    assert long < 24 * max(short, 0.02), "eight times as many steps"


def same_as_onnxruntime(made: ModelProto, inputs: dict[str, np.ndarray], path: Path) -> None:
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, inputs)
    ours = forge_mlir.run(forge_mlir.compile(made, path), inputs)
    for got, wanted in zip(ours.values(), expected, strict=True):
        assert_same(got, wanted)


def test_long_programs_are_right(tmp_path: Path) -> None:
    same_as_onnxruntime(lstm(128), {"x": random(128, 1, 4)}, tmp_path / "lstm")
    same_as_onnxruntime(pads(1000), {"x": random(1, 4, 2, 2)}, tmp_path / "pads")


@pytest.mark.parametrize("same", [("w", "r"), ("w", "w2"), ("r", "r2")])
def test_layers_of_which_only_one_has_equal_operands(same: tuple[str, str], tmp_path: Path) -> None:
    """One LSTM uses one weight twice, or shares one with the other LSTM: layers are merged by operand position, not by
    value."""
    names = {name: name for name in ("w", "r", "w2", "r2")}
    names[same[1]] = same[0]
    nodes = [
        helper.make_node("LSTM", ["x", names["w"], names["r"]], ["", "a"], "first", hidden_size=4),
        helper.make_node("LSTM", ["x", names["w2"], names["r2"]], ["", "b"], "second", hidden_size=4),
    ]
    weights = {name: random(1, 16, 4) * (1 + number) for number, name in enumerate(sorted(set(names.values())))}
    same_as_onnxruntime(model(nodes, [6, 2, 4], ["a", "b"], **weights), {"x": random(6, 2, 4)}, tmp_path)


def chain_of_products(length: int) -> str:
    """Products with distinct weights, each of the result of the one before."""
    weights = (f'%w{i} = forge.parameter "w{i}" : tensor<2x2xf32>' for i in range(length))
    products = (
        f"%x{i + 1} = forge.matmul %x{i}, %w{i} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>"
        for i in range(length)
    )
    return _function(chain(weights, products), f"%x{length}")


def readers_of_integers(count: int) -> str:
    """Multiplications of the integers of one quantiser by its scale."""
    scaled = "(tensor<2x2xf32>, tensor<1xf32>) -> tensor<2x2xf32>"
    quantiser = (
        "%c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>",
        "%s = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>",
        "%q0 = forge.clip %x0 min -128.0 max 127.0 : tensor<2x2xf32>",
        f"%q1 = forge.add %q0, %c : {scaled}",
        f"%q2 = forge.subtract %q1, %c : {scaled}",
    )
    readers = (
        f"%m{i} = forge.multiply %q2, %s : {scaled}\n%e{i} = forge.exp %m{i} : tensor<2x2xf32>\n"
        f"%x{i + 1} = forge.max %x{i}, %e{i} : tensor<2x2xf32>"
        for i in range(count)
    )
    return _function(chain(quantiser, readers), f"%x{count}")


def concatenated_sums(count: int) -> str:
    """Residual sums, and a chain of concatenations of all of them."""
    lines, rows = [], 0
    for i in range(count):
        lines += [
            f"%t{i} = forge.sigmoid %x{i} : tensor<2x2xf32>",
            f"%x{i + 1} = forge.add %x{i}, %t{i} : tensor<2x2xf32>",
        ]
    joined = "%x0"
    for i in range(1, count + 1):
        rows = 2 * i
        types = f"(tensor<{rows}x2xf32>, tensor<2x2xf32>) -> tensor<{rows + 2}x2xf32>"
        lines.append(f"%j{i} = forge.concatenate {joined}, %x{i} axis 0 : {types}")
        joined = f"%j{i}"
    lines.append(f"%y = forge.index {joined} dim 0 [0:2] : (tensor<{rows + 2}x2xf32>) -> tensor<2x2xf32>")
    return _function(lines, "%y")


def chain_of_selections(length: int) -> str:
    """Ops that accept both formats, between one in Float32 and one in bfloat16: the cast may be after each of them."""
    selections = (f"%y{i + 1} = forge.relu %y{i} : tensor<2x2xf32>" for i in range(length))
    last = f"%z = forge.sigmoid %y{length} : tensor<2x2xf32>"
    return _function(chain(["%y0 = forge.exp %x0 : tensor<2x2xf32>"], selections, [last]), "%z")


def interleaved_groups(count: int) -> str:
    """Groups of two sums, one before and one after all first sums, with an addend that is computed in between."""
    product = "(tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>"
    lines = ['%w = forge.parameter "w" : tensor<2x2xf32>', '%v = forge.parameter "v" : tensor<2x2xf32>']
    for i in range(count):
        lines += [f"%x{i + 1} = forge.sigmoid %x{i} : tensor<2x2xf32>", f"%p{i} = forge.matmul %x{i}, %w : {product}"]
        lines.append(f"%s{i} = forge.add %p{i}, %x0 : tensor<2x2xf32>")
    last = f"%x{count}"
    for i in range(count):
        lines += [f"%a{i} = forge.relu %x{i} : tensor<2x2xf32>", f"%q{i} = forge.matmul %x{i}, %v : {product}"]
        lines += [
            f"%t{i} = forge.add %q{i}, %a{i} : tensor<2x2xf32>",
            f"%u{i} = forge.max %s{i}, %t{i} : tensor<2x2xf32>",
        ]
        lines.append(f"%m{i} = forge.max {last}, %u{i} : tensor<2x2xf32>")
        last = f"%m{i}"
    return _function(lines, last)


def _function(lines: Iterable[str], result: str) -> str:
    body = "\n".join(lines)
    return f"func.func @f(%x0: tensor<2x2xf32>) -> tensor<2x2xf32> {{\n{body}\nreturn {result} : tensor<2x2xf32>\n}}"


@pytest.mark.parametrize(
    ("make", "few", "many"),
    [
        (chain_of_products, 1_000, 8_000),
        (readers_of_integers, 1_000, 8_000),
        (concatenated_sums, 2_000, 16_000),
        (chain_of_selections, 1_000, 8_000),
    ],
)
def test_float_formats_of_long_programs(make: Callable[[int], str], few: int, many: int, tmp_path: Path) -> None:
    """The processor time and the memory of --forge-float-format."""
    option = "--forge-float-format=float-format=bfloat16 keep-float32=forge.exp"
    (short, least), (long, most) = (used_by(option, make(count), tmp_path) for count in (few, many))
    assert long < 24 * max(short, 0.02), "eight times as many steps"
    assert most < least + 200_000, "kilobytes"


def test_separate_products_of_long_programs(tmp_path: Path) -> None:
    short, long = (
        used_by("--forge-separate-products", interleaved_groups(count), tmp_path)[0] for count in (1_000, 8_000)
    )
    assert long < 14 * max(short, 0.02), "eight times as many groups"


def used_by(option: str, text: str, folder: Path) -> tuple[float, int]:
    """The processor time in seconds, and the largest memory in kilobytes, of forge-opt with a pass."""
    program = folder / "program.mlir"
    program.write_text(text)
    process = subprocess.Popen([str(tool("forge-opt")), str(program), option, "-o", str(folder / "out.mlir")])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss
