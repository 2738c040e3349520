"""Updates the JavaScript libraries of reports in python/forge_mlir/report/page/vendor from npm.

`python tools/page_libraries.py` downloads the versions below with npm, checks them, and writes the files and their
licences. After a version change, `--accept` prints the new hashes for this file.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENDOR = ROOT / "python/forge_mlir/report/page/vendor"
LICENSES = ROOT / "licenses"


@dataclass(frozen=True)
class Library:
    """An npm package: its licence (an SPDX expression), its name in `licenses`, and the SHA-256 of each file that is
    used from its folder `dist`."""

    package: str
    version: str
    license: str
    title: str
    files: dict[str, str]


LIBRARIES = (
    Library(
        "@dagrejs/dagre",
        "3.1.3",
        "MIT",
        "dagre",
        {"dagre.min.js": "54a503e346f93ca0bb10abe7999587e037262935687aca45eb4e4b0f64bbb578"},
    ),
    Library(
        "uplot",
        "1.6.32",
        "MIT",
        "uPlot",
        {
            "uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
            "uPlot.min.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
        },
    ),
)


def digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def fetch(library: Library, accept: bool) -> None:
    """Writes the files of a library and its licence. Raises ValueError if hashes differ, unless they are accepted."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["npm", "pack", f"{library.package}@{library.version}"], cwd=scratch, check=True)
        (packed,) = Path(scratch).glob("*.tgz")
        with tarfile.open(packed) as archive:
            archive.extractall(scratch, filter="data")
        for name, digest in library.files.items():
            source = Path(scratch, "package/dist", name)
            if accept:
                print(f"{name}: {digest_of(source)}")
            elif digest_of(source) != digest:
                raise ValueError(f"{library.package} {library.version}: {name} is not the file that was reviewed")
            shutil.copyfile(source, VENDOR / name)
        shutil.copyfile(Path(scratch, "package/LICENSE"), LICENSES / f"{library.title}.txt")


if __name__ == "__main__":
    for each in LIBRARIES:
        fetch(each, "--accept" in sys.argv)
