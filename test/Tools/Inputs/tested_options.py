"""Each option in the help of our tools is used by a lit test of that tool: `tested_options.py TESTS TOOL...`.

Those of MLIR and of LLVM have their tests there; they stand under other headings.
"""

import re
import subprocess
import sys
from pathlib import Path

_COMMAND = re.compile(r"// RUN:(.*(?:\\\n// RUN:.*)*)")


def options(tool: str) -> set[str]:
    """The names under "<tool> options:", with what an enumeration offers; values and dashes left out."""
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    section = text.partition(f"{Path(tool).name} options:\n")[2].partition("\n\n\n")[0]
    return set(re.findall(r"^ +--?([\w-]+)", section, re.MULTILINE))


def main(tests: Path, tools: list[str]) -> None:
    files = [path for path in tests.rglob("*") if path.suffix in (".mlir", ".itd", ".test")]
    commands = [command for path in files for command in _COMMAND.findall(path.read_text())]
    missing = []
    for tool in tools:
        used = "\n".join(command for command in commands if Path(tool).name in command)
        for option in sorted(options(tool)):
            if not re.search(rf" --?{option}\b", used):
                missing.append(f"{Path(tool).name} --{option}")
    assert not missing, missing
    print("every option has a test")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
