"""Checks that a lit test uses each option of this project's tools: `tested_options.py TESTS FORGE_OPT TOOL...`.

Options of MLIR and LLVM have their own tests; they are under other headings of the help.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# A RUN command, which may continue on the next lines.
_COMMAND = re.compile(r"// RUN:(.*(?:\\\n// RUN:.*)*)")
_OPTION = re.compile(r"^( +)--?([\w-]+)", re.MULTILINE)


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def tool_options(tool: str) -> Iterator[str]:
    """The options in the section "<tool> options:" of the help, with the values of enumerations."""
    section = output(tool, "--help").partition(f"{Path(tool).name} options:\n")[2].partition("\n\n\n")[0]
    return (name for _, name in _OPTION.findall(section))


def pass_options(forge_opt: str) -> Iterator[tuple[str, str]]:
    """(pass or pipeline, option) for the passes of this project. Options are indented further than the pass that they
    belong to."""
    pipelines = output(forge_opt, "--help").partition("Pass Pipelines:\n")[2].partition("\n  --")[0]
    for listing in (output(forge_opt, "--list-passes"), pipelines):
        outermost = min(len(indent) for indent, _ in _OPTION.findall(listing))
        owner = ""
        for indent, name in _OPTION.findall(listing):
            if len(indent) == outermost:
                owner = name
            if "forge" in owner:
                yield owner, "" if name == owner else name


def main(tests: Path, forge_opt: str, *tools: str) -> None:
    files = [path for path in tests.rglob("*") if path.suffix in (".mlir", ".itd", ".test")]
    commands = [command for path in files for command in _COMMAND.findall(path.read_text())]

    def is_tested(*words: str) -> bool:
        return any(
            all(re.search(rf"(?<!\w)(?<!\w-){word}(?![\w-])", command) for word in words) for command in commands
        )

    used = [(Path(tool).name, f"--?{option}") for tool in tools for option in tool_options(tool)]
    used += [tuple(filter(None, pair)) for pair in pass_options(forge_opt)]
    assert len(used) > 40, used
    missing = [words for words in used if not is_tested(*words)]
    assert not missing, missing
    print(f"{len(used)} passes and options have tests")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
