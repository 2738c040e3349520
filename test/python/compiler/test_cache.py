"""The compile cache: each part of its key, whole entries, and its size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler import cache as module
from forge_mlir.compiler import driver
from forge_mlir.compiler.cache import CompileCache


def model(op: str = "Relu", value: float = 1.0) -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 1024]) for name in "xy")
    nodes = [helper.make_node("Add", ["x", "w"], ["a"]), helper.make_node(op, ["a"], ["y"])]
    weight = numpy_helper.from_array(np.full((2, 1024), value, np.float32), "w")
    graph = helper.make_graph(nodes, "net", [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


class Counted:
    """Compiles with a cache, and tells whether it had to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
        self.cache = CompileCache(directory / "cache")
        self.lowered = 0
        lower = driver.lower

        def counted(*arguments: Any, **options: Any) -> Any:
            self.lowered += 1
            return lower(*arguments, **options)

        monkeypatch.setattr(driver, "lower", counted)

    def misses(self, source: Path, output: Path, **options: Any) -> bool:
        before = self.lowered
        driver.compile(source, output, cache=self.cache, **options)
        return self.lowered != before


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Counted:
    return Counted(monkeypatch, tmp_path)


def save(proto: ModelProto, path: Path, external: bool = False) -> Path:
    onnx.save(proto, path, save_as_external_data=external, location=f"{path.stem}.data", size_threshold=0)
    return path


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_a_hit_gives_the_same_files(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    assert counted.misses(file, tmp_path / "one")
    assert not counted.misses(file, tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    artifact = driver.compile(file, tmp_path / "three", cache=counted.cache)
    assert artifact.module_path.is_file()


def test_every_part_of_the_key(counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = save(model(), tmp_path / "net.onnx")
    out = tmp_path / "out"
    assert counted.misses(file, out)
    assert counted.misses(save(model("Abs"), file), out), "the graph"
    assert counted.misses(save(model(value=2), file), out), "a weight in the model"
    assert counted.misses(save(model(), file, external=True), out) is False, "where a weight is has no influence"
    assert counted.misses(save(model(value=3), file, external=True), out), "a weight beside the model"
    assert counted.misses(file, out, name="other"), "the name"
    assert counted.misses(file, out, layout="tiles"), "an option"
    assert counted.misses(file, out, input_shapes={"x": (2, 1024)}), "a shape"
    assert counted.misses(file, out, bind={"x": np.zeros((2, 1024), np.float32)}), "a value"
    assert counted.misses(file, out, bind={"x": np.ones((2, 1024), np.float32)}), "another value"
    assert counted.misses(file, out, shapes={"a": {"x": [2, 1024]}}), "the sets of shapes"
    assert counted.misses(file, out, weights="reference"), "where weights go"
    assert counted.misses(file, tmp_path / "else", weights="reference"), "the place that references are told from"
    assert not counted.misses(file, out)
    monkeypatch.setattr(module, "_versions", lambda: {"forge-mlir": "another"})
    assert counted.misses(file, out), "the version"


def test_the_size_has_a_limit(tmp_path: Path) -> None:
    driver.compile(save(model(value=9), tmp_path / "net.onnx"), tmp_path / "out")
    size = sum(path.stat().st_size for path in (tmp_path / "out").iterdir())
    sizes = CompileCache(tmp_path / "cache", limit=int(2.5 * size))
    for at in range(3):
        driver.compile(save(model(value=at), tmp_path / "net.onnx"), tmp_path / "out", cache=sizes)
        kept = [path for path in sizes.directory.iterdir() if not path.name.startswith(".")]
        assert len(kept) == min(at + 1, 2)
    driver.compile(tmp_path / "net.onnx", tmp_path / "out", cache=CompileCache(tmp_path / "none", limit=0))
    assert not list((tmp_path / "none").iterdir())


def test_a_compilation_that_is_watched_is_not_kept(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    for at in range(2):
        assert counted.misses(file, tmp_path / "out", dump_dir=tmp_path / f"stages_{at}")
    assert counted.misses(file, tmp_path / "out"), "nothing was kept"


def test_a_broken_entry_is_compiled_again(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    counted.misses(file, tmp_path / "out")
    (entry,) = counted.cache.directory.iterdir()
    (entry / "cache-entry.json").unlink()
    assert counted.misses(file, tmp_path / "out")
    assert Artifact.open(tmp_path / "out").manifest()
