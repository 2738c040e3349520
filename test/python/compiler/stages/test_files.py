"""A model that is compiled in steps by files and the tools gives the output of `compile`, byte by byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.artifact.manifest import is_as_sealed
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.stages.emit_ir import emit_file
from forge_mlir.errors import ForgeError
from sample_models.repository import STORED, data_of
from sample_models.tools import run_tool


def options_for(folder: Path) -> Options:
    """Open dims get the sizes of the sample inputs."""
    return {"sample_inputs": data_of(folder)[0]}


def imported(folder: Path, file: Path, inline_weights: bool = False) -> None:
    from forge_mlir.compiler.lower import import_model

    model = import_model(folder / "model.onnx", **options_for(folder))
    forge_mlir.write_import(model, file, "model", inline_weights=inline_weights)


def through_tools(source: Path, directory: Path) -> None:
    """Lowers the IR in `source` with forge-opt and writes it as `forge-mlir emit` does."""
    call = source.with_suffix(".call.mlir")
    done = run_tool("forge-opt", source, "--onnx-to-forge-pipeline", "-o", call)
    assert done.returncode == 0, done.stderr
    emit_file(call.read_bytes(), directory, beside=call.parent)


def differing(one: Path, other: Path) -> list[str]:
    """The names of files that differ between both directories, apart from what only `compile` knows: its flags and the
    hash of the model file."""
    names = {path.name for directory in (one, other) for path in directory.iterdir()}
    return sorted(name for name in names if contents(one / name) != contents(other / name))


def contents(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix != ".json":
        return data
    facts = json.loads(data)
    facts.pop("compiled", None)
    assert is_as_sealed(data)
    del facts["generator"]
    assert data.decode() == data.decode().strip() + "\n"
    return json.dumps(facts, indent=2).encode()


@pytest.mark.alike(keep=5)
@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_tools_write_the_bytes_of_compile(folder: Path, tmp_path: Path) -> None:
    artifact = forge_mlir.compile(folder / "model.onnx", tmp_path / "compiled", **options_for(folder))
    imported(folder, tmp_path / "m.mlir")
    through_tools(tmp_path / "m.mlir", tmp_path / "piped")
    assert differing(artifact.directory, tmp_path / "piped") == []
    assert len(list((tmp_path / "piped").iterdir())) == 3


@pytest.mark.parametrize("suffix", [".mlir", ".mlirbc"])
def test_weights_in_the_ir(suffix: str, gpt2_block: Path, tmp_path: Path) -> None:
    artifact = forge_mlir.compile(gpt2_block / "model.onnx", tmp_path / "compiled")
    source = (tmp_path / "m").with_suffix(suffix)
    imported(gpt2_block, source, inline_weights=True)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [source.name]
    through_tools(source, tmp_path / "piped")
    assert differing(artifact.directory, tmp_path / "piped") == []


def odd_model() -> ModelProto:
    """A model with names beyond ASCII and weights of several types, one of which has no resource file."""
    weights = {
        "wéight \U0001f600": np.arange(400, dtype=np.float64).reshape(20, 20) / 7,
        "ints": np.arange(400, dtype=np.int64).reshape(20, 20),
        "bytes": np.arange(400, dtype=np.uint8).reshape(20, 20) % 200,
        "typed": np.full((20, 20), 3, np.float32),
    }
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    tensors[-1] = helper.make_tensor("typed", TensorProto.FLOAT, [20, 20], np.arange(400, dtype=np.float32))
    tensors[2].name = "by\ttes\b"
    nodes = [
        helper.make_node("Cast", ["wéight \U0001f600"], ["a"], name="kast", to=TensorProto.FLOAT),
        helper.make_node("Add", ["x", "a"], ["b"], name="é"),
        helper.make_node("Cast", ["ints"], ["c"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["b", "c"], ["d"]),
        helper.make_node("Cast", ["by\ttes\b"], ["e"], name="e", to=TensorProto.FLOAT),
        helper.make_node("Add", ["d", "e"], ["f"], name='q"\\'),
        helper.make_node("MatMul", ["f", "typed"], ["ÿ"], name="last"),
    ]
    graph = helper.make_graph(
        nodes,
        "grâph 1",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [20, 20])],
        [helper.make_tensor_value_info("ÿ", TensorProto.FLOAT, [20, 20])],
        tensors,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10, producer_name="me é")


def test_names_and_types_of_weights_survive(tmp_path: Path) -> None:
    onnx.save(odd_model(), tmp_path / "odd.onnx")
    artifact = forge_mlir.compile(tmp_path / "odd.onnx", tmp_path / "compiled", dump_dir=tmp_path / "stages")
    (tmp_path / "stages").joinpath("odd.1-import.mlir").rename(tmp_path / "stages/m.mlir")
    through_tools(tmp_path / "stages/m.mlir", tmp_path / "piped")
    assert differing(artifact.directory, tmp_path / "piped") == []


@pytest.mark.parametrize("stage", ["1-import", "2-forge", "3-call"])
def test_the_tools_continue_from_each_stage(stage: str, gpt2_block: Path, tmp_path: Path) -> None:
    dumps = tmp_path / "stages"
    artifact = forge_mlir.compile(gpt2_block / "model.onnx", tmp_path / "compiled", dump_dir=dumps)
    assert sorted(path.name for path in dumps.iterdir()) == [
        "model.1-import.mlir",
        "model.2-forge.mlir",
        "model.3-call.mlir",
        "model.weights.json",
    ]
    through_tools(dumps / f"model.{stage}.mlir", tmp_path / "piped")
    assert differing(artifact.directory, tmp_path / "piped") == []


def test_one_stage_alone(gpt2_block: Path, tmp_path: Path) -> None:
    file = forge_mlir.compile_to(gpt2_block / "model.onnx", tmp_path, "forge", name="net")
    assert file.name == "net.2-forge.mlir"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.2-forge.mlir", "net.weights.json"]
    forge_mlir.compile_to(gpt2_block / "model.onnx", tmp_path, "forge", name="net")
    file.write_text(file.read_text() + "// edited\n")
    with pytest.raises(ForgeError, match=r"FM4003.*was not written by forge-mlir; move it away, or give --force"):
        forge_mlir.compile_to(gpt2_block / "model.onnx", tmp_path, "forge", name="net")
    forge_mlir.compile_to(gpt2_block / "model.onnx", tmp_path, "forge", name="net", force=True)
    with pytest.raises(ValueError, match="stage: expected import, forge, call, but got 'out'"):
        forge_mlir.compile_to(gpt2_block / "model.onnx", tmp_path / "folder", "out")  # type: ignore[arg-type]
    assert not (tmp_path / "folder").exists()


def test_a_refusal_keeps_the_previous_stages(tmp_path: Path) -> None:
    from sample_models.small import one_node

    with pytest.raises(ForgeError, match="cannot be compiled"):
        forge_mlir.compile(one_node("Det", [4, 4]), tmp_path / "out", name="net", dump_dir=tmp_path / "stages")
    assert sorted(path.name for path in (tmp_path / "stages").iterdir()) == ["net.1-import.mlir", "net.weights.json"]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["../../escaped", "/escaped", "a\0b", "..", "", "n" * 300])
def test_stages_stay_in_their_directory(name: str, tmp_path: Path) -> None:
    """The name of a graph is not trusted, and may be that of a path."""
    from sample_models.small import one_node

    model = one_node("Relu", [2, 3])
    model.graph.name = name if name != "/escaped" else str(tmp_path / "escaped")
    stages = tmp_path / "a" / "b"
    for write in (
        lambda: forge_mlir.compile_to(model, stages, "call"),
        lambda: forge_mlir.compiler.driver.compile(model, tmp_path / "out", dump_dir=stages, force=True),
    ):
        if len(name) > 255:
            with pytest.raises(ForgeError, match=r"FM4003.*File name too long"):
                write()
        else:
            write()
    assert {path.name for path in tmp_path.iterdir()} <= {"a", "out"}
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]
