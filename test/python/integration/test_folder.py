"""Folders of models, which become one artifact."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.compiler.cache import CompileCache
from forge_mlir.compiler.options import Options
from forge_mlir.verify import verify_model
from sample_models.goldens import assert_same
from sample_models.small import one_node
from sample_models.tools import run_command
from sample_models.torch_modules import Mlp, X


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models with one weight, in an external file."""
    folder = tmp_path / "models"
    folder.mkdir()
    weight = np.random.default_rng(1).standard_normal((64, 64)).astype(np.float32)
    for name, op in (("encoder", "Relu"), ("decoder-with-past", "Tanh")):
        x = helper.make_tensor_value_info(f"{name}_in", TensorProto.FLOAT, ["batch", 64])
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 64])
        nodes = [helper.make_node("MatMul", [x.name, "w"], ["a"]), helper.make_node(op, ["a"], ["y"])]
        graph = helper.make_graph(nodes, name, [x], [y], [numpy_helper.from_array(weight, "w")])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
        onnx.save(model, folder / f"{name}.onnx", save_as_external_data=True, location=f"{name}.data", size_threshold=0)
    return folder


SIZES: Options = {"dims": {"batch": 2}, "input_shapes": {"decoder-with-past_in": [2, 64]}}


def test_a_folder_is_one_artifact(folder: Path, tmp_path: Path) -> None:
    artifact = forge_mlir.compile(folder, tmp_path / "out", **SIZES)
    with safe_open(artifact.weights_path, framework="np") as weights:
        assert list(weights.keys()) == ["w"]
        weight = weights.get_tensor("w")
    x = np.full((2, 64), 0.1, np.float32)
    assert_same(forge_mlir.run(artifact, {"decoder-with-past_in": x})["y"], np.tanh(x @ weight))
    assert artifact.shape_set("encoder").name == "models_encoder"
    assert artifact.shape_set("decoder_with_past").name == "models_decoder_with_past"
    with pytest.raises(ForgeError, match=r"no \.onnx file"):
        forge_mlir.compile(tmp_path / "out", tmp_path / "none")


def test_options_of_a_folder(folder: Path, tmp_path: Path) -> None:
    passes: list[str] = []
    dumped, cache = tmp_path / "dumped", CompileCache(tmp_path / "cache")
    forge_mlir.compile(folder, tmp_path / "a", dump_dir=dumped, on_pass=lambda run: passes.append(run.name), **SIZES)
    assert passes.count("forge-verify-emittable") == 2
    for name in ("models_encoder", "models_decoder_with_past"):
        assert (dumped / f"{name}.3-call.mlir").is_file()

    referring = forge_mlir.compile(folder, tmp_path / "b", weights="reference", **SIZES)
    places = [referring.shape_set(key).manifest()["weights"][0] for key in ("encoder", "decoder_with_past")]
    assert [Path(place["file"]).name for place in places] == ["encoder.data", "decoder-with-past.data"]
    assert referring.stored_weights() == []

    for output in ("c", "d"):
        forge_mlir.compile(folder, tmp_path / output, cache=cache, name="net", **SIZES)
    assert len(list(cache.directory.glob("*/cache-entry.json"))) == 1
    forge_mlir.compile(folder, tmp_path / "e", cache=cache, name="other", **SIZES)
    assert len(list(cache.directory.glob("*/cache-entry.json"))) == 2
    assert (tmp_path / "c" / "net.json").read_bytes() == (tmp_path / "d" / "net.json").read_bytes()
    assert "compiled" in forge_mlir.Artifact.open(tmp_path / "c").manifest()


def test_invalid_arguments_of_compile_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="sets of shapes are of one model"):
        forge_mlir.compile(folder, tmp_path / "none", shapes={"a": {}})
    with pytest.raises(TypeError, match="unknown options: fold"):
        forge_mlir.compile(folder, tmp_path / "none", fold=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="example inputs are for torch modules"):
        forge_mlir.compile(folder, (X,))
    with pytest.raises(ValueError, match="a torch module are in no file"):
        forge_mlir.compile(Mlp(), (X,), weights="reference")
    (folder / "decoder_with_past.onnx").write_bytes((folder / "encoder.onnx").read_bytes())
    with pytest.raises(ForgeError, match="would be one module, decoder_with_past: rename"):
        forge_mlir.compile(folder, tmp_path / "none", **SIZES)
    assert not (tmp_path / "none").exists()


def test_commands_on_a_folder(folder: Path, tmp_path: Path) -> None:
    def forge(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return run_command(*words, "--dim", "batch=2", cwd=tmp_path)

    for name in ("check", "verify"):
        done = forge(name, folder, "--json")
        assert done.returncode == 0, done.stderr
        models = json.loads(done.stdout)["models"]
        assert [Path(each["model"]).name for each in models] == ["decoder-with-past.onnx", "encoder.onnx"]
    done = forge("report", folder, "-o", tmp_path / "pages", "--no-accuracy", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert sorted(file.name for file in (tmp_path / "pages").iterdir()) == [
        "decoder-with-past_report.json",
        "encoder_report.json",
    ]
    done = forge("report", folder, "-o", folder / "encoder.onnx")
    assert (done.returncode, "FM4003" in done.stderr) == (3, True), "a file is no folder"
    model = onnx.load(folder / "encoder.onnx", load_external_data=False)
    model.graph.node[1].op_type = "NonZero"
    del model.graph.output[0].type.tensor_type.shape.dim[:]
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64
    onnx.save(model, folder / "encoder.onnx")
    assert forge("check", folder).returncode == 3


def test_a_damaged_file_is_refused_by_its_own_name(folder: Path, tmp_path: Path) -> None:
    (folder / "damaged.onnx").write_bytes(b"\x0a\xff\xff")
    with pytest.raises(ForgeError, match=r"damaged\.onnx"):
        forge_mlir.compile(folder, tmp_path / "out", **SIZES)


def test_a_name_without_letters(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "models" / "\N{CJK UNIFIED IDEOGRAPH-6A21}.onnx")
    artifact = forge_mlir.compile(tmp_path / "models", tmp_path / "out")
    assert artifact.shape_set("model").name == "models_model"


def test_the_artifact_of_a_folder_is_not_compared_with_one_file(tmp_path: Path) -> None:
    """The programs of the other files would be wrong."""
    (tmp_path / "models").mkdir()
    for name, op in (("a", "Relu"), ("b", "Exp")):
        onnx.save(one_node(op, [2, 3]), tmp_path / "models" / f"{name}.onnx")
    artifact = forge_mlir.compile(tmp_path / "models", tmp_path / "out")
    for name in ("a", "b"):
        with pytest.raises(ForgeError, match="was compiled from several files"):
            verify_model(tmp_path / "models" / f"{name}.onnx", artifact=artifact.directory)
