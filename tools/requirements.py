"""Prints the requirements in a pyproject.toml: those of the build, of the package, and of the given extras."""

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path


def requirements(path: str, extras: Sequence[str]) -> list[str]:
    """The requirement strings in the file at `path`, without the package itself, and without torch, which is installed
    separately."""
    data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    of_extras = (data["project"]["optional-dependencies"][name] for name in extras)
    lists = [data["build-system"]["requires"], data["project"]["dependencies"], *of_extras]
    return sorted({line for lines in lists for line in lines if not line.startswith(("torch>=", "forge-mlir["))})


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1], sys.argv[2:])))
