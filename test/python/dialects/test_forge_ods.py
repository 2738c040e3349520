"""The ODS records of the forge dialect agree with the facts about Forge's functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge_mlir import _native
from yaml_file import read_yaml

SIGNATURES = read_yaml(Path(__file__).parents[2] / "data" / "forge_signatures.yaml")
FUNCTIONS = {entry["call"]: entry for entry in SIGNATURES if entry["kind"] == "function"}
CALLS = {callee: (op, lowering, arguments) for op, callee, lowering, arguments, _ in _native.forge_calls()}

# Forge accepts these arguments and ignores them, or accepts only one value.
WITHOUT_ATTRIBUTE = {
    "forge.op.MaxPool2d": {"max_pool_add_sub_surround", "max_pool_add_sub_surround_value"},
    "forge.op.AvgPool2d": {"divisor_override"},
}


def test_functions_and_records_agree() -> None:
    assert set(CALLS) == set(FUNCTIONS)


@pytest.mark.parametrize("call", sorted(FUNCTIONS))
def test_arguments_are_the_signature(call: str) -> None:
    names = [argument["arg"].lstrip("*") for argument in FUNCTIONS[call]["signature"][1:]]
    assert CALLS[call][2] == [name for name in names if name not in WITHOUT_ATTRIBUTE.get(call, ())]


@pytest.mark.parametrize("call", sorted(FUNCTIONS))
def test_device_lowering(call: str) -> None:
    entry = FUNCTIONS[call]
    ttir = entry["ttir"]
    # The device lowers IndexCopy only as a rank-4 cache update: forge.fill_cache and forge.update_cache.
    lowers = not ttir.startswith("none") and not ttir.startswith("only the rank-4")
    expected = lowers and entry["callable_from_python"]
    assert bool(CALLS[call][1]) == expected
