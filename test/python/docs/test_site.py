"""The documents build as a site without broken links."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sample_models.repository import REPOSITORY

pytest.importorskip("mkdocs")

from build_docs import FOLDERS, PAGES, build


def test_the_site(tmp_path: Path) -> None:
    assert build(tmp_path / "site") == 0
    page = (tmp_path / "site" / "docs" / "guides" / "debugging" / "index.html").read_text()
    assert "Debugging a wrong result" in page
    assert "reference/passes" in page


def test_a_broken_link_is_an_error(tmp_path: Path) -> None:
    for page in PAGES:
        shutil.copyfile(REPOSITORY / page, tmp_path / page)
    for folder in FOLDERS:
        shutil.copytree(REPOSITORY / folder, tmp_path / folder)
    with (tmp_path / "README.md").open("a") as file:
        file.write("\n[nowhere](docs/nowhere.md)\n")
    assert build(tmp_path / "site", tmp_path) != 0
