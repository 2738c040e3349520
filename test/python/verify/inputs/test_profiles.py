"""Profiles draw inputs for which models are often compiled wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.errors import ForgeError
from forge_mlir.importer import ImportedModel
from forge_mlir.verify import verify_model
from forge_mlir.verify.inputs.profiles import PROFILES, Profile, checked_profiles, profile_inputs, seeds_of
from sample_models.probe import FLOAT, INT64, build, node, weights

Compiled = tuple[dict[str, object], ImportedModel | None]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """The manifest and the graph of an embedding, a mask, and integers that are no indices."""
    nodes = [
        node("Gather", ["table", "index"], ["rows"], "rows"),
        node("Add", ["rows", "x"], ["sum"], "sum"),
        node("Cast", ["number"], ["float"], "float", to=FLOAT),
        node("Mul", ["sum", "float"], ["y"], "product"),
    ]
    inputs = {"index": (INT64, [40]), "x": (FLOAT, [40, 64]), "number": (INT64, [40, 64])}
    path: Path = tmp_path_factory.mktemp("profiles")
    onnx.save(build(nodes, inputs, {"y": FLOAT}, table=weights(12, 64)), path / "m.onnx")
    artifact, imported = compile_traced(path / "m.onnx", path / "out")
    return artifact.manifest(), imported


def drawn(compiled: Compiled, profile: Profile) -> dict[str, np.ndarray]:
    manifest, imported = compiled
    return dict(profile_inputs(profile, manifest, 0, imported))


@pytest.mark.parametrize("profile", PROFILES)
def test_indices_are_in_range(compiled: Compiled, profile: Profile) -> None:
    index = drawn(compiled, profile)["index"]
    assert index.min() >= -12
    assert index.max() < 12
    assert (index.min() < 0) == (profile not in ("normal", "special"))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("is_offset", [False, True])
def test_positions_of_rotary_embeddings_have_rows(profile: Profile, is_offset: bool, tmp_path: Path) -> None:
    """Also the last position of a sequence that begins at an offset; none is negative."""
    order = ["x", "p", "cos", "sin"] if is_offset else ["x", "cos", "sin", "p"]
    domain = "com.microsoft" if is_offset else ""
    rotary = node("RotaryEmbedding", order, ["y"], "rotary", domain=domain, num_heads=2)
    inputs = {"x": (FLOAT, [2, 6, 16]), "p": (INT64, [1] if is_offset else [2, 6])}
    tables = {"cos": weights(9, 4), "sin": weights(9, 4)}
    model = build([rotary], inputs, {"y": FLOAT}, opset=23, **tables)
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    first = profile_inputs(profile, artifact.manifest(), 0, imported)["p"]
    assert first.min() >= 0
    assert first.max() < (9 - 5 if is_offset else 9)


def test_wide(compiled: Compiled) -> None:
    x = np.abs(drawn(compiled, "wide")["x"])
    assert x.min() < 1e-3
    assert x.max() > 1e3


def test_negative(compiled: Compiled) -> None:
    assert (drawn(compiled, "negative")["x"] <= 0).all()


def test_degenerate(compiled: Compiled) -> None:
    x = drawn(compiled, "degenerate")["x"]
    assert (x == 0).all(axis=1).any()
    assert ((x == x[:, :1]).all(axis=1) & (x[:, 0] != 0)).any()
    assert ((x != 0).sum(axis=1) == 1).any()


def test_special(compiled: Compiled) -> None:
    """NaN, both infinities, the largest and the smallest numbers occur in separate rows; some rows have none of
    them."""
    x = drawn(compiled, "special")["x"]
    tiny = (x != 0) & (np.abs(x) < 1e-37)
    kinds = [np.isnan(x), x == np.inf, x == -np.inf, np.abs(x) == np.finfo(np.float32).max, tiny]
    assert all(kind.any() for kind in kinds)
    assert (np.sum([kind.any(axis=1) for kind in kinds], axis=0) <= 1).all()
    ordinary = np.isfinite(x).all(axis=1) & (np.abs(x) < 10).all(axis=1)
    assert 0.25 < ordinary.mean() < 0.75


def test_special_values_of_one_row(tmp_path: Path) -> None:
    """They are of one kind, which the seed selects."""
    onnx.save(build([node("Neg", ["x"], ["y"], "y")], {"x": (FLOAT, [40])}, {"y": FLOAT}), tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    found = [profile_inputs("special", artifact.manifest(), seed, imported)["x"] for seed in range(20)]
    assert {bool(np.isnan(x).any()) for x in found} == {True, False}
    assert not any(np.isnan(x).any() and np.isinf(x).any() for x in found)
    assert all(np.isfinite(x).sum() >= 30 for x in found)


def test_large_integers(compiled: Compiled) -> None:
    assert np.abs(drawn(compiled, "integers")["number"]).max() > 1 << 19


@pytest.mark.parametrize(("op", "least", "most"), [("Max", 1 << 30, 1 << 31), ("Mul", 1 << 8, 1 << 16)])
def test_integers_are_as_large_as_the_device_computes(
    op: str, least: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Operands of a maximum are drawn from all of Int32, factors such that their products fit."""
    seen: list[int] = []

    def watched(*args: Any, **kwargs: Any) -> Any:
        inputs = profile_inputs(*args, **kwargs)
        seen.append(max(int(np.abs(value).max()) for value in inputs.values()))
        return inputs

    monkeypatch.setattr("forge_mlir.verify.compiled.profile_inputs", watched)
    shapes: dict[str, tuple[int, Sequence[int | str]]] = {name: (INT64, [64, 64]) for name in "ab"}
    onnx.save(build([node(op, ["a", "b"], ["y"], "node")], shapes, {"y": INT64}), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", profiles=["integers"]).verdict == "right"
    assert least <= seen[-1] < most


@pytest.mark.parametrize("name", ["x", "number", "index"])
def test_ties(compiled: Compiled, name: str) -> None:
    """Most rows have their largest and their smallest element more than once; indices as well."""
    value = np.atleast_2d(drawn(compiled, "ties")[name])
    for end in (value.max(axis=-1), value.min(axis=-1)):
        assert ((value == end[:, None]).sum(axis=-1) > 1).mean() > 0.9


def test_slices_are_equal(compiled: Compiled) -> None:
    """Two rows are equal, so that the position of the largest element of a column is a tie after any product of the
    rows."""
    x = drawn(compiled, "ties")["x"]
    assert len(np.unique(x, axis=0)) == len(x) - 1


@pytest.mark.parametrize(("op", "has_halves"), [("Round", True), ("Tanh", False)])
def test_rounded_products_have_midpoints(op: str, has_halves: bool, tmp_path: Path) -> None:
    """Whatever scale a model has, some product is midway between two integers."""
    nodes = [node("Mul", ["x", "w"], ["p"], "product"), node(op, ["p"], ["y"], "rounded")]
    factor = np.float32(3.7)
    onnx.save(build(nodes, {"x": (FLOAT, [40, 64])}, {"y": FLOAT}, w=factor), tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    x = drawn((artifact.manifest(), imported), "ties")["x"]
    assert bool(((x * factor) % 1 == 0.5).any()) == has_halves


def test_names() -> None:
    assert checked_profiles(["all"]) == PROFILES
    assert checked_profiles(["ties", "ties", "wide"]) == ("ties", "wide")
    with pytest.raises(ForgeError, match="there is no profile 'tie'"):
        checked_profiles(["tie"])


def test_an_optional_tensor_is_drawn_by_each_profile(tmp_path: Path) -> None:
    model = build([node("OptionalGetElement", "o", "y")], {"o": (FLOAT, [2, 3])}, {"y": FLOAT})
    optional = onnx.helper.make_optional_type_proto(model.graph.input[0].type)
    model.graph.input[0].type.CopyFrom(optional)
    onnx.save(model, tmp_path / "net.onnx")
    assert verify_model(tmp_path / "net.onnx", fallback="cpu").passed


def test_special_numbers_are_drawn_three_times_for_large_models() -> None:
    """Inputs with fewer than eight rows do not have all kinds of special numbers."""
    manifest = {"onnx": {"nodes": 100}, "inputs": [{"shape": [4, 16]}]}
    assert (seeds_of(manifest, "special"), seeds_of(manifest)) == (3, 1)
