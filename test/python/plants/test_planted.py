"""Planted errors: each is a text in the current sources, and has a model that compiles; `make plants` runs them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import forge_mlir
from plants import table
from plants.planted import REPOSITORY, Plant, planted_source, plants
from plants.table import Row

PLANTS = plants()


def test_there_is_one_for_each_family() -> None:
    assert {"S1", "S2", "S3", "S5"} <= {plant.name for plant in PLANTS}
    assert len({plant.family for plant in PLANTS}) >= 13


@pytest.mark.parametrize("file", sorted({plant.file for plant in PLANTS}))
def test_the_text_is_in_the_sources(file: Path) -> None:
    of_file = [plant for plant in PLANTS if plant.file == file]
    planted = planted_source((REPOSITORY / file).read_text(encoding="utf-8"), of_file)
    for plant in of_file:
        assert f'planted("{plant.name}")' in planted


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_its_variables_are_those_of_the_sources(plant: Plant) -> None:
    """A variable that was renamed would be noticed only when `make plants` compiles the errors."""
    source = (REPOSITORY / plant.file).read_text(encoding="utf-8")
    for _, new in plant.changes:
        code = re.sub(r'"[^"]*"|//.*', "", new)
        declared = set(re.findall(r"\w+ (\w+) =", code))
        variables = set(re.findall(r"(?<![\w.:])[a-z]\w*\b(?! *\()", code)) - declared
        assert {name for name in variables if not re.search(rf"\b{name}\b", source)} == set()


def test_a_missing_text_is_an_error() -> None:
    text = (REPOSITORY / PLANTS[0].file).read_text(encoding="utf-8")
    (old, _), *_ = PLANTS[0].changes
    with pytest.raises(ValueError, match="plant S1: 0 places"):
        planted_source(text.replace(old, ""), PLANTS[:1])
    with pytest.raises(ValueError, match="plant S1: 2 places"):
        planted_source(text + old, PLANTS[:1])


@pytest.mark.alike(keep=6)
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_the_graph_is_right_without_the_error(plant: Plant) -> None:
    assert forge_mlir.verify(plant.model(), layout="tiles" if "--tiles" in plant.options else "none").passed


def test_an_error_that_is_not_found_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(table, "DOCUMENT", tmp_path / "page.md")
    (tmp_path / "page.md").write_text(f"# A\n\n{table.BEGIN}old\n{table.END}\nb\n")
    rows = [
        Row(PLANTS[0], 2.6, ((7.4, "forge-fold-weights"), None)),
        Row(PLANTS[1], None, ((1.0, "x"), (2.0, "x"))),
        Row(PLANTS[2], 2.6, ((7.4, "x"), (2.0, "x"))),
    ]
    assert [row.is_found for row in rows] == [False, False, True]
    assert rows[0].text((0, 9)) == "S1: bisect 3 s; seed 0: 7 s by forge-fold-weights; seed 9: not found"
    table.write(rows)
    lines = (tmp_path / "page.md").read_text().splitlines()
    assert lines[3] == "| error | pass | slowest search |"
    assert lines[5].endswith("| `--forge-fold-weights` | not found |")
    assert lines[6].endswith("| not found |")
    assert lines[7].endswith("| 7 s |")
    assert (lines[0], lines[-1]) == ("# A", "b")


def test_the_page_lists_the_current_errors() -> None:
    _, rest = table.DOCUMENT.read_text(encoding="utf-8").split(table.BEGIN)
    rows = rest.split(table.END)[0].splitlines()[2:]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [plant.what for plant in PLANTS]
    assert "not found" not in rest.split(table.END)[0]
