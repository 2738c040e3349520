"""The stable interface that emitted files import; they import nothing else of this package.

`forge` is the CPU reference of the forge API, for machines without Tenstorrent's package; `ForgeModule` is its base
class of modules. `PartitionedModel` runs a model of several partitions, `OnnxSubgraph` a CPU partition. Importing this
module needs torch, numpy and ml_dtypes, and loads neither onnx, torch_mlir nor the compiler.
"""

from forge_mlir import runtime as forge
from forge_mlir.execute.onnx.subgraph import OnnxSubgraph
from forge_mlir.execute.partitioned_model import PartitionedModel
from forge_mlir.runtime import ForgeModule

__all__ = ["ForgeModule", "OnnxSubgraph", "PartitionedModel", "forge"]
