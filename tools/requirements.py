"""Prints every pinned requirement of a pyproject.toml: build system, package, and its extras."""

import sys
import tomllib
from pathlib import Path


def requirements(path: str) -> list[str]:
    """The requirement strings of the file at `path`, without the package itself, and without torch, which is installed
    by itself."""
    data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    extras = data["project"]["optional-dependencies"].values()
    lists = [data["build-system"]["requires"], data["project"]["dependencies"], *extras]
    return sorted({line for lines in lists for line in lines if not line.startswith(("torch>=", "forge-mlir["))})


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1])))
