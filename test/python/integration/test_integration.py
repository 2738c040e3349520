"""Torch modules, torch.compile, the interfaces of onnxruntime and onnx, and folders of models."""

from __future__ import annotations

import json
import subprocess
import unittest
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.base import Backend
from safetensors import safe_open

import forge_mlir
from forge_mlir import ForgeError, InferenceSession, onnx_backend
from forge_mlir.compiler.cache import CompileCache
from forge_mlir.compiler.options import Options
from node_cases import node_cases
from sample_models.goldens import assert_same
from sample_models.partition import products
from sample_models.small import one_node
from sample_models.tools import run_command


class Mlp(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.nn.functional.gelu(self.first(x)))


X = torch.linspace(-1, 1, 16).reshape(2, 8)


def test_a_torch_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxscript")
    monkeypatch.chdir(tmp_path)
    module = Mlp().train()  # The module has no layer that depends on the mode.
    artifact = forge_mlir.compile(module, (X,))
    assert artifact.module_path == Path("mlp_forge/mlp.py")
    assert module.training
    (name,) = [info["name"] for info in artifact.manifest()["onnx"]["inputs"]]
    (result,) = forge_mlir.run(artifact, {name: X.numpy()}).values()
    assert_same(result, module(X).detach().numpy())
    with pytest.raises(TypeError, match="example inputs"):
        forge_mlir.compile(module)


def test_torch_compile() -> None:
    pytest.importorskip("onnxscript")
    module = Mlp().eval()

    def around(x: torch.Tensor) -> torch.Tensor:
        y = module(x)
        return y / y.abs().sum()

    torch._dynamo.reset()
    with torch.no_grad():
        compiled = torch.compile(around, backend="forge_mlir")
        assert_same(*(each(X).detach().numpy() for each in (compiled, around)))
        assert_same(*(each(2 * X).detach().numpy() for each in (compiled, around)))


def test_a_session(tmp_path: Path) -> None:
    session = InferenceSession(products().SerializeToString(), providers=["CPUExecutionProvider"])
    (argument,), (output,) = session.get_inputs(), session.get_outputs()
    assert (argument.name, argument.type, argument.shape) == ("x", "tensor(float)", [8, 8])
    assert output.name == "y"
    x = np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)
    (y,) = session.run(None, {"x": x})
    artifact = forge_mlir.compile(products(), tmp_path, fallback="cpu")
    for source in (artifact, tmp_path, artifact.module_path):
        np.testing.assert_array_equal(InferenceSession(source).run(["y"], {"x": x})[0], y)
    with pytest.raises(ForgeError, match="no output 'z'; there are 'y'"):
        session.run(["z"], {"x": x})
    with pytest.raises(ForgeError, match="cannot be compiled"):
        InferenceSession(products(), fallback="error")


def test_a_session_with_open_dims() -> None:
    model = one_node("Relu", [1, 3])
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    session = InferenceSession(model)
    assert session.get_inputs()[0].shape == ["batch", 3]
    for size in (2, 5, 2):
        x = np.linspace(-1, 1, 3 * size, dtype=np.float32).reshape(size, 3)
        np.testing.assert_array_equal(session.run(None, {"x": x})[0], np.maximum(x, 0))


def test_the_backend() -> None:
    assert issubclass(onnx_backend.ForgeBackend, Backend)
    x = np.array([-1, 2], np.float32)
    (y,) = onnx_backend.run_node(helper.make_node("Relu", ["x"], ["y"]), [x])
    np.testing.assert_array_equal(y, [0, 2])
    assert onnx_backend.supports_device("CPU")
    assert not onnx_backend.supports_device("CUDA")
    assert not onnx_backend.is_compatible(products(), fallback="error")


def test_onnxs_own_suite_runs_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx.backend.test.loader, "load_node_model_tests", node_cases)
    suite = onnx.backend.test.BackendTest(onnx_backend, __name__)
    suite.include(r"^test_(relu|softmax_axis_0|det_2d|split_equal_parts_1d_opset18)_cpu$")
    result = unittest.TestResult()
    suite.test_suite.run(result)
    assert result.wasSuccessful(), result.failures + result.errors
    assert result.testsRun - len(result.skipped) == 4


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


def test_what_cannot_be_done_is_refused(folder: Path, tmp_path: Path) -> None:
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


def test_verify_is_a_function_too(tmp_path: Path) -> None:
    model = one_node("Relu", [2, 3])
    result = forge_mlir.verify(model)
    assert result.passed
    assert len(result.nodes) == 1
    artifact = forge_mlir.compile(model, tmp_path, name="relu")
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    for source in (artifact, tmp_path):
        assert forge_mlir.verify(source, model=model).passed
        assert forge_mlir.verify(source, {"x": x}, {"y": np.maximum(x, 0)}).passed
        assert not forge_mlir.verify(source, {"x": x}, {"y": x}).passed
    with pytest.raises(ValueError, match="compared with goldens, or with the model"):
        forge_mlir.verify(artifact)
    for inputs in ({"x": x.tolist()}, [x], [x.tolist()]):
        np.testing.assert_array_equal(forge_mlir.run(artifact, inputs)["y"], np.maximum(x, 0))
    with pytest.raises(ForgeError, match="expected 1 inputs, but got 2"):
        forge_mlir.run(artifact, [x, x])


def test_a_session_tells_its_shape_sets(tmp_path: Path) -> None:
    model = one_node("Relu", [2, 3])
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    sets = {"one": {"x": (1, 3)}, "four": {"x": (4, 3)}}
    session = InferenceSession(forge_mlir.compile(model, tmp_path, name="relu", shapes=sets))
    assert session.get_inputs()[0].shape == [None, 3]
    assert session.get_shape_sets() == {"one": {"x": [1, 3]}, "four": {"x": [4, 3]}}
    (y,) = session.run(None, {"x": [[-1, 0, 1]] * 4})
    assert y.tolist() == [[0, 0, 1]] * 4


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
    model = onnx.load(folder / "encoder.onnx", load_external_data=False)
    model.graph.node[1].op_type = "NonZero"
    del model.graph.output[0].type.tensor_type.shape.dim[:]
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64
    onnx.save(model, folder / "encoder.onnx")
    assert forge("check", folder).returncode == 3
