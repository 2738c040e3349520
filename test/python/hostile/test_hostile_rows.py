"""Every row of the catalogue of bad inputs (test/data/bad_inputs.yaml) has a test, and every test here has a row."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from hostile_models import agrees, text

from yaml_file import read_yaml

CATALOGUE = read_yaml(Path(__file__).parents[2] / "data/bad_inputs.yaml")


def written() -> set[str]:
    found = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        functions = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        found.update(function.name for function in functions if function.name.startswith("test_"))
    return found


def test_every_row_has_a_test() -> None:
    rows = CATALOGUE["rows"]
    counts = {"N": 18, "V": 4, "F": 10, "G": 7, "S": 9, "R": 5}
    assert set(rows) == {f"{family}{at}" for family, count in counts.items() for at in range(1, count + 1)}
    covered = {found[1] for name in written() if (found := re.match(r"test_([A-Z]\d+)_", name))}
    assert covered == set(rows)


def test_every_measured_case_has_a_test() -> None:
    named = {name for names in CATALOGUE["measured"].values() for name in names}
    assert len(CATALOGUE["measured"]) == 26
    assert named <= written()


def test_M_an_empty_graph_name(tmp_path: Path) -> None:
    proto = text("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    proto.graph.name = ""
    agrees(proto, tmp_path)
