"""Compilations for the comparison, which have a trace."""

from __future__ import annotations

from pathlib import Path

import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest
from onnx import parser

from forge_mlir import compile
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import Profile, verify_model
from sample_models.probe import mixed


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def test_a_trace_changes_nothing_else(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    plain, (with_trace, _) = compile(path, tmp_path / "a"), compile_traced(path, tmp_path / "b")
    assert plain.module_path.read_bytes() == with_trace.module_path.read_bytes()
    manifest = with_trace.manifest()
    assert manifest.pop("trace")
    assert all(weight.pop("source") for weight in manifest["weights"])
    # The field generator has the hash of the text.
    assert {**manifest, "generator": ""} == {**plain.manifest(), "generator": ""}


@pytest.mark.parametrize("profile", ["integers", "mixed", "normal"])
def test_integers_have_the_goldens_of_their_own_inputs(profile: Profile, tmp_path: Path) -> None:
    """Goldens of a model of few nodes are computed together, before the runs."""
    text = """<ir_version: 9, opset_import: ["" : 21]>
        g (int32[3, 4] x) => (int32[3, 4] y) { seven = Constant<value = int32 {7}>() y = Mod(x, seven) }"""
    found = verify_model(saved(parser.parse_model(text), tmp_path), profiles=(profile,), alone=False)
    assert (found.verdict, found.reasons) == ("right", ())


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("s = Mul(x, k) y = Cast<to = 6>(s)", "wrong"),
        (
            "y = If(c) <then_branch = t () => (int32[3, 4] r) { r = Cast<to = 6>(x) }, "
            "else_branch = e () => (int32[3, 4] r) { s = Mul(x, k) r = Cast<to = 6>(s) }>",
            "undecided",
        ),
    ],
)
def test_an_overflow_in_a_branch_may_be_of_no_effect(text: str, verdict: str, tmp_path: Path) -> None:
    """The CPU reference computes both branches, and stops at an overflow of either."""
    head = '<ir_version: 9, opset_import: ["" : 21]> g (bool c, float[3, 4] x) => (int32[3, 4] y) <float k = {1e30}>'
    path = saved(parser.parse_model(f"{head} {{ {text} }}"), tmp_path)
    found = verify_model(path, profiles=("normal",), alone=False)
    assert found.verdict == verdict
    assert ("branch or an iteration" in found.reasons[0]) == (verdict == "undecided")
