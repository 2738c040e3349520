"""Sessions with the interface of onnxruntime's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto

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
