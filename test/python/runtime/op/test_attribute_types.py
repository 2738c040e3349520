"""Every attribute of an op accepts only values of the type that Forge declares for it."""

from __future__ import annotations

from typing import Any

import pytest
from test_constraints import BIG, ONE_CASE
from test_signatures import FUNCTIONS

from forge_mlir import runtime as forge

SCALARS = [
    (entry["name"], attribute, kind)
    for entry in FUNCTIONS
    if entry["callable_from_python"] and entry["name"] != "Constant"
    for attribute, kind in entry["attributes"].items()
    if attribute in {a["arg"] for a in entry["signature"]}
    and not (attribute == "channel_last" and "Pool" in entry["name"])  # the one flag that Forge converts
    and kind in ("int", "float", "bool")
    and (entry["name"], attribute) not in {("Cast", "dtype"), ("Identity", "unsqueeze_dim"), ("Pad", "mode")}
]


# None is a default here; a very negative stop fits 32 bits after the size is added.
LEGAL = [("Argmax", "dim", None), ("Index", "stop", None), ("Index", "stop", -BIG - 1)]


@pytest.mark.parametrize(("op", "attribute", "kind"), SCALARS)
def test_every_scalar_attribute_is_strictly_typed(op: str, attribute: str, kind: str) -> None:
    """The types are those in the data: no value of another type is accepted, and no int beyond 32 bits."""
    case = ONE_CASE[op]
    operands = [forge.Tensor.create_from_torch(x) for x in case.operands]
    wrong: list[Any] = {
        "float": [1, True, None, "1.0", [1]],
        "bool": [0, 1, None, 1.0, "True"],
        "int": [1.0, True, "1", None, BIG, -BIG - 1, [0.5]],
    }[kind]
    for value in wrong:
        if (op, attribute, value) in LEGAL:
            continue
        with pytest.raises((RuntimeError, TypeError, AssertionError)):
            getattr(forge.op, op)("", *operands, **{**case.attributes, attribute: value})
