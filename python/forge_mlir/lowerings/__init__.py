"""User-defined lowerings: Python functions that convert ONNX nodes to forge ops, without building anything.

    @forge_mlir.lowering("my.domain", "Swish")
    def swish(node: Node, b: Builder) -> Value:
        x = node.input(0)
        return b.multiply(x, b.sigmoid(b.multiply(x, b.scalar_like(x, node.float_attr("beta", 1.0)))))

    forge_mlir.compile("model.onnx", "out", lowerings=[swish])

They follow the rules of the compiler's own converters: an unread attribute is an error, all refused nodes are reported
in one run, result types are inferred and compared with those of the model. May import `dialects` and below.
"""

from typing import TYPE_CHECKING

from forge_mlir.support.lazy import lazy_names

if TYPE_CHECKING:
    from forge_mlir.lowerings.builder import Builder as Builder
    from forge_mlir.lowerings.lowering import Lowering as Lowering
    from forge_mlir.lowerings.node import Node as Node
    from forge_mlir.lowerings.node import Value as Value

_HOME = {
    "Builder": "forge_mlir.lowerings.builder",
    "Lowering": "forge_mlir.lowerings.lowering",
    "Node": "forge_mlir.lowerings.node",
    "Value": "forge_mlir.lowerings.node",
}

__all__ = list(_HOME)
__getattr__, __dir__ = lazy_names(__name__, _HOME)
