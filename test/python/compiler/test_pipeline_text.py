"""Options as the text of a pass pipeline."""

from __future__ import annotations

from forge_mlir.compiler.pipeline_text import assignment, pipeline


def test_options_are_those_of_their_passes() -> None:
    assert pipeline({}) == "builtin.module(onnx-to-forge-pipeline{})"
    assert pipeline({"fallback": "cpu", "float_format": "mixed"}) == (
        "builtin.module(func.func(forge-assign-devices{}),forge-partition{},onnx-to-forge-pipeline{float-format=mixed})"
    )
    assert pipeline({}, explain_layout=True) == "builtin.module(onnx-to-forge-pipeline{ layout-remarks=true})"


def test_text_is_encoded_where_the_syntax_requires_it() -> None:
    assert "keep-float32=a%20b%2Cc,/x}" in pipeline({"keep_float32": ["a b,c", "/x"]})
    passes = "forge-apply-patterns{files=/tmp/a%2Cb.mlir},func.func(forge-assign-devices{})"
    assert assignment({"patterns": ["/tmp/a,b.mlir"]}) == f"builtin.module({passes})"
