"""Rows R1 to R5: changes of an artifact after its compilation."""

from __future__ import annotations

import json
import os
import pickle
import runpy
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hostile_models import agrees, command, compiled, model, saved, source_of, value
from onnx import ModelProto, helper

from emitted_ast import assert_safe
from forge_mlir import ForgeError
from forge_mlir.artifact import integrity
from forge_mlir.artifact.reader import Artifact
from forge_mlir.execute.run import run

node = helper.make_node
X = np.ones((8, 8), np.float32)


def weighted(fill: float = 1.0) -> ModelProto:
    return model([node("MatMul", ["x", "w"], ["a"], "first"), node("Det", ["a"], ["d"], "det"),
                  node("Unsqueeze", ["d", "axes"], ["u"], "up"), node("Add", ["a", "u"], ["b"], "second"),
                  node("MatMul", ["b", "w"], ["y"], "last")],
                 [value("x", [8, 8])], [value("y", [8, 8])],
                 {"w": np.full((8, 8), fill, np.float32) + np.eye(8, dtype=np.float32),
                  "axes": np.array([0])})  # fmt: skip


def plain(fill: float = 1.0, dtype: str = "float32") -> ModelProto:
    code = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    array = (np.arange(64).reshape(8, 8) * fill).astype(dtype)
    return model(
        [node("Add", ["x", "w"], ["y"], "sum")], [value("x", [8, 8], code)], [value("y", [8, 8], code)], {"w": array}
    )


def overwrite(data: bytes) -> Callable[[Path, Path], None]:
    return lambda path, _: path.write_bytes(data)  # type: ignore[return-value]


SPOILS: dict[str, Callable[[Path, Path], object]] = {
    "missing": lambda path, _: path.unlink(),
    "empty": overwrite(b""),
    "of another model": lambda path, other: path.write_bytes(other.read_bytes()),
    "cut short": lambda path, _: os.truncate(path, path.stat().st_size - 4),
    "one bit flipped": lambda path, _: path.write_bytes(path.read_bytes()[:-1] + b"\x55"),
    "longer": lambda path, _: path.write_bytes(path.read_bytes() + b"\0"),
    "pickle": overwrite(pickle.dumps({"w": [1.0]})),
    "a huge header": overwrite(b"\xff" * 8 + b"{}"),
    "a directory": lambda path, _: (path.unlink(), path.mkdir()),
}


@pytest.mark.alike(keep=11)
@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize("spoil", SPOILS)
def test_R1_files_that_are_not_the_compiled_ones(spoil: str, fallback: bool, tmp_path: Path) -> None:
    """Whichever file of an artifact is changed: one line with the name of the file is printed before the first op
    runs."""
    make, options = (weighted, ["--fallback=cpu"]) if fallback else (plain, [])
    np.savez(tmp_path / "in.npz", x=X)
    other = compiled(saved(make(3.0), tmp_path / "other"), tmp_path / "other", *options)
    first = compiled(saved(make(), tmp_path / "m"), tmp_path / "m", *options)
    names = sorted(path.name for path in first.directory.iterdir())
    assert len(names) == (9 if fallback else 3)
    for name in names:
        if name == "model.json" and spoil in ("of another model", "longer", "one bit flipped"):
            continue  # The other files are compared with the manifest.
        shutil.rmtree(tmp_path / "spoiled", ignore_errors=True)
        artifact = Artifact.open(shutil.copytree(first.directory, tmp_path / "spoiled") / first.module_path.name)
        path = artifact.directory / name
        if spoil == "of another model" and path.read_bytes() == (other.directory / name).read_bytes():
            continue
        SPOILS[spoil](path, other.directory / name)
        result = command("run", artifact.module_path, "-i", tmp_path / "in.npz", "-o", tmp_path / "out.npz")
        assert result.code == 3, name
        assert name in result.err or (name == "model.json" and "compiled module" in result.err), (name, result.err)
        assert result.err.count("\n") == 1
        assert "a bug" not in result.err
        assert not (tmp_path / "out.npz").exists()


@pytest.mark.parametrize("change", ["no weights", "another tensor", "another shape", "other type", "no class"])
def test_R1_manifests_that_do_not_fit(change: str, tmp_path: Path) -> None:
    artifact = compiled(saved(plain(), tmp_path), tmp_path)
    facts = json.loads(artifact.manifest_path.read_text())
    match change:
        case "no weights":
            facts["weights"] = []
        case "another tensor":
            facts["weights"][0]["tensor"] = "absent"
        case "another shape":
            facts["inputs"][0]["shape"] = [4, 16]
        case "other type":
            facts["inputs"] = 7
        case "no class":
            facts["class"] = "__init__"
    artifact.manifest_path.write_text(json.dumps(facts))
    np.savez(tmp_path / "in.npz", x=X)
    result = command("run", artifact.module_path, "-i", tmp_path / "in.npz", "-o", tmp_path / "out.npz")
    # For the command, inputs of another shape than in the manifest are wrong usage.
    assert result.code == {"another shape": 2}.get(change, 3)
    assert change != "no weights" or "it lists no weights for 'w', which the module declares" in result.err
    assert not (tmp_path / "out.npz").exists()


def test_R1_the_emitted_loader_checks_too(tmp_path: Path) -> None:
    artifact = compiled(saved(plain(), tmp_path), tmp_path)
    for path in (artifact.weights_path, artifact.module_path):
        kept = path.read_bytes()
        path.write_bytes(kept + b"\n")
        with pytest.raises(RuntimeError, match=f"{path.name} is not the file that the manifest describes"):
            runpy.run_path(str(artifact.module_path))["load"]()
        path.write_bytes(kept)


def test_R1_all_regions_share_one_check_of_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artifact = compiled(saved(weighted(), tmp_path), tmp_path, "--fallback=cpu")
    kinds = [region["kind"] for region in artifact.manifest()["partitions"]]
    assert kinds.count("device") > 1
    hashed = []
    digest = integrity.hashlib.file_digest
    monkeypatch.setattr(integrity.hashlib, "file_digest", lambda *args: hashed.append(args) or digest(*args))
    run(artifact, {"x": X})
    assert len(hashed) == 1


def test_R1_a_file_that_was_replaced_after_the_check_is_not_read(tmp_path: Path) -> None:
    artifact = compiled(saved(plain(), tmp_path), tmp_path)
    other = compiled(saved(plain(3.0), tmp_path / "other"), tmp_path / "other")
    with artifact.open_weights() as weights:
        os.replace(other.weights_path, artifact.weights_path)
        assert float(weights.get_tensor("w").sum()) == float(np.arange(64).sum())


def test_R1_regions_of_an_earlier_compilation_are_removed(tmp_path: Path) -> None:
    compiled(saved(weighted(), tmp_path), tmp_path, "--fallback=cpu")
    out = tmp_path / "out"
    (out / "model_cpu7.py").write_text("mine")
    (out / "model_device0.py").write_text("changed by hand")
    compiled(saved(plain(), tmp_path), tmp_path)
    left = sorted(path.name for path in out.iterdir())
    assert left == ["model.json", "model.py", "model.safetensors", "model_cpu7.py", "model_device0.py"]


def test_R2_other_places_and_other_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = compiled(saved(plain(), tmp_path / "one"), tmp_path / "one")
    two = compiled(saved(plain(3.0), tmp_path / "two"), tmp_path / "two")
    assert one.name == two.name
    monkeypatch.chdir("/")
    for _ in range(2):
        first, second = (run(artifact, {"x": 0 * X})["y"] for artifact in (one, two))
        np.testing.assert_array_equal(3 * first, second)
    monkeypatch.chdir(tmp_path)
    relative = Artifact.open(Path("one/out/model.py"))
    np.testing.assert_array_equal(run(relative, {"x": 0 * X})["y"], first)
    twice = "import model, importlib; model.load(); importlib.reload(model).load()"
    script = f"import sys; sys.path.insert(0, 'one/out'); {twice}"
    assert subprocess.run([sys.executable, "-c", script], cwd=tmp_path).returncode == 0


SCRIPT = "import sys; from forge_mlir import compile; compile(sys.argv[1], sys.argv[2], fallback=sys.argv[3])"


@pytest.mark.parametrize("fallback", ["error", "cpu"])
def test_R2_the_same_bytes_everywhere(fallback: str, tmp_path: Path) -> None:
    """Hash seed, locale, directory, umask and number of threads do not change the output."""
    path = saved(weighted() if fallback == "cpu" else plain(), tmp_path)
    contents = []
    for at, more in enumerate((
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "OMP_NUM_THREADS": "1"},
        {"PYTHONHASHSEED": "4242", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "2", "TZ": "Asia/Tokyo", "PYTHONUTF8": "1"},
    )):  # fmt: skip
        folder = tmp_path / f"place{at}"
        folder.mkdir()
        env = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": os.environ["PATH"], **more}
        subprocess.run([sys.executable, "-c", SCRIPT, path, folder, fallback], cwd=folder, env=env, check=True)
        contents.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert contents[0] == contents[1]
    assert len(contents[0]) == (9 if fallback == "cpu" else 3)


def long_module(calls: int, folder: Path) -> Artifact:
    """The sum of 300 inputs, added repeatedly in turn."""
    inputs = [f"x{at}" for at in range(300)]
    nodes = [node("Add", [f"v{at - 1}" if at else "x0", inputs[at % 300]], [f"v{at}"]) for at in range(calls)]
    proto = model(nodes, [value(name, [2]) for name in inputs], [value(f"v{calls - 1}", [2])])
    folder.mkdir()
    return compiled(saved(proto, folder), folder)


def seconds_to_compile(source: str) -> float:
    """The processor time, the best of three, so that other processes do not count."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        compile(source, "module.py", "exec")
        taken.append(time.process_time() - start)
    return min(taken)


def test_R3_long_modules(tmp_path: Path) -> None:
    """5000 calls with 300 inputs: the time in which CPython compiles and runs the module grows with its length."""
    short, long = long_module(1000, tmp_path / "short"), long_module(5000, tmp_path / "long")
    assert source_of(long).count("forge.op.Add(") == 5 * source_of(short).count("forge.op.Add(") == 5000
    # With five times the calls, quadratic time would be twenty-five times as long.
    assert seconds_to_compile(source_of(long)) < 12 * seconds_to_compile(source_of(short))
    ones = {f"x{at}": np.ones(2, np.float32) for at in range(300)}
    np.testing.assert_array_equal(run(long, ones)["v4999"], [5001, 5001])


def test_R4_every_emitted_file(tmp_path: Path) -> None:
    """The other tests also compare what they emit with the allow-list (test/python/conftest.py)."""
    artifact = agrees(weighted(), tmp_path, "--fallback=cpu")
    files = sorted(artifact.directory.glob("*.py"))
    assert len(files) == 4
    for path in files:
        source = path.read_text()
        assert_safe(source)
        for planted in ("import os\n", "exec('1')\n", "x = [y for y in ()]\n", "x = lambda: 0\n"):
            with pytest.raises(AssertionError):
                assert_safe(source + planted)


@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize(
    ("inputs", "word"),
    [
        ({}, "'x'"),
        ({"x": X, "more": X}, "'more'"),
        ({"wrong": X}, "'x'"),
        ({"x": X[:4]}, "'x'"),
        ({"x": X[0]}, "'x'"),
        ({"x": X.astype(np.float64)}, "'x'"),
        ({"x": X.astype(np.int32)}, "'x'"),
        ({"x": np.full((8, 8), "a")}, "'x'"),
    ],
)
def test_R5_inputs(fallback: bool, inputs: dict[str, np.ndarray], word: str, tmp_path: Path) -> None:
    path = saved(weighted() if fallback else plain(), tmp_path)
    artifact = compiled(path, tmp_path, *(["--fallback=cpu"] if fallback else []))
    with pytest.raises(ForgeError, match=word):
        run(artifact, inputs)
    np.savez(tmp_path / "in.npz", **inputs)
    result = command("run", artifact.module_path, "-i", tmp_path / "in.npz", "-o", tmp_path / "out.npz")
    assert result.code == 2
    assert word in result.err


def test_F8_a_partition_that_crashes_onnxruntime_is_an_error(tmp_path: Path) -> None:
    """onnxruntime's Attention uses its bias without checking that there is one."""
    weight = {"w": np.ones((8, 24), np.float32)}
    attention = node("Attention", ["x", "w"], ["y"], domain="com.microsoft", num_heads=2)
    shape = [1, 4, 8]
    proto = model([attention], [value("x", shape)], [value("y", shape)], weight)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    artifact = compiled(proto, tmp_path, "--fallback=cpu", "--cpu-ops=Attention")
    np.savez(tmp_path / "in.npz", x=np.ones(shape, np.float32))
    result = command("run", artifact.module_path, "-i", tmp_path / "in.npz", "-o", tmp_path / "out.npz")
    assert result.code == 5
    assert result.err.startswith("error: [FM5007] onnxruntime crashed on it (SIGSEGV)")
    assert not (tmp_path / "out.npz").exists()
