"""`python -m exporters`: runs the guide for other frameworks with every exporter in it.

Each exporter is installed into its own environment: they are large, and some need other versions of packages than this
project. If one cannot be installed, the reason is printed and its blocks are skipped. The exit code is 1 if a block
fails.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import venv
import warnings
from pathlib import Path

from guide_blocks import run_guide
from sample_models.repository import REPOSITORY

# The packages to install, by the package that a block imports first, as its section of the guide says.
EXPORTERS = {
    "sklearn": ("scikit-learn", "skl2onnx"),
    "tensorflow": ("tensorflow", "tf2onnx"),
    "jax": ("jax", "jax2onnx"),
    "paddle": ("paddlepaddle", "paddle2onnx", "packaging", "sympy", "onnxruntime"),
}
GUIDE = REPOSITORY / "docs" / "guides" / "other-exporters.md"


def install(packages: tuple[str, ...], directory: Path) -> Path | str:
    """Creates an environment with these packages. Returns its Python, or the reason why there is none."""
    venv.create(directory, with_pip=True)
    python = directory / "bin" / "python"
    line = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if not done.returncode:
        return python
    said = [text for text in done.stderr.splitlines() if text.startswith("ERROR")]
    return said[-1] if said else f"pip ended with {done.returncode}"


def main() -> int:
    interpreters = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, packages in EXPORTERS.items():
            python = install(packages, Path(folder, name))
            if isinstance(python, Path):
                interpreters[name] = python
                print(f"{name}: installed")
            else:
                print(f"{name}: not installed: {python}")
        work = Path(folder, "work")
        work.mkdir()
        with contextlib.chdir(work), warnings.catch_warnings(record=True) as skipped:
            warnings.simplefilter("always", UserWarning)
            try:
                count = run_guide(GUIDE, work, interpreters)
            except AssertionError as failure:
                print(failure)
                return 1
        for warning in skipped:
            print(warning.message)
    print(f"{count} blocks ran")
    return 0


if __name__ == "__main__":
    sys.exit(main())
