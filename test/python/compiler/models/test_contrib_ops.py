"""onnxruntime's contrib ops: every op that its tools write has a converter, or runs in a CPU partition, or is
refused."""

import re
import tomllib
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as state
import pytest
from onnx import helper

from forge_mlir import ForgeError, _native, compile, run
from forge_mlir.report.check import check
from forge_mlir.verify import compare
from sample_models.microsoft.quantised import CONVERTED, DOMAIN, INT64, ON_CPU, Arrays, model, quantised_lstm, random

TABLE = tomllib.loads((Path(__file__).parents[3] / "data" / "contrib_ops.toml").read_text(encoding="utf-8"))


def goldens(data: bytes, inputs: Arrays) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"]).run(None, inputs)


def test_the_table_names_every_op_once() -> None:
    """If a newer onnxruntime writes another op, this fails until the table says how it is handled."""
    base = Path(onnxruntime.__file__).parent
    scripts = [*(base / "quantization").rglob("*.py"), *(base / "transformers").glob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    schemas = {schema.name for schema in state.get_all_operator_schema() if schema.domain == DOMAIN}
    written = {name for name in schemas if re.search(rf"[\"']{name}[\"']", text)}
    listed = [name for names in TABLE.values() for name in names]
    assert len(listed) == len(set(listed))
    assert written <= set(listed)
    assert set(listed) <= schemas


def test_the_table_lists_all_converters_and_kernels() -> None:
    converters = {op for domain, op, _ in _native.registered_ops() if domain == DOMAIN}
    kernels = {
        kernel.op_name
        for kernel in state.get_all_opkernel_def()
        if kernel.domain == DOMAIN and kernel.provider == "CPUExecutionProvider"
    }
    assert set(TABLE["converted"]) == converters
    assert set(TABLE["cpu"]) <= kernels - converters
    assert not set(TABLE["none"]) & (kernels | converters)


@pytest.mark.parametrize("case", CONVERTED)
def test_converters_agree_with_onnxruntime(case: str, tmp_path: Path) -> None:
    data, inputs = CONVERTED[case]()
    artifact = compile(onnx.ModelProto.FromString(data), tmp_path, name="m")
    for (name, value), golden in zip(run(artifact, inputs).items(), goldens(data, inputs), strict=True):
        row = compare(name, value, golden)
        assert row.passed, row.explain()


@pytest.mark.parametrize("case", ON_CPU)
def test_the_others_run_on_the_cpu(case: str, tmp_path: Path) -> None:
    data, inputs = ON_CPU[case]()
    proto = onnx.ModelProto.FromString(data)
    assert not check(proto).supported
    artifact = compile(proto, tmp_path, name="m", fallback="cpu", cpu_exact=True)
    (partition,) = artifact.manifest()["partitions"]
    assert (partition["kind"], partition["engine"]) == ("cpu", "onnxruntime")
    for (name, value), golden in zip(run(artifact, inputs).items(), goldens(data, inputs), strict=True):
        row = compare(name, value, golden)
        assert row.passed, row.explain()


def test_an_op_without_any_kernel_is_refused(tmp_path: Path) -> None:
    constants = {"b": random(8)}
    data, _ = model("BiasAdd", {"x": random(1, 4, 8), "s": random(1, 4, 8)}, constants, 1, "x b s")
    proto = onnx.ModelProto.FromString(data)
    (refusal,) = check(proto, fallback="cpu").refused
    assert (refusal.op, refusal.name, refusal.code) == ("BiasAdd", "n", "FM5004")
    assert "onnxruntime: " in refusal.reason
    assert "onnx.reference: " in refusal.reason
    with pytest.raises(ForgeError, match="cannot be compiled"):
        compile(proto, tmp_path / "out", fallback="cpu")
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())


def test_an_op_that_onnx_does_not_know_may_precede_a_cpu_partition(tmp_path: Path) -> None:
    """As in kokoro: the result of a contrib op on the device has the type that the compiler computed, because onnx
    infers none."""
    data, inputs = quantised_lstm(1, False, np.int8)
    proto = onnx.ModelProto.FromString(data)
    nodes = proto.graph.node
    nodes[0].output[0] = "z"
    nodes.append(helper.make_node("Squeeze", ["z"], ["s"]))
    nodes.append(helper.make_node("NonZero", ["s"], ["y0"], "nonzero"))
    proto.graph.output[0].type.tensor_type.elem_type = INT64
    artifact = compile(proto, tmp_path, name="m", fallback="cpu")
    assert [part["kind"] for part in artifact.manifest()["partitions"]] == ["device", "cpu"]
    golden = goldens(proto.SerializeToString(), inputs)
    np.testing.assert_array_equal(run(artifact, inputs)["y0"], golden[0])


def test_a_size_of_0_that_only_the_model_declares_is_open(tmp_path: Path) -> None:
    """onnx infers no shape for the op: if the declared size of 0 were believed, the compiler would remove it as
    empty."""
    data, inputs = ON_CPU["MatMulBnb4"]()
    proto = onnx.ModelProto.FromString(data)
    proto.graph.node[0].output[0] = "z"
    proto.graph.node.append(helper.make_node("Transpose", ["z"], ["y0"], "transpose"))
    proto.graph.value_info.append(helper.make_tensor_value_info("z", onnx.TensorProto.FLOAT, [1, 0]))
    artifact = compile(proto, tmp_path, name="m", fallback="cpu")
    (golden,) = goldens(proto.SerializeToString(), inputs)
    assert golden.shape == (8, 3)
    row = compare("y0", run(artifact, inputs)["y0"], golden)
    assert row.passed, row.explain()
