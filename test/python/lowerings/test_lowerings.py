"""Ops of a custom domain, lowered by Python functions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
import lowering_stubs
from forge_mlir import ForgeError, Lowering, lowering
from forge_mlir.errors import CompilationCancelled, Diagnostic
from forge_mlir.lowerings import Builder, Node, Value
from forge_mlir.report.check import check
from sample_models.custom_ops import DOMAIN, own, own_model, swish_and_halves, value
from sample_models.goldens import assert_same

Array = npt.NDArray[np.float32]


@lowering(DOMAIN, "Swish")
def swish(node: Node, b: Builder) -> Value:
    x = node.input(0)
    beta = b.scalar_like(x, node.float_attr("beta", 1.0))
    return b.multiply(x, b.sigmoid(b.multiply(x, beta)))


@lowering(DOMAIN, "SplitHalf", since=2)
def split_half(node: Node, b: Builder) -> list[Value]:
    x = node.input(0)
    axis = node.axis(node.int_attr("axis", 0), len(x.shape))
    if x.shape[axis] % 2:
        node.refuse(f"axis {axis} has {x.shape[axis]} elements, which is odd")
    return b.split(x, axis, [x.shape[axis] // 2] * 2)


OWN = [swish, split_half]
Y = value("y", [2, 8])
SWISH_ALONE = own_model([own("Swish", ["x"], ["y"])], [Y])
X = np.random.default_rng(0).standard_normal((2, 8)).astype(np.float32)


def by_numpy(x: Array, beta: float) -> Array:
    return np.asarray(x / (1 + np.exp(-beta * x)), np.float32)


def results(model: ModelProto, directory: Path, *own_lowerings: Lowering, **inputs: Array) -> list[Array]:
    """The results of the compiled module."""
    artifact = forge_mlir.compile(model, directory, name="m", lowerings=own_lowerings or OWN)
    return list(forge_mlir.run(artifact, inputs or {"x": X}).values())


def refused(model: ModelProto, directory: Path, *own_lowerings: Lowering) -> tuple[Diagnostic, ...]:
    """The errors of a model. Asserts that nothing was written."""
    with pytest.raises(ForgeError) as found:
        forge_mlir.compile(model, directory / "out", name="m", lowerings=own_lowerings or OWN)
    assert not (directory / "out").exists()
    return tuple(each for each in found.value.diagnostics if each.severity == "error")


def test_two_ops_one_with_two_outputs(tmp_path: Path) -> None:
    y, b = results(swish_and_halves(), tmp_path)
    s = by_numpy(X, 1.5)
    assert_same(y, s[:, :4] * s[:, 4:])
    assert_same(b, s[:, 4:])
    source = (tmp_path / "m.py").read_text()
    assert '.set_src_layer("the Swish")' in source
    assert '.set_src_layer("the SplitHalf")' in source


def test_check_takes_them(tmp_path: Path) -> None:
    onnx.save(swish_and_halves(), tmp_path / "m.onnx")
    assert not check(tmp_path / "m.onnx").supported
    assert check(tmp_path / "m.onnx", lowerings=OWN).supported


def test_without_a_lowering_every_node_is_refused(tmp_path: Path) -> None:
    first, second = refused(swish_and_halves(), tmp_path, lowering("other", "Op")(swish.function))
    assert (first.op, first.domain, first.opset, first.code) == ("Swish", DOMAIN, 3, "FM1001")
    assert second.op == "SplitHalf"


def test_an_attribute_that_no_lowering_read(tmp_path: Path) -> None:
    (found,) = refused(swish_and_halves(alpha=2.0), tmp_path)
    assert (found.code, found.onnx_node, found.op) == ("FM1101", "the Swish", "Swish")
    assert found.reason == (
        "attribute 'alpha' is not known to this lowering; read it there, or say node.ignore_attr(\"alpha\")"
    )


def test_all_refused_nodes_in_one_run(tmp_path: Path) -> None:
    nodes = [own("SplitHalf", ["x"], ["a", "b"], axis=1), own("Swish", ["b"], ["c"], beta="much")]
    nodes += [helper.make_node("RandomUniformLike", ["x"], ["d"], name="random")]
    model = own_model(nodes, [value("a", None), value("c", None), value("d", None)], [value("x", [3, 3])])
    found = refused(model, tmp_path)
    assert [(each.onnx_node, each.code) for each in found] == [
        ("the SplitHalf", "FM1021"),
        ("random", "FM1001"),
    ]
    assert found[0].reason == "axis 1 has 3 elements, which is odd"


def test_an_attribute_of_another_kind(tmp_path: Path) -> None:
    (found,) = refused(own_model([own("Swish", ["x"], ["y"], beta="much")], [Y]), tmp_path)
    assert (found.code, found.reason) == ("FM1103", "attribute 'beta' is not a float")


def test_a_refusal_for_rounding_can_be_accepted(tmp_path: Path) -> None:
    @lowering(DOMAIN, "Swish")
    def rounded(node: Node, b: Builder) -> Value:
        beta = node.float_attr("beta", 1.0)
        node.refuse_rounding("its sigmoid is rounded first")
        x = node.input(0)
        return b.multiply(x, b.sigmoid(b.multiply(x, b.scalar_like(x, beta))))

    (error,) = refused(SWISH_ALONE, tmp_path, rounded)
    assert error.code == "FM1502"
    artifact = forge_mlir.compile(SWISH_ALONE, tmp_path / "out", name="m", lowerings=[rounded], allow_rounding=True)
    (found,) = forge_mlir.run(artifact, {"x": X}).values()
    assert_same(found, by_numpy(X, 1.0))


def test_the_opset_selects_the_lowering(tmp_path: Path) -> None:
    (found,) = refused(
        own_model([own("Swish", ["x"], ["y"])], [Y]),
        tmp_path,
        lowering(DOMAIN, "Swish", since=4)(swish.function),
    )
    assert (found.code, found.reason) == ("FM1002", "the oldest converter is for opset 4")

    @lowering(DOMAIN, "Swish", since=2)
    def newer(node: Node, b: Builder) -> Value:
        return b.relu(node.input(0))

    (y,) = results(SWISH_ALONE, tmp_path, swish, newer)
    np.testing.assert_array_equal(y, np.maximum(X, 0))


def broken(function: object) -> Lowering:
    return Lowering(DOMAIN, "Swish", 1, function)  # type: ignore[arg-type]


def test_exceptions_name_file_and_line(tmp_path: Path) -> None:
    def divides(node: Node, b: Builder) -> Value:
        return b.relu(helper_of(node))

    def helper_of(node: Node) -> Value:
        del node
        raise ZeroDivisionError("no \x1b[31m")

    line = helper_of.__code__.co_firstlineno + 2
    with pytest.raises(ForgeError) as error:
        forge_mlir.compile(SWISH_ALONE, tmp_path / "out", lowerings=[broken(divides)])
    (found,) = error.value.diagnostics
    assert found.code == "FM1022"
    assert found.onnx_node == "the Swish"
    assert found.reason == f"{__file__}:{line}: ZeroDivisionError: no \\x1b[31m"
    assert isinstance(error.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda _node, _b: 3, "TypeError: expected a Value or a sequence of them as the result, but got 3"),
        (lambda _node, _b: None, "as the result, but got None"),
        (lambda _node, _b: [None], "output 0 cannot be computed on the device"),
        (lambda node, _b: [node.input(0)] * 2, "TypeError: expected results for 1 outputs, but got 2"),
        (
            lambda node, b: b.cast(node.input(0), "int32"),
            "output 0 is computed as tensor<2x8xi32>, but",
        ),
        (lambda node, b: b.reduce_sum(node.input(0), dim=5, keep_dim=True), "'forge.reduce_sum' op"),
        (lambda node, b: b.reduce_sum(node.input(0), dim=0.5, keep_dim=True), "TypeError: "),
        (
            lambda node, b: b.reduce_sum(node.input(0), dim=0, keep_dim=1),
            "TypeError: expected True or False, but got 1",
        ),
        (lambda node, b: b.reduce_sum(node.input(0)), "TypeError: reduce_sum() missing 2 required positional"),
        (lambda node, b: b.add(node.input(0), 1.0), "TypeError: forge.add: expected a Value, but got 1.0"),
        (lambda node, b: b.sparkle(node.input(0)), "AttributeError: the forge dialect has no op 'sparkle'"),
        (lambda node, b: b.cast(node.input(0), "float3"), "TypeError: expected a dtype of float16, "),
        (lambda _node, b: b.reshape(b.constant(X), [-2, -8]), "expected positive dims, but got [-2, -8]"),
        (lambda node, _b: node.input(1), "input 1 is missing"),
        (lambda node, b: b.constant(node.constant(0, "x")), "x (input 0) must be known at compile time"),
        (lambda node, _b: node.int_attr("n"), "attribute 'n' is missing"),
        (lambda node, b: b.broadcast_to(node), "AttributeError: the forge dialect has no op 'broadcast_to'"),
    ],
)
def test_wrong_lowerings_are_refused(function: object, reason: str, tmp_path: Path) -> None:
    (found,) = refused(SWISH_ALONE, tmp_path, broken(function))
    assert reason in found.reason
    assert found.onnx_node == "the Swish"


def test_nodes_and_builders_are_invalid_after_the_call(tmp_path: Path) -> None:
    kept: list[Node | Value | Builder] = []

    def keeps(node: Node, b: Builder) -> Value:
        kept.extend((node, node.input(0), b))
        return node.input(0)

    model = own_model([own("Swish", ["x"], ["s"]), own("Swish", ["s"], ["y"])], [Y])
    forge_mlir.compile(model, tmp_path / "out", name="m", lowerings=[broken(keeps)])
    node, x, b = kept[:3]
    for use in (
        lambda: node.input(0),  # type: ignore[union-attr]
        lambda: x.shape,  # type: ignore[union-attr]
        lambda: b.relu(x),  # type: ignore[union-attr, arg-type]
    ):
        with pytest.raises(ValueError, match="is used after the lowering has returned"):
            use()

    values: list[Value] = []

    def mixes(node: Node, b: Builder) -> Value:
        values.append(node.input(0))
        return b.relu(values[0])

    (found,) = refused(model, tmp_path / "mixed", broken(mixes))
    assert "a value of another call of a lowering" in found.reason


def test_a_cancelled_lowering_ends_the_compilation(tmp_path: Path) -> None:
    def cancels(_node: Node, _b: Builder) -> Value:
        raise CompilationCancelled("enough")

    def interrupts(_node: Node, _b: Builder) -> Value:
        raise KeyboardInterrupt

    with pytest.raises(CompilationCancelled, match="enough"):
        forge_mlir.compile(SWISH_ALONE, tmp_path / "out", lowerings=[broken(cancels)])
    with pytest.raises(KeyboardInterrupt):
        forge_mlir.compile(SWISH_ALONE, tmp_path / "out", lowerings=[broken(interrupts)])
    assert not (tmp_path / "out").exists()


def test_a_refusal_cannot_be_swallowed(tmp_path: Path) -> None:
    def swallows(node: Node, b: Builder) -> Value:
        try:
            return b.relu(node.input(7))
        except Exception:
            return node.input(0)

    (found,) = refused(SWISH_ALONE, tmp_path, broken(swallows))
    assert found.reason == "input 7 is missing"


def test_constants_and_shapes_are_available(tmp_path: Path) -> None:
    seen: list[object] = []

    @lowering(DOMAIN, "Scale")
    def scale(node: Node, b: Builder) -> Value:
        factors = node.constant(1, "factors")
        x = node.input(0)
        seen.extend((x.shape, x.dtype, x.known(), factors.dtype.name, node.input(1).dtype))
        doubled = b.add(node.input(1), node.input(1)).known()
        assert doubled is not None
        kinds = (node.ints_attr("ints"), node.floats_attr("floats"), node.string_attr("text"), node.flag_attr("flag"))
        seen.extend((doubled.tolist(), *kinds, node.tensor_attr("tensor").tolist(), node.ints_attr("none", [4])))
        node.ignore_attr("unused")
        last = b.constant(np.array([[2.0]], ">f4"))
        return b.multiply(b.multiply(x, b.cast(b.constant(factors), "float32")), last)

    tensor = numpy_helper.from_array(np.array([[1, -2]], np.int8), "t")
    attributes = {"ints": [1, 2], "floats": [0.5], "text": "a", "flag": 1, "tensor": tensor, "unused": 3}
    node = own("Scale", ["x", "f"], ["y"], **attributes)
    factors = numpy_helper.from_array(np.arange(8, dtype=np.int64), "f")
    (y,) = results(own_model([node], [value("y", None)], initializer=[factors]), tmp_path, scale)
    assert_same(y, X * np.arange(8, dtype=np.float32) * 2)
    doubled = (2 * np.arange(8)).tolist()
    assert seen == [(2, 8), "float32", None, "int64", "int64", doubled, [1, 2], [0.5], "a", True, [[1, -2]], [4]]


def test_nodes_in_the_body_of_a_function(tmp_path: Path) -> None:
    body = helper.make_function(
        "local",
        "Twice",
        ["a"],
        ["c"],
        [own("Swish", ["a"], ["b"], beta=2.0), own("Swish", ["b"], ["c"])],
        [helper.make_opsetid("", 18), helper.make_opsetid(DOMAIN, 3)],
    )
    graph = helper.make_graph(
        [helper.make_node("Twice", ["x"], ["y"], name="twice", domain="local")],
        "g",
        [value("x", [2, 8])],
        [Y],
    )
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("local", 1), helper.make_opsetid(DOMAIN, 3)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=10, functions=[body])
    (y,) = results(model, tmp_path)
    assert_same(y, by_numpy(by_numpy(X, 2.0), 1.0))


def test_nodes_in_a_subgraph(tmp_path: Path) -> None:
    def branch(name: str, op: str) -> onnx.GraphProto:
        return helper.make_graph([own(op, ["x"], [name])], name, [], [value(name, [2, 8])])

    node = helper.make_node(
        "If", ["c"], ["y"], name="if", then_branch=branch("t", "Swish"), else_branch=branch("e", "Other")
    )
    condition = numpy_helper.from_array(np.array(True), "c")
    (y,) = results(own_model([node], [Y], initializer=[condition]), tmp_path)
    assert_same(y, by_numpy(X, 1.0))


def test_a_node_with_a_subgraph(tmp_path: Path) -> None:
    @lowering(DOMAIN, "Apply")
    def apply(node: Node, _b: Builder) -> Value:
        value = node.input(0)
        for _ in range(node.int_attr("times")):
            (found,) = node.inline_subgraph(0, [value])
            assert found is not None
            value = found
        return value

    body = helper.make_graph(
        [helper.make_node("Neg", ["i"], ["o"], name="neg")], "b", [value("i", [2, 8])], [value("o", [2, 8])]
    )
    node = own("Apply", ["x"], ["y"], body=body, times=3)
    (y,) = results(own_model([node], [Y]), tmp_path, apply)
    np.testing.assert_array_equal(y, -X)

    @lowering(DOMAIN, "Apply")
    def ignores(node: Node, _b: Builder) -> Value:
        node.ignore_attr("times")
        return node.input(0)

    (found,) = refused(own_model([node], [Y]), tmp_path / "ignored", ignores)
    assert found.code == "FM1005"


def test_unknown_types_are_computed(tmp_path: Path) -> None:
    """onnx infers no types after an op that it does not know."""
    nodes = [
        own("Swish", ["x"], ["s"]),
        helper.make_node("TopK", ["s", "k"], ["top", "at"], name="top"),
        helper.make_node("Cast", ["at"], ["where"], name="cast", to=TensorProto.FLOAT),
        helper.make_node("Add", ["top", "where"], ["y"], name="add"),
    ]
    k = numpy_helper.from_array(np.array([1], np.int64), "k")
    (y,) = results(own_model(nodes, [value("y", None)], initializer=[k]), tmp_path)
    s = by_numpy(X, 1.0)
    assert_same(y, s.max(axis=1, keepdims=True) + s.argmax(axis=1, keepdims=True).astype(np.float32))


def test_a_lowering_replaces_the_converter(tmp_path: Path) -> None:
    @lowering("", "Gelu", since=20)
    def as_relu(node: Node, b: Builder) -> Value:
        node.ignore_attr("approximate")
        return b.relu(node.input(0))

    graph = helper.make_graph([helper.make_node("Gelu", ["x"], ["y"], name="g")], "g", [value("x", [2, 8])], [Y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    (y,) = results(model, tmp_path, as_relu)
    np.testing.assert_array_equal(y, np.maximum(X, 0))


def test_nodes_without_a_lowering_run_on_the_cpu(tmp_path: Path) -> None:
    """Partitioning uses the lowerings of the user."""
    nodes = [own("Swish", ["x"], ["s"]), helper.make_node("Det", ["s"], ["y"], name="det")]
    model = own_model(nodes, [value("y", [])], [value("x", [4, 4])])
    artifact = forge_mlir.compile(model, tmp_path, name="m", lowerings=OWN, fallback="cpu")
    assert [part["kind"] for part in artifact.manifest()["partitions"]] == ["device", "cpu"]
    x = X.reshape(4, 4)
    (y,) = forge_mlir.run(artifact, {"x": x}).values()
    assert_same(y, np.linalg.det(by_numpy(x, 1.0)))


def test_an_exception_does_not_move_a_node_to_the_cpu(tmp_path: Path) -> None:
    def divides(_node: Node, _b: Builder) -> Value:
        raise ZeroDivisionError("no")

    own_gelu = Lowering("", "Gelu", 20, divides)
    gelu = helper.make_node("Gelu", ["x"], ["y"], name="g")
    graph = helper.make_graph([gelu], "g", [value("x", [2, 8])], [Y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    with pytest.raises(ForgeError, match="FM2001") as error:
        forge_mlir.compile(model, tmp_path / "out", name="m", lowerings=[own_gelu], fallback="cpu")
    assert [(found.code, found.onnx_node) for found in error.value.diagnostics] == [("FM1022", "g")]
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_the_types_of_the_builder_are_those_of_the_records() -> None:
    assert lowering_stubs.STUB.read_text() == lowering_stubs.stub(), "run python tools/lowering_stubs.py"
    assert len(lowering_stubs.stub().splitlines()) > 80


def test_two_of_one_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=r"FM1023.*two lowerings of 'Swish' of domain 'my.domain', version 1"):
        forge_mlir.compile(SWISH_ALONE, tmp_path, lowerings=[swish, broken(swish.function)])
    with pytest.raises(ValueError, match="expected the name of an op"):
        lowering(DOMAIN, "")
