"""Every ONNX op that is registered is in its family's table, and has a lit file in the same folder of the tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forge_mlir import _native

ROOT = Path(__file__).parents[3]
CONVERTERS = ROOT / "lib/Conversion/OnnxToForge"
LIT = ROOT / "test/Conversion/OnnxToForge"
DOMAINS = {"Domains/Microsoft": "com.microsoft"}
ROW = re.compile(r'^ *\{"(\w+)", \{([\d, ]+)\}, [\w:<>]+\},$', re.MULTILINE)
# An op of another domain that belongs to the family.
GUEST = re.compile(r'registry\.add\(\{\{"(\w+)", \{([\d, ]+)\}, [\w:<>]+\}\}, "([\w.]+)"\)')


def _tables() -> dict[str, dict[str, set[int]]]:
    """The ops of each family with their versions, read from the tables."""
    tables = {}
    for header in sorted(CONVERTERS.glob("**/")):
        table = header / f"{header.name}.cpp"
        if header != CONVERTERS and table.exists():
            text = table.read_text()
            rows = ROW.findall(text) + [row[:2] for row in GUEST.findall(text)]
            tables[header.relative_to(CONVERTERS).as_posix()] = {
                op: {int(version) for version in versions.split(",")} for op, versions in rows
            }
    return tables


TABLES = _tables()
GUESTS = {op: domain for path in CONVERTERS.rglob("*.cpp") for op, _, domain in GUEST.findall(path.read_text())}
OPS = [(family, op) for family, table in TABLES.items() for op in table]


def test_the_tables_are_what_is_registered() -> None:
    listed = {
        (GUESTS.get(op, DOMAINS.get(family, "")), op, since)
        for family, table in TABLES.items()
        for op, versions in table.items()
        for since in versions
    }
    assert listed == set(_native.registered_ops())


def test_every_family_is_registered() -> None:
    registered = set(re.findall(r"register(\w+)Ops\(", (CONVERTERS / "RegisterAll.cpp").read_text()))
    assert registered == {family.rpartition("/")[2] for family in TABLES}


@pytest.mark.parametrize(("family", "op"), OPS, ids=[f"{family}/{op}" for family, op in OPS])
def test_every_op_has_a_lit_file(family: str, op: str) -> None:
    text = (LIT / family / f"{op}.mlir").read_text()
    assert f'"onnx.{op}"' in text, "the file does not use the op"
    assert "// CHECK" in text, "the file checks nothing"


@pytest.mark.parametrize("family", TABLES)
def test_an_op_is_in_the_family_that_has_its_file(family: str) -> None:
    """A file that is named like an op holds that op's converter."""
    ops = {op for _, op in OPS}
    for file in (CONVERTERS / family).glob("*.cpp"):
        if file.stem in ops and file.stem != family.rpartition("/")[2]:
            assert file.stem in TABLES[family], f"{file.name} is named like an op of another family"


@pytest.mark.parametrize("family", TABLES)
def test_lit_files_are_in_their_family(family: str) -> None:
    for file in (LIT / family).glob("*.mlir"):
        assert file.stem.partition("-")[0] in TABLES[family], f"{file.name} tests no op of this family"
