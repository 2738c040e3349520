"""Edited artifacts are refused until a user accepts the edit with `reseal`."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.artifact import reseal as reseal_module
from forge_mlir.artifact.reseal import reseal
from forge_mlir.compiler.driver import compile
from forge_mlir.execute.device_module import load_namespace
from sample_models.partition import products
from sample_models.small import one_node

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def loaded(path: Path) -> dict[str, Any]:
    return load_namespace(path, None)


def edit(path: Path) -> None:
    path.write_text(path.read_text().replace("forge.op.Relu(", "forge.op.Abs("))


def test_an_edit_is_refused_trusted_and_sealed(tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path, name="net")
    text = artifact.module_path.read_text()
    assert "forge-mlir reseal DIRECTORY" in text.split('"""')[1]
    assert reseal(tmp_path) == ()
    edit(artifact.module_path)
    for way in (lambda: forge_mlir.run(artifact, {"x": X}), lambda: loaded(artifact.module_path)["load"]()):
        with pytest.raises((ForgeError, RuntimeError), match="forge-mlir reseal"):
            way()
    import torch

    module = loaded(artifact.module_path)["load"](trust_edits=True)
    np.testing.assert_array_equal(module(torch.from_numpy(X)).value().numpy(), abs(X))
    assert reseal(tmp_path) == ("net.py",)
    np.testing.assert_array_equal(forge_mlir.run(artifact, {"x": X})["y"], abs(X))


def test_a_sealed_edit_is_the_users(tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path, name="net")
    edit(artifact.module_path)
    reseal(tmp_path)
    with pytest.raises(ForgeError, match="has changed since"):
        compile(one_node("Relu", [2, 3]), tmp_path, name="net")
    compile(one_node("Relu", [2, 3]), tmp_path, name="net", force=True)
    assert "edited" not in artifact.manifest()


def test_partitions_are_sealed(tmp_path: Path) -> None:
    artifact = compile(products(), tmp_path, name="net", fallback="cpu")
    x = {"x": np.ones((8, 8), np.float32)}
    before = forge_mlir.run(artifact, x)["y"]
    part = tmp_path / "net_device0.py"
    part.write_text(part.read_text() + "# mine\n")
    with pytest.raises(ForgeError, match=r"net_device0\.py is not the file"):
        forge_mlir.run(artifact, x)
    trusted = loaded(artifact.module_path)["load"](trust_edits=True).run(x)["y"]
    np.testing.assert_array_equal(trusted, before)
    assert reseal(tmp_path) == ("net_device0.py",)
    np.testing.assert_array_equal(forge_mlir.run(artifact, x)["y"], before)


def test_an_interrupted_reseal_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artifact = compile(products(), tmp_path, name="net", fallback="cpu")
    x = {"x": np.ones((8, 8), np.float32)}
    before = forge_mlir.run(artifact, x)["y"]
    part = tmp_path / "net_device0.py"
    part.write_text(part.read_text() + "# mine\n")
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    replace, moved = os.replace, []

    def once(source: Path, target: Path) -> None:
        if moved:
            raise KeyboardInterrupt
        moved.append(target)
        replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", once)
        with pytest.raises(KeyboardInterrupt):
            reseal(tmp_path)
    assert [path.name for path in moved] == ["net_device0.json"]
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name for name in files | left if files.get(name) != left.get(name)} == {"net_device0.json"}
    with pytest.raises(ForgeError, match="is not the file that the manifest describes"):
        forge_mlir.run(artifact, x)
    assert "net_device0.py" in reseal(tmp_path)
    np.testing.assert_array_equal(forge_mlir.run(artifact, x)["y"], before)


def test_nobody_compiles_into_what_is_resealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the manifest of one compilation may get the hashes of another one's files."""
    artifact = compile(one_node("Relu", [2, 3]), tmp_path, name="net")
    edit(artifact.module_path)
    hashed, locked = reseal_module.hash_of_file, []

    def watched(directory: Path, name: str) -> str:
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            locked.append(name)
        os.close(descriptor)
        return hashed(directory, name)

    monkeypatch.setattr(reseal_module, "hash_of_file", watched)
    assert reseal(tmp_path) == ("net.py",)
    assert locked == ["net.py", "net.safetensors"]


def test_files_outside_are_left_alone(tmp_path: Path) -> None:
    artifact = compile(products(), tmp_path / "net", name="net", fallback="cpu")
    manifest = artifact.manifest()
    manifest["files"]["../other.json"] = "0"
    artifact.manifest_path.write_text(json.dumps(manifest))
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ForgeError, match="no file beside the manifest"):
        reseal(tmp_path / "net")
    assert (tmp_path / "other.json").read_text() == "{}"
