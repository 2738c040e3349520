"""Models with ops of a custom domain."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import FunctionProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

DOMAIN = "my.domain"
IMPORTS = (helper.make_opsetid("", 18), helper.make_opsetid(DOMAIN, 3))


def value(name: str, shape: Sequence[int] | None, dtype: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def own(op: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: object) -> NodeProto:
    """A node of the custom domain, named after its op."""
    return helper.make_node(op, inputs, outputs, name=f"the {op}", domain=DOMAIN, **attributes)


def own_model(
    nodes: Sequence[NodeProto],
    outputs: Sequence[ValueInfoProto],
    inputs: Sequence[ValueInfoProto] = (),
    functions: Sequence[FunctionProto] = (),
    **parts: object,
) -> ModelProto:
    """A model with the input x: float32[2, 8], unless other inputs are given."""
    graph = helper.make_graph(nodes, "g", inputs or [value("x", [2, 8])], outputs, **parts)
    return helper.make_model(graph, opset_imports=IMPORTS, ir_version=10, functions=functions)


def swish_and_halves(**attributes: object) -> ModelProto:
    """Swish, SplitHalf of its result, and the product of the halves by an ONNX op."""
    nodes = [
        own("Swish", ["x"], ["s"], beta=1.5, **attributes),
        own("SplitHalf", ["s"], ["a", "b"], axis=-1),
        helper.make_node("Mul", ["a", "b"], ["y"], name="product"),
    ]
    return own_model(nodes, [value("y", [2, 4]), value("b", [2, 4])])
