"""The tables of docs/files.md name every file, in the row of its folder, and only files that exist. What follows from a
rule of docs/architecture.md is not named; the rules hold for all files."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = "\n\n".join((ROOT / f"docs/{name}.md").read_text() for name in ("architecture", "files"))
TRANSFORMS = "Dialect/Forge/Transforms"
TOPS = [
    "lib",
    "include/forge",
    "python/forge_mlir",
    "python/native",
    "test",
    "tools",
    "cmake",
    "benchmarks",
    ".ci",
    "models",
    "examples",
]
# What every folder may have, and formats of data.
_UNNAMED = re.compile(
    r"CMakeLists\.txt|_\w+\.py|py\.typed|make\.py|README\.md|\..*|\d\d-.*\.itd|.*\.(mlirbc|npz|onnx|png|svg|pyi)"
)
# Folders of data, of made files, and of tables that are not on this page.
_NO_ROWS = re.compile(
    r"(Inputs|equivalence/plants|cases|fuzz/found|vendor|figures|stub_dialects|__pycache__|test/Conversion/.*)(/|$)"
)


def table(head: str) -> list[list[str]]:
    """The cells of the rows of the table with this head."""
    rows = PAGE[PAGE.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def names(cell: str) -> list[str]:
    """What the cell has in backticks, without options and calls."""
    return [name.strip("/") for name in re.findall(r"`([^`]+)`", cell) if re.fullmatch(r"[\w./-]+", name)]


def kebab(stem: str) -> str:
    """`fold-scales` for FoldScales."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", stem).lower()


def folders_of(head: str, *bases: str) -> Iterator[tuple[list[Path], str]]:
    """The folders of each row below `bases`, and the text of the row."""
    for cells in table(head):
        for name in [""] if cells[0] == "(top)" else names(cells[0].replace("...", TRANSFORMS)):
            if not name.endswith(".py"):
                found = [ROOT / base / name for base in bases if (ROOT / base / name).is_dir()]
                assert found, f"{cells[0]}: there is no such folder"
                yield found, " ".join(cells[1:])


ROWS = [
    *folders_of("| folder of C++ | holds |", "lib", "include/forge"),
    *folders_of("| family | files by op; others |", "lib/Conversion/OnnxToForge"),
    *folders_of("| package or module | holds |", "python/forge_mlir"),
    *folders_of("| folder of `test` | files |", "test"),
    *folders_of("| folder | files |", "test/python"),
    *folders_of("| folder of `test` | holds |", "test"),
    *folders_of("| folder | holds |", "."),
]


@cache
def merged() -> dict[Path, str]:
    """The text of all rows of each folder."""
    modules = " ".join(first for first, _ in table("| package or module | holds |"))
    rows = {ROOT / "python/forge_mlir": f"{modules} `diagnostics.toml`"}
    for folders, text in ROWS:
        for folder in folders:
            rows[folder.resolve()] = rows.get(folder.resolve(), "") + " " + text
    return rows


@cache
def sources_below(folder: Path) -> list[str]:
    """The names of C++ files in this folder of `lib` or `include/forge` and below, in kebab case."""
    files = (path for top in ("lib", "include/forge") for path in (ROOT / top / folder).rglob("*.*"))
    return [kebab(path.stem) for path in files]


def is_named(stem: str, sources: Iterable[str], separator: str, others: set[str]) -> bool:
    """Whether a test with this stem is named for a source, or for a source and a topic if a test without topic is among
    the others."""
    ends = ("", "-invalid") if separator == "-" else ("",)
    return any(
        stem == source + end or (stem.startswith(source + separator) and source + end in others)
        for source in sources
        for end in ends
    )


def is_of_a_source(path: Path) -> bool:
    """Whether a lit file or a Python test is named for a source. A file with a topic is not the only one."""
    folder = path.parent.relative_to(ROOT / "test")
    if path.suffix != ".py":
        if folder == Path("Dialect/Forge/IR/Ops"):
            stems = [kebab(source.stem.removesuffix("Ops")) for source in (ROOT / "lib" / folder).glob("*Ops.cpp")]
        else:
            stems = sources_below(folder)
        return is_named(path.stem, stems, "-", {other.stem for other in path.parent.glob("*.mlir")})
    package = ROOT / "python/forge_mlir" / folder.relative_to("python")
    own = [source.stem.rstrip("_") for source in package.glob("[!_]*")] if package.is_dir() else []
    name = path.stem.removeprefix("test_")
    others = {other.stem.removeprefix("test_") for other in path.parent.glob("test_*.py")}
    return is_named(name, own, "_", others) or is_named(name, [folder.name], "_", {folder.name})


def is_covered(path: Path, text: str) -> bool:
    """Whether the row with this text, or a rule, says where `path` is."""
    stem = path.name.split(".")[0]
    known = {name for word in names(text) for name in (word, Path(word).stem)}
    if {stem, path.name, path.stem} & known or re.search(rf"(?<![\w-]){kebab(stem)}(?![\w-])", text):
        return True
    where = path.relative_to(ROOT).parts
    if where[0] == "test":
        return is_of_a_source(path)
    families = where[:3] == ("lib", "Conversion", "OnnxToForge") and stem == path.parent.name
    commands = where[:4] == ("python", "forge_mlir", "cli", "commands")  # test_commands checks the names.
    return families or commands or re.fullmatch(r"(Forge)?\w+Ops\.(td|cpp)|\w*Passes\.(td|h)", path.name) is not None


def test_every_file_is_named() -> None:
    rows, wrong = merged(), []
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            place = str(path.relative_to(ROOT))
            if path.is_dir() or _UNNAMED.fullmatch(path.name) or _NO_ROWS.search(place):
                continue
            text = next((rows[folder] for folder in path.parents if folder in rows), "")
            if top == "include/forge":  # A source may be in a folder below that of its header.
                deeper = (ROOT / "lib" / path.parent.relative_to(ROOT / "include/forge")).glob("**/")
                text += "".join(rows.get(folder, "") for folder in deeper)
            if not is_covered(path, text):
                wrong.append(place)
    assert not wrong


def test_every_name_is_of_a_file() -> None:
    wrong = []
    for folders, text in ROWS:
        found = [path for folder in folders for path in (folder.glob("*") if folder == ROOT else folder.rglob("*"))]
        stems = {str(path.relative_to(folder)) for folder in folders for path in found if folder in path.parents}
        stems |= {name for path in found for name in (path.name, path.stem, path.name.split(".")[0])}
        others = [name for name in names(text) if name not in stems and not (ROOT / name).exists()]
        wrong += [
            f"{folders[0]}: {name}" for name in others if not re.match(r"forge|com\.|test/|on_pass|-|NN|op$", name)
        ]
    assert not wrong


def test_every_folder_has_a_row() -> None:
    rows = merged()
    for base in ("lib/Dialect", "lib/Target", "lib/Conversion/OnnxToForge", "python/forge_mlir", "test/fuzz"):
        folders = {path.parent for path in (ROOT / base).rglob("*") if path.suffix in (".cpp", ".py", ".td")}
        without = [str(folder) for folder in folders if folder not in rows and not _NO_ROWS.search(str(folder))]
        assert [each for each in without if not each.endswith(("/Blocks", "/vendor"))] == []


def test_families_of_converters() -> None:
    """An op is in the file of its name, in the file of the family, or named in the row of the family."""
    base = ROOT / "lib/Conversion/OnnxToForge"
    sources = {path: path.read_text() for path in base.rglob("*.cpp")}
    defined = {}
    for path, text in sources.items():
        for name in re.findall(r"^\w*Values forge::(?:microsoft::)?(convert\w+)\(", text, re.MULTILINE):
            defined[path.parent, name] = path
    rows = {base / family.strip("`"): files for family, files in table("| family | files by op; others |")}
    wrong, count = [], 0
    for table_of, text in sources.items():
        for op, name in re.findall(r'\{"([A-Z]\w+)", \{[\d, ]+\}, (?:microsoft::)?(\w+)', text):
            path, count = defined.get((table_of.parent, name), table_of), count + 1
            if path.stem in (op, path.parent.name):
                continue
            if not re.search(rf"\b{op}\b", rows[path.parent]):
                wrong.append(f"{op} in {path.relative_to(base)}")
    assert not wrong
    assert count > 200


def test_families_of_ops() -> None:
    """The record of an op, its verifier and its tests are in the files of one family."""
    records = ROOT / "include/forge/Dialect/Forge/IR/Ops"
    tests = ROOT / "test/Dialect/Forge/IR/Ops"
    families = {path.stem.removeprefix("Forge").removesuffix("Ops"): path for path in records.glob("*.td")}
    listed = [
        set(re.findall(r"\b[A-Z]\w+", line.split(":")[1].replace("`Domains/", "`")))
        for line in PAGE.split("is a family of ops", 1)[1].split("\n###")[0].split("\n- ")[1:]
    ]
    shared, converters, dialect = listed
    folders = ROOT / "lib/Conversion/OnnxToForge"
    assert shared | converters == {path.parent.name for path in folders.rglob("*.cpp") if path.stem == path.parent.name}
    assert shared | dialect == set(families)
    for family, path in families.items():
        source = (ROOT / f"lib/Dialect/Forge/IR/Ops/{family}Ops.cpp").read_text()
        ops = set(re.findall(r"^def Forge_(\w+Op)\b", path.read_text(), re.MULTILINE))
        others = set().union(
            *(
                re.findall(r"^def Forge_(\w+Op)\b", other.read_text(), re.M)
                for other in families.values()
                if other != path
            )
        )
        assert not {op for op in re.findall(r"\b(\w+Op)::\w+\(", source) if op in others}, family
        assert ops
        for name in (f"{kebab(family)}.mlir", f"{kebab(family)}-invalid.mlir"):
            assert (tests / name).is_file(), name


@cache
def registered_passes() -> dict[str, Path]:
    """The names of passes without the prefix, with the file of the record."""
    found = {}
    for path in (ROOT / "include/forge").rglob("*Passes.td"):
        for name in re.findall(r': Pass<"(?:forge-)?([\w-]+)"', path.read_text()):
            found[name] = path
    return found


@cache
def lit_tests() -> set[str]:
    return {path.stem for path in (ROOT / "test").rglob("*.mlir")}


@pytest.mark.parametrize("name", sorted(registered_passes()))
def test_a_pass_is_in_the_file_of_its_name(name: str) -> None:
    record = registered_passes()[name]
    folder = ROOT / "lib" / record.parent.relative_to(ROOT / "include/forge")
    (source,) = (path for path in folder.rglob("*.cpp") if kebab(path.stem) == name)
    fuses = source.relative_to(folder).parts[0] in ("Fusion", "Join")
    assert (record.name == "FusionPasses.td") == fuses
    assert [stem for stem in lit_tests() if stem == name or stem.startswith(f"{name}-")]


def test_commands() -> None:
    """A command has a file of its name, and so has its test."""
    from forge_mlir.cli.app import app

    modules = {path.stem.rstrip("_") for path in (ROOT / "python/forge_mlir/cli/commands").glob("[!_]*.py")}
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "test/python/cli/commands").glob("test_*.py")}
    commands = {name.replace("-", "_") for name in app.list_commands(None)}  # type: ignore[arg-type]
    assert modules == commands
    assert commands <= tests


def test_errors_are_found_by_their_names() -> None:
    """The C++ or Python names the code of an error, apart from the generated `codes.py`."""
    package = ROOT / "python/forge_mlir"
    sources = [path for path in package.rglob("*.py") if path.name != "codes.py"]
    sources += [path for top in ("lib", "include/forge", "python/native") for path in (ROOT / top).rglob("*.[ch]*")]
    used = {name for path in sources for name in re.findall(r"\bCode(?:::|\.)(\w+)", path.read_text())}
    codes = tomllib.loads((package / "diagnostics.toml").read_text())["codes"]
    assert [code for code, row in codes.items() if row["name"] not in used] == []


def test_files_begin_with_their_purpose() -> None:
    """Sources begin with a sentence about their purpose; `Templates` has the text of emitted modules."""
    wrong = []
    for path in [path for top in TOPS for path in (ROOT / top).rglob("*.*") if "Templates" not in path.parts]:
        if path.suffix in (".cpp", ".h"):
            purpose = re.match(rf"//===- {re.escape(path.name)} - \w", path.read_text())
        elif path.suffix == ".py":
            purpose = ast.get_docstring(ast.parse(path.read_text()))
        else:
            continue
        if not purpose:
            wrong.append(str(path.relative_to(ROOT)))
    assert not wrong


def test_tools_and_benchmarks() -> None:
    """A tool is in the folder and file of its name. The names of the benchmarks of `make bench` end in _bench."""
    tools = re.search(r"set\(FORGE_MLIR_TOOLS ([^)]*)\)", (ROOT / "tools/CMakeLists.txt").read_text())
    assert tools
    for name in tools[1].split():
        assert (ROOT / f"tools/{name}/{name}.cpp").is_file()
    bench = re.findall(r"benchmarks/(\w+)\.py", (ROOT / "Makefile").read_text().split("\nbench:")[1].split("\n\n")[0])
    assert len(bench) > 3
    assert [name for name in bench if not name.endswith("_bench")] == []


def test_headers_mirror_their_sources() -> None:
    """A header of include/forge is in the folder that the source of its name has in lib."""
    wrong, count = [], 0
    sources = {path.relative_to(ROOT / "lib").with_suffix("") for path in (ROOT / "lib").rglob("*.cpp")}
    for path in (ROOT / "include/forge").rglob("*.h"):
        name = path.relative_to(ROOT / "include/forge").with_suffix("")
        others = [source for source in sources if source.name == name.name and source != name]
        if name in sources:
            count += 1
        elif others:
            wrong.append(str(path))
    assert not wrong
    assert count > 40
