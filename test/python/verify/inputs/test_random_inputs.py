"""Inputs that are drawn for a model, and those that a user passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest

import forge_mlir
from forge_mlir.importer import import_onnx
from forge_mlir.verify import verify_model
from forge_mlir.verify.inputs.profiles import DEFAULT_PROFILES, profile_inputs
from forge_mlir.verify.inputs.random_inputs import inputs_of_import
from sample_models.probe import FLOAT, INT64, build, node, weights
from sample_models.small import one_node


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def test_drawn_indices_are_in_range(tmp_path: Path) -> None:
    nodes = [
        node("Unsqueeze", ["ids", "axis"], ["column"], "column"),
        node("Cast", ["column"], ["narrow"], "narrow", to=onnx.TensorProto.INT32),
        node("Gather", ["table", "narrow"], ["y"], "rows"),
        node("Cast", ["mask"], ["z"], "mask", to=FLOAT),
    ]
    inputs = {"ids": (INT64, [400]), "mask": (INT64, [400])}
    model = build(nodes, inputs, {"y": FLOAT, "z": FLOAT}, table=weights(7, 2), axis=np.array([1]))
    given = inputs_of_import(import_onnx(saved(model, tmp_path), keep_graph=True), seed=5)
    assert set(given["ids"]) == set(range(7))
    assert set(given["mask"]) == {0, 1}


@pytest.mark.parametrize("images", [1, 3])
def test_drawn_images_exist(images: int, tmp_path: Path) -> None:
    nodes = [
        node("RoiAlign", ["x", "r", "i"], ["a"], "align", sampling_ratio=1),
        node("MaxRoiPool", ["x", "p"], ["b"], "pool", pooled_shape=[1, 1]),
        node("Add", ["a", "b"], ["y"], "sum"),
    ]
    inputs = {name: (FLOAT, shape) for name, shape in (("x", [images, 2, 4, 4]), ("r", [9, 4]), ("p", [9, 5]))}
    path = saved(build(nodes, {**inputs, "i": (INT64, [9])}, {"y": FLOAT}), tmp_path)
    manifest = forge_mlir.compile(path, tmp_path / "out").manifest()
    for profile in DEFAULT_PROFILES:
        given = profile_inputs(profile, manifest, 5, import_onnx(path, keep_graph=True))
        assert set(given["i"]) <= set(range(images))
        assert set(given["p"][:, 0]) == set(range(images))


def test_a_divisor_is_not_zero_after_a_long_chain(tmp_path: Path) -> None:
    chain = [node("Identity", [f"a{at}"], [f"a{at + 1}"], f"n{at}") for at in range(2000)]
    nodes = [*chain, node("Concat", ["x", "a2000"], ["d"], "d", axis=0), node("Div", ["c", "d"], ["y"], "y")]
    model = build(nodes, {"a0": (INT64, [400]), "x": (INT64, [400])}, {"y": INT64}, c=np.full(800, 7))
    given = inputs_of_import(import_onnx(saved(model, tmp_path), keep_graph=True), seed=5)
    assert given["a0"].all()
    assert given["x"].all()


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


def test_sample_inputs_are_the_values(relu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forge_mlir.verify import compiled as verify

    seen = []
    right = verify.verify_artifact
    monkeypatch.setattr(verify, "verify_artifact", lambda *a, **k: seen.append(a[3]) or right(*a, **k))
    x = np.full((2, 3), -7, np.float32)
    verify_model(relu, sample_inputs={"x": x})
    np.testing.assert_array_equal(seen[0]["x"], x)
