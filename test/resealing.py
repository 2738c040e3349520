"""Artifacts that were edited and have matching hashes, so that an error that a test plants has to be found by more than
a hash."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from forge_mlir.artifact import reseal as artifact_reseal
from forge_mlir.artifact.manifest import sealed_json
from forge_mlir.artifact.reader import Artifact


def replace_module(artifact: Artifact, source: str) -> None:
    """Replaces the compiled module by another one and updates the manifest."""
    artifact.module_path.write_text(source, encoding="ascii")
    reseal(artifact)


def reseal(artifact: Artifact) -> None:
    """Writes the hashes of the present files into the manifests of an artifact, those of its partitions first."""
    regions = [Artifact(artifact.directory, region["module"]) for region in artifact.manifest().get("partitions", ())]
    for part in (*(region for region in regions if region.manifest_path.exists()), artifact):
        facts = json.loads(part.manifest_path.read_text())
        facts["python_sha256"] = _digest(part.module_path)
        if "files" in facts:
            facts["files"] = {name: _digest(artifact.directory / name) for name in facts["files"]}
        part.manifest_path.write_bytes(sealed_json(facts))


def edited_copy(made: Artifact, out: Path, file: str, edit: Callable[[str], str]) -> Path:
    """A copy of a directory of artifacts with one edited file and matching hashes."""
    shutil.copytree(made.directory, out)
    before = (out / file).read_text()
    (out / file).write_text(edit(before))
    assert (out / file).read_text() != before
    artifact_reseal.reseal(out)
    return out


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
