"""Every op has the signature that generated modules rely on."""

import importlib
import inspect
from typing import Any

import pytest

from forge_mlir import runtime as forge
from sample_models.repository import REPOSITORY
from yaml_file import read_yaml

ENTRIES: list[dict[str, Any]] = read_yaml(REPOSITORY / "test" / "data" / "forge_signatures.yaml")
FUNCTIONS = [entry for entry in ENTRIES if entry["kind"] == "function"]
CLASSES = [entry for entry in ENTRIES if entry["kind"] == "module_class"]
KINDS = {
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword_only",
    inspect.Parameter.VAR_POSITIONAL: "var_positional",
}


def lookup(call: str) -> Any:
    found: Any = forge
    for part in call.split(".")[1:]:
        found = getattr(found, part)
    return found


def facts(function: Any, skip_self: bool = False) -> list[tuple[str, str, str | None]]:
    parameters = list(inspect.signature(function).parameters.values())[skip_self:]
    return [
        (
            p.name,
            KINDS[p.kind],
            None if p.default is p.empty else str(p.default) if p.name == "dtype" else repr(p.default),
        )
        for p in parameters
    ]


def expected(arguments: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
    return [(a["arg"], a["kind"], a.get("default")) for a in arguments]


def by_name(entry: dict[str, Any]) -> str:
    return str(entry["name"])


def test_the_data_is_complete() -> None:
    assert len(FUNCTIONS) == 78
    assert len(CLASSES) == 15
    assert {e["name"] for e in FUNCTIONS if not e["callable_from_python"]} == {"ConstantPad", "Downsample2d"}


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_signature(entry: dict[str, Any]) -> None:
    assert facts(lookup(entry["call"])) == expected(entry["signature"])


@pytest.mark.parametrize("entry", CLASSES, ids=by_name)
def test_forward_signature(entry: dict[str, Any]) -> None:
    assert facts(lookup(entry["call"]).forward, skip_self=True) == expected(entry["forward_signature"])


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_an_op_lives_in_the_file_of_its_family_and_is_documented(entry: dict[str, Any]) -> None:
    family = importlib.import_module(f"forge_mlir.runtime.op.{entry['family']}")
    op = lookup(entry["call"])
    assert getattr(family, entry["name"]) is op
    assert entry["call"] in op.__doc__


def test_forge_op_offers_nothing_else() -> None:
    offered = {name for name in forge.op.__all__ if name not in ("nn", "loss")}
    assert offered == {e["name"] for e in ENTRIES if e["call"] == f"forge.op.{e['name']}"}
