"""The guides are correct: the code blocks of every page are run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from guide_blocks import blocks, run_guide
from sample_models.repository import REPOSITORY

GUIDES = sorted(path.stem for path in (REPOSITORY / "docs" / "guides").glob("*.md"))
OTHERS = ("README.md", "docs/cost.md", "docs/integers.md", "docs/tile-padding.md")
# The longest pages, whose commands and functions have tests of their own or are in README.
AT_NIGHT = (
    "command", "debugging", "first-model", "language-models", "mlir-tools", "python", "quantised-models", "sweeps",
)  # fmt: skip
# Pages whose `sh` blocks are not run, with the reason.
READ_ONLY = {
    "README.md": "make this checkout, as the tests did",
    "docs/guides/first-model.md": "needs a published wheel; make wheel-check installs one",
    "docs/guides/from-tvm.md": "needs a TT machine",
    "docs/guides/install.md": "takes minutes; .ci/nightly does it",
    "docs/guides/mlir-tools.md": "is a file that the next block runs",
    "docs/guides/sweeps.md": "needs a cluster; test_cluster.py starts one",
    "docs/guides/tt-machine.md": "needs a TT machine",
}


@pytest.mark.filterwarnings("ignore:.*skipped, because")  # `make exporters` has these packages, and skips no block.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in AT_NIGHT else []) for name in GUIDES if name != "install"],
)
def test_guide(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_guide(REPOSITORY / "docs" / "guides" / f"{name}.md", tmp_path) >= 1


@pytest.mark.parametrize("page", OTHERS[1:])
def test_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_guide(REPOSITORY / page, tmp_path) >= 1


def test_blocks_and_pages_that_are_not_run() -> None:
    pages = [*OTHERS, *(f"docs/guides/{name}.md" for name in GUIDES)]
    texts = {page: (REPOSITORY / page).read_text(encoding="utf-8") for page in pages}
    shell = {page for page, text in texts.items() if any(block.language == "sh" for block in blocks(text))}
    assert shell == READ_ONLY.keys()
    for path in (REPOSITORY / "docs").glob("*.md"):
        if f"docs/{path.name}" not in pages:
            found = {block.language for block in blocks(path.read_text(encoding="utf-8"))}
            assert not found & {"console", "python", "sh"}, path.name


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_guide(REPOSITORY / "README.md", tmp_path) == 3


@pytest.mark.parametrize(
    "text",
    [
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one\n```\n",
        "```console\n$ echo 1.5 s\n1.5 m\n```\n",
        "```console\n$ printf 'a\\nb\\n'\n...\nc\n```\n",
        "```console\n$ echo ok 1.5e-03 5 y\nok 1.9e-07 5 y\n```\n",
        "```console\n$ echo ok 1.5e-07 5 z\nok 1.9e-07 5 y\n```\n",
        "```python\nprint(1)\n```\n```text\n2\n```\n",
        "```python\nassert False\n```\n",
    ],
)
def test_a_wrong_guide_is_found(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(text)
    with pytest.raises(AssertionError):
        run_guide(tmp_path / "page.md", tmp_path)


def test_each_kind_of_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "```python\n# five.py\nFIVE = 5\n```\nand\n```python\nx = 2\n```\n```python\nprint(x)\n```\n```text\n2\n```\n"
        '```console\n$ python -c "import five; print(five.FIVE)" \\\n> | cat\n5\n$ ls models\n...\nbert\n...\n```\n'
        "```console\n$ echo took 1.5 s\ntook 0.7 s\n```\n"
        "```console\n$ echo 'ok  1.5e-07  12  y'\nok  1e-06   7  y\n```\n"
        "```mlir\nnot run\n```\n"
    )
    (tmp_path / "page.md").write_text(text)
    assert run_guide(tmp_path / "page.md", tmp_path) == 7


def test_blocks_with_missing_requirements_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    block = "```python\n# needs: {}\nprint(5)\n```\n```text\n5\n```\n"
    command = "```console\n# needs: some.file\n$ cat some.file\nsome\n```\n"
    (tmp_path / "page.md").write_text(block.format("numpy nowhere_to_be_found") + block.format("numpy") + command)
    with pytest.warns(UserWarning, match="skipped") as warned:
        assert run_guide(tmp_path / "page.md", tmp_path) == 2
    assert [str(warning.message) for warning in warned] == [
        "page.md:1: skipped, because nowhere_to_be_found is not there",
        "page.md:15: skipped, because some.file is not there",
    ]
    (tmp_path / "some.file").write_text("other\n")
    with pytest.warns(UserWarning, match="nowhere"), pytest.raises(AssertionError, match="expected\nsome\n"):
        run_guide(tmp_path / "page.md", tmp_path)


def test_blocks_of_another_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "```python\n# needs: far\nopen('far.txt', 'w').write('5\\n')\nprint(5)\n```\n```text\n5\n```\n"
        "```console\n# needs: far.txt\n$ cat far.txt\n5\n```\n"
    )
    (tmp_path / "page.md").write_text(text)
    assert run_guide(tmp_path / "page.md", tmp_path, {"far": Path(sys.executable)}) == 3
    (tmp_path / "page.md").write_text("```python\n# needs: far\nassert False\n```\n")
    with pytest.raises(AssertionError, match=r"page.md:1"):
        run_guide(tmp_path / "page.md", tmp_path, {"far": Path(sys.executable)})
