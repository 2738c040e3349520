"""Folders of models, measured on a Dask cluster that loses a worker, has none, or does not answer."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge_mlir import ForgeError
from forge_mlir.sweep import rows as tables
from forge_mlir.sweep.rows import Row
from forge_mlir.sweep.run import sweep
from sample_models.sweeping import save


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler with two workers: its address, and the workers."""
    pytest.importorskip("distributed")
    contact = tmp_path / "scheduler.json"
    quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = ["--scheduler-file", str(contact), "--no-dashboard"]
    started = [
        subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", *words], **quiet)  # type: ignore[call-overload]
    ]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1", *words]
    started += [subprocess.Popen([*worker, "--name", str(at)], **quiet) for at in range(2)]  # type: ignore[call-overload]
    try:
        while not contact.exists():
            time.sleep(0.05)
        yield json.loads(contact.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    address, workers = cluster
    models, results = tmp_path / "models", tmp_path / "results"
    for at in range(4):
        save(models, f"model{at}")
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    appended: list[str] = []
    append = tables.append

    def appending(directory: Path, one: Row) -> None:
        append(directory, one)
        appended.append(one.model)
        if len(appended) == 2:  # Both workers are measuring the next models.
            workers[0].kill()

    monkeypatch.setattr(tables, "append", appending)
    found = sweep(models, results, scheduler=address)
    assert workers[0].wait() != 0
    assert workers[1].poll() is None
    names = [f"model{at}.onnx" for at in range(4)]
    assert sorted(appended) == names
    assert [one.model for one in found.rows] == names
    assert {one.verdict for one in found.rows} == {"verified"}
    assert len((results / "rows.jsonl").read_text().splitlines()) == 4
    assert sweep(models, results, scheduler=address).measured == 0


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("forge_mlir.sweep.cluster._ANSWER", 1.0)
    save(tmp_path, "one")
    with pytest.raises(ForgeError, match=r"FM2006.*no Dask scheduler answers"):
        sweep(tmp_path, tmp_path / "results", scheduler="tcp://127.0.0.1:1")


def test_a_cluster_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("forge_mlir.sweep.cluster._PATIENCE", 1.0)
    save(tmp_path / "models", "a")
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster,
        pytest.raises(ForgeError, match=r"has had no worker for 1 s: start some"),
    ):
        sweep(tmp_path / "models", tmp_path / "results", scheduler=cluster.scheduler_address)
