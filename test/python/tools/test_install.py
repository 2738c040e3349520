"""What `cmake --install` and the wheel contain, and the project in examples/out-of-tree that is built against the
installation."""

from __future__ import annotations

import itertools
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from requirements import requirements
from sample_models.repository import REPOSITORY

EXAMPLE = REPOSITORY / "examples" / "out-of-tree"
DESTINATIONS = Path(__file__).parent / "destinations.mlir"


def run(*command: str | Path, cwd: Path = REPOSITORY) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the README's commands write `out`, with links to what they read."""
    root = tmp_path_factory.mktemp("workspace")
    for name in ("build", "examples"):
        (root / name).symlink_to(REPOSITORY / name)
    return root


def commands() -> list[str]:
    """The README's commands, one per line."""
    blocks = re.findall(r"```sh\n(.*?)```", (EXAMPLE / "README.md").read_text(), re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]


@pytest.mark.slow
def test_readme_builds_and_runs_the_example(workspace: Path) -> None:
    building, using = commands()[:3], commands()[3:]
    assert len(using) == 3
    for command in building:
        run("sh", "-ec", command, cwd=workspace)
    for command in using:
        written = run("sh", "-ec", command, cwd=workspace)
        assert re.findall(r"forge\.\w+", written) == ["forge.sigmoid"], command
    listed = subprocess.run(
        [workspace / "out/example/example-opt", DESTINATIONS, "--example-list-destinations"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.findall(r"remark: (forge\.\w+ writes into operand \d+)", listed.stderr) == [
        "forge.fill_cache writes into operand 0",
        "forge.update_cache writes into operand 0",
        "forge.index_copy writes into operand 0",
    ]


def test_an_installation_is_complete_and_independent(tmp_path: Path) -> None:
    run("cmake", "--install", REPOSITORY / "build", "--prefix", tmp_path / "first")
    moved = tmp_path / "moved"
    (tmp_path / "first").rename(moved)
    assert sorted(path.name for path in moved.iterdir()) == ["bin", "include", "lib"]
    for tool in sorted((moved / "bin").iterdir()):
        assert f"{tool.name} {metadata.version('forge-mlir')} (MLIR 22." in run(tool, "--version")
    source = REPOSITORY / "include"
    for header in [path for ending in ("h", "td") for path in source.rglob(f"*.{ending}")]:
        assert (moved / "include" / header.relative_to(source)).is_file()
    assert (moved / "include/forge/Dialect/Forge/IR/ForgeOps.h.inc").is_file()
    package = "".join(path.read_text() for path in (moved / "lib/cmake/ForgeMLIR").iterdir())
    assert str(REPOSITORY) not in package
    assert str(tmp_path) not in package


def test_the_wheel_contains_the_package_only() -> None:
    files = [str(path) for path in metadata.files("forge-mlir") or ()]
    assert "forge_mlir/dialects/_forge_ops_gen.py" in files
    assert [path for path in files if not re.match(r"forge_mlir|\.\./\.\./\.\./bin/forge-mlir$", path)] == []
    assert [path for path in files if path.endswith((".h", ".td", ".a", ".cmake")) or "libForgeMLIR" in path] == []


def test_make_installs_every_extra() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    named = [line.split() for line in re.findall(r"requirements\.py pyproject\.toml (.*) >", makefile)]
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    # "runtime" is torch, which is installed separately; what `make build` needs does not include what only tests need.
    assert sorted(itertools.chain(*named)) == sorted(extras.keys() - {"all", "runtime"})
    built, tested = (set(requirements(str(REPOSITORY / "pyproject.toml"), names)) for names in named)
    assert {line.partition(">")[0] for line in built} >= {"onnx", "onnxruntime", "onnxscript"}
    assert not any(line.startswith(("pytest", "dask", "mkdocs", "ruff", "auditwheel")) for line in built)
    assert any(line.startswith("pytest==") for line in tested)


def test_make_builds_again_if_a_source_changes() -> None:
    """Not only for C++ and Python: tables, pages of reports and diagnostics.toml are compiled or installed."""
    rules = subprocess.run(["make", "-npq"], cwd=REPOSITORY, capture_output=True, text=True).stdout
    (sources,) = re.findall(r"^\.venv/\.installed: (.*)$", rules, re.MULTILINE)
    folders = [REPOSITORY / folder for folder in ("include", "lib", "python/forge_mlir")]
    files = {path for folder in folders for path in folder.rglob("*") if path.is_file()}
    listed = {REPOSITORY / name for name in sources.split()}
    assert {path for path in files - listed if "__pycache__" not in path.parts} == set()


@pytest.mark.skipif(not (REPOSITORY / ".venv/bin/lit").exists(), reason="`make ready` has not been run")
def test_another_build_folder_finds_lit(tmp_path: Path) -> None:
    run("cmake", "-G", "Ninja", "-S", REPOSITORY, "-B", tmp_path, "-DFORGE_MLIR_PYTHON=OFF")
    assert f"FORGE_MLIR_LIT:FILEPATH={REPOSITORY}/.venv/bin/lit" in (tmp_path / "CMakeCache.txt").read_text()
