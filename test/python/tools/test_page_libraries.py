"""The JavaScript libraries that draw reports are those of tools/page_libraries.py, with their licences."""

from __future__ import annotations

import tomllib
from pathlib import Path

from page_libraries import LIBRARIES, LICENSES, VENDOR, digest_of
from sample_models.repository import REPOSITORY


def test_files_are_those_that_were_reviewed() -> None:
    known = {name: digest for library in LIBRARIES for name, digest in library.files.items()}
    assert {file.name: digest_of(file) for file in VENDOR.iterdir()} == known


def test_licences_are_there() -> None:
    licence = tomllib.loads(Path(REPOSITORY, "pyproject.toml").read_text())["project"]["license"]
    for library in LIBRARIES:
        assert library.license in licence.split(" AND ")
        assert "Permission is hereby granted" in (LICENSES / f"{library.title}.txt").read_text()
