"""The includes between folders of the C++ have no cycle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sample_models.repository import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tools"))

from include_cycles import main


def test_the_source_has_no_cycle() -> None:
    assert main(REPOSITORY) == 0


def test_a_cycle_is_shown_include_by_include(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "include/forge/A/A.h": '#include "forge/B/B.h"\n',
        "include/forge/B/B.h": "",
        "lib/B/Inner/B.cpp": '#include "forge/C/C.h"\n',
        "lib/B/B.cpp": '#include "forge/C/C.h"\n#include "Inner/B.h"\n',
        "lib/B/Inner/B.h": '#include "../Own.h"\n',
        "lib/B/Own.h": "",
        "include/forge/C/C.h": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(tmp_path) == 0
    (tmp_path / "include/forge/C/C.h").write_text('#include "forge/A/A.h"\n')
    assert main(tmp_path) == 1
    shown = capsys.readouterr().out
    assert 'C -> A: include/forge/C/C.h includes "forge/A/A.h"' in shown
    assert "error: folders include each other in a cycle" in shown
