"""Delta debugging: nothing that is left can be removed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.reduce import Case, capture, minimize, reduce_case
from forge_mlir.verify import verify_artifact
from resealing import replace_module
from sample_models.probe import chain


def test_minimize_is_one_minimal() -> None:
    calls = 0

    def holds(items: list[int]) -> bool:
        nonlocal calls
        calls += 1
        return {3, 77, 150} <= set(items)

    assert minimize(range(200), holds) == [3, 77, 150]
    assert calls < 200


def test_a_planted_mismatch(tmp_path: Path) -> None:
    """A compiler that lowers Sin to a cosine."""

    def fails(case: Case) -> bool:
        path = tmp_path / "case.onnx"
        onnx.save(case.model, path)
        artifact, imported = compile_traced(path, tmp_path / "out")
        source = artifact.module_path.read_text()
        replace_module(artifact, source.replace("forge.op.Sine(", "forge.op.Cosine("))
        return not verify_artifact(path, artifact, imported, case.inputs).passed

    model = chain(40)
    model.graph.node[23].op_type = "Sin"
    case = capture(model, {"v0": np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)})
    reduced = reduce_case(case, fails)
    assert [(n.op_type, n.name) for n in reduced.nodes] == [("Sin", "node 23")]
    assert [value.name for value in reduced.model.graph.input] == ["v23"]
    assert reduced.inputs["v23"].shape == (1, 1), "sizes shrink too"
    np.testing.assert_array_equal(reduced.inputs["v23"], case.values["v23"][:1, :1])
