"""The programs of a language model, and their facts in the manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from sample_models.tiny_language_model import tiny_language_model


def test_the_decode_step_writes_in_place(tmp_path: Path) -> None:
    artifact = compile(tiny_language_model(), tmp_path, generate=Generation(24, [8]))
    decode = artifact.shape_set("decode").module_path.read_text()
    prefill = artifact.shape_set("prefill").module_path.read_text()
    assert decode.count("forge.op.UpdateCache(") == 2
    assert prefill.count("forge.op.FillCache(") == 2
    facts = artifact.manifest()["generation"]
    assert facts["loopback_outputs"]["decode"] == {"past_key": 1, "past_value": 2}
    assert facts["loopback"]["decode"] == {"present_key": 2, "present_value": 3}
    for module in (decode, prefill):
        assert "CompilerConfig.loopback_outputs:\n    {'past_key': 1, 'past_value': 2}\n" in module
    assert (facts["ids"], facts["mask"], facts["logits"]) == ("input_ids", "attention_mask", "logits")


def test_lengths_that_do_not_fit() -> None:
    with pytest.raises(ForgeError, match="longer than the 4 positions"):
        Generation(4, [8])
    with pytest.raises(ForgeError, match="--max-length 2147483648 is more than 2147483647, the largest int32"):
        Generation(2**31)
    with pytest.raises(ForgeError, match="--batch 100000000 is more than 1048576"):
        Generation(8, batch=10**8)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((1.5,), "must be an integer of at least 1, but is '1.5'"),
        (("8",), "must be an integer of at least 1, but is '8'"),
        ((8, [2.5]), "must be an integer of at least 1, but is '2.5'"),
        ((8, [], 0), "must be an integer of at least 1, but is '0'"),
        ((8, 5), "prompt_lengths: expected a list of integers, but got '5'"),
    ],
)
def test_lengths_that_are_no_integers(arguments: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(ForgeError, match=reason):
        Generation(*arguments)


def test_a_language_model_has_no_cpu_partitions_and_no_error_budget(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="takes no --fallback=cpu"):
        compile(tiny_language_model(), tmp_path / "out", generate=Generation(8), fallback="cpu", cpu_ops=["Softmax"])
    with pytest.raises(ForgeError, match="takes no --error-budget"):
        compile(tiny_language_model(), tmp_path / "out", generate=Generation(8), float_format="mixed", error_budget=0.5)
    assert not (tmp_path / "out").exists()
