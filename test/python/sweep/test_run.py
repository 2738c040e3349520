"""Folders of models, measured locally and on a Dask cluster; whatever a model does, no row is lost or duplicated."""

from __future__ import annotations

import csv
import errno
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

from forge_mlir import ForgeError, load_plugin
from forge_mlir.codes import Code
from forge_mlir.support.sandbox import Limits, isolated
from forge_mlir.sweep import measure
from forge_mlir.sweep import rows as tables
from forge_mlir.sweep.measure import Request
from forge_mlir.sweep.rows import Row
from forge_mlir.sweep.run import models_in, sweep
from sample_models.small import one_node
from sample_models.sweeping import HOSTILE, PLUGIN, save


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models are measured by forks of this process, because a new process takes seconds to load its packages. A model
    that crashes is measured in a new process, as for users."""
    started = measure.measured

    def measured(request: Request, *told: Any) -> Row:
        if "crash" in request.model:
            return started(request, *told)
        begun = request.begun()
        return isolated("the model", lambda: measure._measure(request, begun), Limits(0, 0))

    monkeypatch.setattr("forge_mlir.sweep.run.measured", measured)


@pytest.mark.usefixtures("forked")
def test_no_model_ends_a_sweep(tmp_path: Path) -> None:
    models, results = tmp_path / "models", tmp_path / "results"
    save(models, "good")
    save(models / "below", HOSTILE.replace("/", "_"))
    save(models, "refused", "Nothing", "trouble")
    save(models, "crash", "Crash", "trouble")
    (models / "broken.onnx").write_bytes(b"no model")
    (tmp_path / "plugin.py").write_text(PLUGIN)
    found = sweep(models, results, jobs=2, lowerings=load_plugin(tmp_path / "plugin.py"))
    verdicts = {row.model.partition(".")[0]: (row.verdict, row.code) for row in found.rows}
    assert verdicts.pop(f"below/{HOSTILE}") == ("verified", "")
    assert verdicts == {
        "broken": ("refused", Code.OtherFormat),
        "crash": ("failed", Code.ChildCrashed),
        "good": ("verified", ""),
        "refused": ("refused", Code.NoConverter),
    }
    (good,) = (row for row in found.rows if row.model == "good.onnx")
    assert (good.nodes, good.calls, good.device_partitions, good.cpu_partitions) == (1, 1, 1, 0)
    assert good.relative == 0
    assert None not in (good.compile_seconds, good.verify_seconds, good.run_seconds)
    assert "--plugin" in good.flags

    page = (results / "index.html").read_text()
    assert "&lt;img src=x onerror=alert(1)&gt;\\n=1+1" in page
    assert "<img" not in page
    with (results / "sweep.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["model"] for row in read] == [row.model.replace("\n", "\\n") for row in found.rows]
    assert [row["verdict"] for row in read] == [row.verdict for row in found.rows]
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(results / "sweep.parquet").to_pylist() == [tables.cells(row) for row in found.rows]


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model counts as verified at once, for tests of which models a sweep measures."""

    def measured(request: Request, *_: object) -> Row:
        return replace(request.begun(), verdict="verified")

    monkeypatch.setattr("forge_mlir.sweep.run.measured", measured)


def test_measured_models_are_not_measured_again(tmp_path: Path) -> None:
    save(tmp_path / "models", "a")
    assert [sweep(tmp_path / "models", tmp_path / "results").measured for _ in range(2)] == [1, 0]


@pytest.mark.usefixtures("unmeasured")
def test_a_sweep_does_not_measure_a_model_twice(tmp_path: Path) -> None:
    models, results = tmp_path / "models", tmp_path / "results"
    save(models, "a")
    save(models, "b")
    assert sweep(models, results).measured == 2
    assert sweep(models, results).measured == 0
    assert sweep(models, results, allow_rounding=True).measured == 2
    assert sweep(models, results, allow_rounding=True).measured == 0
    log = results / "rows.jsonl"
    log.write_text(log.read_text()[:-20])  # As a killed writer leaves it.
    found = sweep(models, results, allow_rounding=True)
    assert found.measured == 1
    save(models, "b", "Tanh")
    assert sweep(models, results, allow_rounding=True).measured == 1
    assert sweep(models, results, allow_rounding=True, fresh=True).measured == 2
    assert list(tables.read(results)) == ["a.onnx", "b.onnx"]


@pytest.mark.usefixtures("forked")
def test_values_and_sizes_of_inputs(tmp_path: Path) -> None:
    models = tmp_path / "models"
    for name in ("given", "random"):
        (models / name).mkdir(parents=True)
        onnx.save(one_node("Relu", ["batch", 3]), models / name / "model.onnx")
    np.savez(models / "given" / "inputs.npz", x=np.ones((4, 3), np.float32))
    found = sweep(models, tmp_path / "results")
    assert [row.verdict for row in found.rows] == ["verified", "refused"]
    assert found.rows[1].code == Code.DynamicShape
    (models / "random" / "length").mkdir()
    onnx.save(one_node("Relu", ["length", 3]), models / "random" / "length" / "model.onnx")
    found = sweep(models / "random", tmp_path / "results", dims={"batch": 2, "length": 3})
    assert [row.verdict for row in found.rows] == ["verified", "verified"]
    with pytest.raises(ForgeError, match="no model of the folder has a dimension 'bach'"):
        sweep(models, tmp_path / "results", dims={"bach": 2})


def test_a_folder_without_models(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=r"there is no \.onnx file"):
        sweep(tmp_path, tmp_path / "results")
    save(tmp_path, "one")
    with pytest.raises(ForgeError, match="no rows of a sweep"):
        sweep(tmp_path, tmp_path / "results", earlier=tmp_path / "none")


@pytest.mark.usefixtures("unmeasured")
def test_a_changed_dependency_is_measured_again(tmp_path: Path) -> None:
    """An edited plugin, pattern, file of inputs or of weights, other limits, or another version."""
    models, results, plugin = tmp_path / "models", tmp_path / "results", tmp_path / "plugin.py"
    file = save(models, "a")
    weight = onnx.numpy_helper.from_array(np.ones((2, 3), np.float32), "w")
    proto = onnx.load(file)
    proto.graph.node[0].output[0] = "r"
    proto.graph.node.append(helper.make_node("Add", ["r", "w"], ["y"], "add"))
    proto.graph.initializer.append(weight)
    onnx.save(proto, file, save_as_external_data=True, location="a.data", size_threshold=0)
    plugin.write_text(PLUGIN)
    given = models / "inputs.npz"

    def measured(**options: Any) -> int:
        return sweep(models, results, lowerings=load_plugin(plugin), **options).measured

    assert (measured(), measured()) == (1, 0)
    plugin.write_text(PLUGIN + "# edited\n")
    assert (measured(), measured()) == (1, 0), "a plugin"
    np.savez(given, x0=np.ones((2, 3), np.float32))
    assert (measured(), measured()) == (1, 0), "inputs that were not there"
    np.savez(given, x0=np.zeros((2, 3), np.float32))
    assert (measured(), measured()) == (1, 0), "inputs"
    (models / "a.data").write_bytes(np.full((2, 3), 2, np.float32).tobytes())
    assert (measured(), measured()) == (1, 0), "weights"
    assert (measured(limits=Limits(77.0, 0)), measured(limits=Limits(77.0, 0))) == (1, 0), "limits"
    assert measured(limits=Limits(77.0, 0), input_shapes={"x0": [2, 3]}) == 1, "an option"


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("output", ["models", "."])
def test_tables_may_be_written_next_to_the_models(output: str, tmp_path: Path) -> None:
    save(tmp_path / "models", "a")
    assert sweep(tmp_path / "models", tmp_path / output).measured == 1
    assert sweep(tmp_path / "models", tmp_path / output).measured == 0


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as those of processes below /proc: a sweep of / ended with an internal error."""
    for name in ("a", "gone", "z"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.onnx").touch()
    scandir = os.scandir

    def listed(path: Any) -> Any:
        if os.path.basename(path) == "gone":
            raise OSError(errno.EINVAL, "Invalid argument")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listed)
    assert list(models_in(tmp_path)) == ["a/m.onnx", "z/m.onnx"]
