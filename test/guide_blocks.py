"""Runs the code blocks of a guide, in order and in one directory.

* ```` ```console ````: `$ command` lines (continued by `> ` lines), each followed by its output, which must be equal to
  the actual output. A line `...` matches any lines. Numbers that depend on the processor match any other number: a
  number of seconds, such as `1.5 s`, a rate, such as `1.5 a second`, and a rounding error, such as `1.9e-07`, with its
  ULP and its node.
* ```` ```python ````: is run; later blocks see its names. A ```` ```text ```` block after it contains its output.
* A block whose first line is `# needs: WORD ...`: is run if the packages of these names are installed and the files
  (words with a dot) exist. Otherwise a warning names the first missing one, and the block and its output are skipped. A
  Python block whose packages another interpreter has may run there, on its own.
* A block of any language whose first line is a comment with a file name, such as `# my_ops.py`: is written to this
  file.

Other blocks are ignored. Commands find the tools of the build tree and of the interpreter's environment, the stored
models as `models`, and the build tree as `build`.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sample_models.repository import MODELS, REPOSITORY
from sample_models.tools import command_program

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|//) ([\w-]+\.\w+)\n")
_NEEDS = re.compile(r"# needs: (.*)\n")
_MEASURES = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r"\d+\.\d+ s\b", "SECONDS"),
        (r"\d+\.\d+ a second\b", "RATE"),
        (r"\d+ ULP\b", "ERROR"),
        (r"(?<=the largest local error of one node is )\S+, of '.*' \(\w+\)", "ERROR"),
        (r"(?<= )\d(\.\d+)?e-0[5-9]( +\d+(?= ))?", "ERROR"),
        (r"(?<=\S) {2,}", " "),  # columns are as wide as their numbers
    )
]
_TOOLS = ("forge-itd", "forge-opt", "forge-reduce", "forge-translate")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line of the page at which it starts."""

    language: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for found in _FENCE.finditer(page):
        yield Block(found[1], found[2], page.count("\n", 0, found.start()) + 1)


def run_guide(page: Path, directory: Path, interpreters: Mapping[str, Path] | None = None) -> int:
    """Runs the blocks of a page in `directory`, which must be the current directory. Returns the number of blocks that
    were run or written. `interpreters` maps a package that a block needs first to a Python that has it, for packages
    that this Python does not have. Raises AssertionError with the line of the page when an output differs from the
    page."""
    for link, target in (("models", MODELS), ("build", REPOSITORY / "build")):
        if not os.path.lexists(directory / link):
            (directory / link).symlink_to(target)
    with _importing_from(directory):
        return _run_blocks(page, directory, interpreters or {})


@contextlib.contextmanager
def _importing_from(directory: Path) -> Iterator[None]:
    """Makes modules of `directory` importable, and removes them from Python's caches afterwards."""
    sys.path.insert(0, str(directory))
    try:
        yield
    finally:
        sys.path.remove(str(directory))
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(f"{directory}{os.sep}"):
                del sys.modules[name]


def _run_blocks(page: Path, directory: Path, interpreters: Mapping[str, Path]) -> int:
    names: dict[str, Any] = {"__name__": "guide"}
    count, printed = 0, None
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{page.name}:{block.line}"
        last, printed = printed, None
        needs = found[1].split() if (found := _NEEDS.match(block.text)) else []
        if needs and block.language == "python" and needs[0] in interpreters:
            printed = _run_elsewhere(interpreters[needs[0]], block.text, directory, where)
        elif missing := _missing(needs):
            warnings.warn(f"{where}: skipped, because {missing} is not there", stacklevel=2)
            continue
        elif file := _FILE.match(block.text):
            # With the comment, as readers copy it.
            (directory / file[1]).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            _run_console(block.text, directory, where)
        elif block.language == "python":
            printed = _run_python(block.text, names, where)
        elif block.language == "text" and last is not None:
            _compare(last, block.text, where)
        else:
            continue
        count += 1
    return count


def _missing(needs: Iterable[str]) -> str | None:
    return next((word for word in needs if not (Path(word).exists() if "." in word else find_spec(word))), None)


def _run_elsewhere(python: Path, text: str, directory: Path, where: str) -> str:
    done = subprocess.run([python, "-c", text], cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{where}: {done.stderr}"
    return done.stdout


def _run_python(text: str, names: dict[str, Any], where: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, where, "exec"), names)
    return out.getvalue()


def _run_console(text: str, directory: Path, where: str) -> None:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next((at for at, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        command = lines[0] + "".join(line[2:] for line in lines[1:end])
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=directory,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        _compare(done.stdout, "".join(lines[end:]), f"{where}: {command.strip()}")


def _environment() -> dict[str, str]:
    tools = [str(REPOSITORY / "build" / "tools" / name) for name in _TOOLS]
    folders = [str(command_program().parent), str(Path(sys.executable).parent), *tools, os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(folders)}


def _compare(printed: str, expected: str, where: str) -> None:
    pieces = [re.escape(piece) for piece in re.split(r"^\.\.\.\n", _without_measures(expected), flags=re.MULTILINE)]
    found = re.fullmatch("(?:.*\n)*?".join(pieces), _without_measures(printed))
    assert found, f"{where}: expected\n{expected}\nbut got\n{printed}"


def _without_measures(text: str) -> str:
    for pattern, name in _MEASURES:
        text = pattern.sub(name, text)
    return text
