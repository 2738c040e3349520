"""A long chain of nodes, with hierarchical names as exporters write them, and a hostile name."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

HOSTILE = "</script><script>window.taken = 1</script><img src=x onerror='window.taken = 1'> \"'\u2028\u202e{{7*7}}"


def chain(layers: int, per_layer: int) -> ModelProto:
    """Alternating Relu and Add with hierarchical names as exporters write them; one node has a hostile name."""
    nodes, value = [], "x"
    for layer in range(layers):
        for at in range(per_layer):
            name = f"/layer_{layer}/block/op_{at}" if (layer, at) != (1, 1) else f"/layer_1/{HOSTILE}"
            op, more = ("Relu", []) if at % 2 else ("Add", ["w"])
            nodes.append(helper.make_node(op, [value, *more], [f"v{layer}_{at}"], name))
            value = f"v{layer}_{at}"
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 32]) for name in ("x", value))
    weight = numpy_helper.from_array(np.ones((2, 32), np.float32), "w")
    graph = helper.make_graph(nodes, HOSTILE, [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
