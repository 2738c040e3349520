"""How models are partitioned, what `check` reports about it, and where they can be cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto

import forge_mlir
from forge_mlir.report.check import check
from sample_models.goldens import CLOSE, assert_same
from sample_models.partition import detector, odd_head, transformer
from sample_models.tools import run_command

rng = np.random.default_rng(3)


def agrees(proto: ModelProto, artifact: forge_mlir.Artifact, relative: float = CLOSE) -> None:
    inputs = {
        value.name: rng.standard_normal([d.dim_value for d in value.type.tensor_type.shape.dim]).astype(np.float32)
        for value in proto.graph.input
    }
    golden = onnxruntime.InferenceSession(proto.SerializeToString()).run(None, inputs)
    for value, expected in zip(forge_mlir.run(artifact, inputs).values(), golden, strict=True):
        assert value.size
        assert_same(value, expected, relative)


def test_a_detector_is_one_partition_on_each_side(tmp_path: Path) -> None:
    proto = detector()
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    device, cpu = artifact.manifest()["partitions"]
    assert (device["kind"], cpu["kind"]) == ("device", "cpu")
    # 1x1 convolutions are matrix products.
    assert device["ops"]["forge.op.Conv2d"] + device["ops"]["forge.op.Matmul"] == 10
    assert "NonMaxSuppression" in cpu["ops"]
    agrees(proto, artifact)


@pytest.mark.parametrize(("odd", "options"), [("Det", {}), ("Mish", {"cpu_ops": ["Mish"]})])
def test_an_odd_op_in_a_deep_transformer_keeps_two_device_partitions(
    odd: str, options: dict[str, list[str]], tmp_path: Path
) -> None:
    proto = transformer(24, odd)
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu", **options)  # type: ignore[arg-type]
    regions = artifact.manifest()["partitions"]
    assert [region["kind"] for region in regions] == ["device", "cpu", "device"]
    assert regions[1]["ops"] == {odd: 1}
    total = sum(region["multiply_adds"] for region in regions)
    assert regions[1]["multiply_adds"] <= total // 100
    assert min(regions[0]["multiply_adds"], regions[2]["multiply_adds"]) > total // 3
    agrees(proto, artifact)


def test_multiply_adds_on_the_cpu_count() -> None:
    found = check(transformer(2, ""), fallback="cpu", cpu_ops=["MatMul"])
    work = {region.kind: 0 for region in found.partitions}
    for region in found.partitions:
        work[region.kind] += region.multiply_adds
    size, length = 32, 8
    weights, attention = length * size * (3 * size + size + 4 * size), 2 * length * length * size
    assert work == {"cpu": 2 * (weights + attention), "device": 0}
    assert sum(region.share for region in found.partitions) == pytest.approx(1)


def test_check_lists_the_partitions(tmp_path: Path) -> None:
    onnx.save(detector(), tmp_path / "net.onnx")

    def run(*options: str) -> str:
        done = run_command("check", tmp_path / "net.onnx", *options, COLUMNS="200")
        assert done.returncode == 0, done.stderr
        return done.stdout

    text = run("--fallback=cpu")
    assert "2 partitions; 100.0% of the multiply-adds run on the device" in text
    (row,) = (line for line in text.splitlines() if "NonMaxSuppression_" in line)
    assert "there is no converter for this op" in row
    (row,) = (line for line in text.splitlines() if "net_cpu1" in line and "tensors" in line)
    assert "2 tensors, 2,000 bytes" in row
    found = json.loads(run("--fallback=cpu", "--json"))
    assert found["verdict"] == "supported"
    assert [region["kind"] for region in found["partitions"]] == ["device", "cpu"]
    assert found["partitions"][1]["takes"] == {"tensors": 2, "bytes": 2000, "unknown": 0}
    assert found["partitions"][1]["gives"] == {"tensors": 2, "bytes": 0, "unknown": 2}


def test_the_real_package_compiles_device_partitions(tmp_path: Path) -> None:
    """A stand-in for Tenstorrent's package, which reports what it was asked to compile."""
    package = tmp_path / "packages" / "forge"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "import sys\n"
        "from forge_mlir import runtime\n"
        "from forge_mlir.runtime import *\n"
        "from forge_mlir.runtime import op\n"
        "sys.modules['forge.op'] = op\n"
        "def compile(module, sample_inputs, module_name=None):\n"
        "    print('compiled', module_name, [type(value).__name__ for value in sample_inputs])\n"
        "    return runtime.compile(module, sample_inputs, module_name)\n"
    )
    artifact = forge_mlir.compile(odd_head(), tmp_path / "out", fallback="cpu", name="net")
    code = (
        f"from forge_mlir.artifact.reader import Artifact\nfrom forge_mlir.execute.run import run\nimport numpy as np\n"
        f"print(run(Artifact.open({str(artifact.module_path)!r}), {{'x': np.eye(8, dtype=np.float32)}})['y'].shape)"
    )
    path = os.pathsep.join((str(package.parent), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.splitlines() == ["compiled net_device1 ['Tensor', 'Tensor']", "(8, 8)"], done.stderr
