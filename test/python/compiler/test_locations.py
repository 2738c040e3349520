"""Programs depend on the graph alone: without locations, which contain the names of nodes, they are the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.compiler.lower import import_model
from sample_models.repository import STORED, data_of
from sample_models.tools import run_tool


def lowered(imported: Path, *before: str, options: str = "") -> str:
    """The program of imported IR, as text without locations."""
    done = run_tool("forge-opt", imported, *before, f"--onnx-to-forge-pipeline={options}", "--strip-debuginfo")
    assert done.returncode == 0, done.stderr
    return done.stdout


def layers(directory: Path) -> Path:
    """Three recurrent layers that read one value, of which two have the same name."""
    nodes = [
        helper.make_node("LSTM", ["x", f"w{i}", f"r{i}"], [f"y{i}"], name=name, hidden_size=4)
        for i, name in enumerate(["rows", "columns", "columns"])
    ]
    inputs = [("x", [5, 2, 3])] + [(f"{n}{i}", [1, 16, s]) for i in range(3) for n, s in (("w", 3), ("r", 4))]
    graph = helper.make_graph(
        nodes,
        "layers",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs],
        [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, [5, 1, 2, 4]) for i in range(3)],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), directory / "model.onnx")
    return directory / "model.onnx"


@pytest.mark.alike(keep=5)
@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_locations_change_no_program(folder: Path, tmp_path: Path) -> None:
    imported = tmp_path / "model.mlir"
    forge_mlir.write_import(import_model(folder / "model.onnx", sample_inputs=data_of(folder)[0]), imported, "model")
    assert lowered(imported, "--strip-debuginfo") == lowered(imported)


def test_names_of_layers_change_no_program(tmp_path: Path) -> None:
    imported = tmp_path / "model.mlir"
    forge_mlir.write_import(import_model(layers(tmp_path)), imported, "model")
    program = lowered(imported)
    assert lowered(imported, "--strip-debuginfo") == program
    # All three are merged: one product of the inputs each, and one product of the state per step.
    assert program.count("forge.matmul") <= 3 + 5


@pytest.mark.parametrize("op", ["LSTM", "GRU", "RNN"])
def test_names_of_layers_change_no_format(op: str, tmp_path: Path) -> None:
    """The last state is computed in Float32, as the states before it, also if no concatenation reads the states."""
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    given = {"x": [5, 2, 3], "w": [1, 4 * gates, 3], "r": [1, 4 * gates, 4]}
    graph = helper.make_graph(
        [helper.make_node(op, [*given], ["", "last"], name="layer", hidden_size=4)],
        "layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, given["x"])],
        [helper.make_tensor_value_info("last", TensorProto.FLOAT, [1, 2, 4])],
        [
            numpy_helper.from_array(np.random.default_rng(0).standard_normal(shape).astype(np.float32), name)
            for name, shape in given.items()
            if name != "x"
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "model.onnx")
    imported = tmp_path / "model.mlir"
    forge_mlir.write_import(import_model(tmp_path / "model.onnx"), imported, "model")
    program = lowered(imported, options="float-format=bfloat16")
    assert lowered(imported, "--strip-debuginfo", options="float-format=bfloat16") == program
    assert not re.search(r"forge\.(tanh|sigmoid|multiply|add) .*bf16", program)
