"""The folder tables of docs/architecture.md name files that exist, in the folders of their rows."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/architecture.md").read_text()
TRANSFORMS = "lib/Dialect/Forge/Transforms"


def table(head: str) -> list[list[str]]:
    """The cells of the rows of the table with this head."""
    rows = PAGE[PAGE.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def names(cell: str) -> list[str]:
    """What the cell has in backticks, without options and calls."""
    return [name for name in re.findall(r"`([^`]+)`", cell) if re.fullmatch(r"[\w./]+", name)]


def missing(folders: list[Path], cell: str) -> list[str]:
    """The names of the cell that are neither a file nor a folder in these folders."""
    found = [path.relative_to(folder) for folder in folders for path in folder.rglob("*")]
    stems = {str(name) for path in found for name in (path, path.with_suffix(""), path.name, path.stem)}
    return [
        name for name in names(cell) if name.strip("/") not in stems and not name.startswith(("forge", "com.", "lib"))
    ]


def test_folders_of_cpp() -> None:
    wrong = []
    for folder, holds in table("| folder of C++ | holds |"):
        path = folder.strip("`").replace("...", "Dialect/Forge/Transforms")
        folders = [ROOT / "lib" / path, ROOT / "include/forge" / path]
        assert folders[0].is_dir(), folder
        wrong += [f"{folder}: {name}" for name in missing([each for each in folders if each.is_dir()], holds)]
    assert not wrong


def test_every_folder_of_passes_has_a_row() -> None:
    rows = {folder.strip("`") for folder, _ in table("| folder of C++ | holds |")}
    folders = [path for path in (ROOT / TRANSFORMS).rglob("*") if path.is_dir()]
    assert {f".../{path.relative_to(ROOT / TRANSFORMS)}" for path in folders} <= rows


def test_families_of_converters() -> None:
    base = ROOT / "lib/Conversion/OnnxToForge"
    wrong, unnamed = [], []
    for family, files in table("| family | files by op; others |"):
        folder = base / family.strip("`")
        wrong += [f"{family}: {name}" for name in missing([folder], files)]
        # Files of one op are all named; those of the family, and what its converters share, need not be.
        converters = [path for path in folder.glob("*.cpp") if f"Values forge::convert{path.stem}(" in path.read_text()]
        unnamed += [str(path) for path in converters if path.stem not in names(files)]
    assert not wrong
    assert not unnamed


def test_packages_of_python() -> None:
    base = ROOT / "python/forge_mlir"
    rows = table("| package or module | holds | may import |")
    wrong = []
    for packages, holds, _ in rows:
        first, *others = names(packages)
        folders = [
            base / first,
            *(base / name if (base / name).exists() else (base / first).parent / name for name in others),
        ]
        assert all(folder.exists() for folder in folders), packages
        packages_of_row = [folder for folder in folders if folder.is_dir()]
        wrong += [f"{packages}: {name}" for name in missing(packages_of_row, holds) if packages_of_row]
    assert not wrong
    rowed = {name for packages, *_ in rows for name in names(packages)}
    made = {path.name for path in base.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert made <= rowed
