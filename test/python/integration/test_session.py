"""Sessions with the interface of onnxruntime's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper

import forge_mlir
from forge_mlir import ForgeError, InferenceSession
from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from sample_models.partition import products
from sample_models.small import one_node


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
    assert len(session.run([], {"x": x})) == 1, "as in onnxruntime, no names are all names"
    with pytest.raises(ForgeError, match=r"FM0211.*no output 'z'; there are 'y'"):
        session.run(["z"], {"x": x})
    with pytest.raises(TypeError, match="expected a list of names of outputs, but got 'y'"):
        session.run("y", {"x": x})
    with pytest.raises(ValueError, match="options are for models that are compiled: fallback"):
        InferenceSession(artifact, fallback="error")
    with pytest.raises(ForgeError, match="cannot be compiled"):
        InferenceSession(products(), fallback="error")
    with pytest.raises(ForgeError, match="not a readable ONNX model"):
        InferenceSession(b"no model")


def test_the_metadata_of_the_model(tmp_path: Path) -> None:
    model = products()
    model.producer_name, model.domain, model.doc_string, model.model_version = "maker", "example.org", "text", 7
    model.graph.doc_string = "products"
    helper.set_model_props(model, {"names": "{0: 'cat'}"})
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    theirs = onnxruntime.InferenceSession(path).get_modelmeta()
    for source in (path, model, model.SerializeToString()):
        ours = InferenceSession(source).get_modelmeta()
        assert {name: getattr(theirs, name) for name in vars(ours)} == vars(ours)
    artifact = forge_mlir.compile(model, tmp_path / "out", fallback="cpu")
    with pytest.raises(ValueError, match="an artifact does not have the metadata of its model"):
        InferenceSession(artifact).get_modelmeta()


def test_inputs_with_defaults_are_overridable_initializers(tmp_path: Path) -> None:
    x, w, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xwy")
    weight = helper.make_tensor("w", TensorProto.FLOAT, [2], [3, 4])
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g", [x, w], [y], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    theirs = onnxruntime.InferenceSession(model.SerializeToString())
    artifact = forge_mlir.compile(model, tmp_path, overridable=["w"])
    for ours in (InferenceSession(model, overridable=["w"]), InferenceSession(artifact)):
        for listed in ("get_inputs", "get_overridable_initializers"):
            assert [arg.name for arg in getattr(ours, listed)()] == [arg.name for arg in getattr(theirs, listed)()]
        for feed in ({"x": np.ones(2, np.float32)}, {"x": np.ones(2, np.float32), "w": np.zeros(2, np.float32)}):
            np.testing.assert_array_equal(ours.run(None, feed)[0], theirs.run(None, feed)[0])


def test_every_method_of_onnxruntime_is_there_or_says_what_to_do() -> None:
    options = onnxruntime.SessionOptions()
    session = InferenceSession(products(), options)
    assert session.get_session_options() is options
    assert session.get_provider_options() == {"ForgeMlirExecutionProvider": {}}
    session.disable_fallback()
    missing = []
    for name in dir(onnxruntime.InferenceSession):
        if not name.startswith("_") and not hasattr(session, name):
            with pytest.raises(AttributeError, match=f"InferenceSession has no '{name}': "):
                getattr(session, name)
            missing.append(name)
    assert {"io_binding", "run_with_ort_values", "run_async", "end_profiling"} <= set(missing)
    with pytest.raises(AttributeError, match=r"InferenceSession has no 'other'$"):
        session.other  # noqa: B018


def open_relu() -> ModelProto:
    model = one_node("Relu", [1, 3])
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    return model


def test_a_session_with_open_dims() -> None:
    session = InferenceSession(open_relu())
    assert session.get_inputs()[0].shape == ["batch", 3]
    for size in (2, 5, 2):
        x = np.linspace(-1, 1, 3 * size, dtype=np.float32).reshape(size, 3)
        np.testing.assert_array_equal(session.run(None, {"x": x})[0], np.maximum(x, 0))


def test_threads_compile_different_shapes_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    session, both = InferenceSession(open_relu()), Barrier(2)

    def slow(*arguments: Any, **options: Any) -> Artifact:
        both.wait(60)  # Both threads have chosen their directory.
        artifact = compile(*arguments, **options)
        both.wait(60)  # Both artifacts are written.
        return artifact

    monkeypatch.setattr("forge_mlir.compiler.driver.compile", slow)
    inputs = [np.full((size, 3), size, np.float32) for size in (2, 5)]
    with ThreadPoolExecutor(2) as threads:
        results = threads.map(lambda x: session.run(None, {"x": x})[0], inputs)
        for x, y in zip(inputs, results, strict=True):
            np.testing.assert_array_equal(x, y)


def test_a_session_tells_its_shape_sets(tmp_path: Path) -> None:
    sets = {"one": {"x": (1, 3)}, "four": {"x": (4, 3)}}
    session = InferenceSession(forge_mlir.compile(open_relu(), tmp_path, name="relu", shapes=sets))
    assert session.get_inputs()[0].shape == [None, 3]
    assert session.get_shape_sets() == {"one": {"x": [1, 3]}, "four": {"x": [4, 3]}}
    (y,) = session.run(None, {"x": [[-1, 0, 1]] * 4})
    assert y.tolist() == [[0, 0, 1]] * 4
