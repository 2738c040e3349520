"""What emitted files import, and nothing else of this package: a stable interface.

`forge` is the CPU reference of the forge API, for where Tenstorrent's own package is not installed; `ForgeModule` is
its base of modules. `PartitionedModel` runs a model of several partitions, `OnnxSubgraph` one of those that run on the
CPU. Importing this needs torch, numpy and ml_dtypes; neither onnx, torch_mlir nor the compiler is loaded.
"""

from forge_mlir import runtime as forge
from forge_mlir.execute.onnx.subgraph import OnnxSubgraph
from forge_mlir.execute.partitioned_model import PartitionedModel
from forge_mlir.runtime import ForgeModule

__all__ = ["ForgeModule", "OnnxSubgraph", "PartitionedModel", "forge"]
