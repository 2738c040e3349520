"""Imports ONNX to torch-mlir IR with torch-mlir's own node importer, on a model without its weights.

`passes` prepares the model, one file per step; `torch_nodes` creates the IR. May import `onnx_model`, `support` and
`errors`. The names below are loaded on first use.
"""

from typing import TYPE_CHECKING

from forge_mlir.support.lazy import lazy_names

if TYPE_CHECKING:
    from forge_mlir.importer.onnx_import import ImportedModel as ImportedModel
    from forge_mlir.importer.onnx_import import TensorInfo as TensorInfo
    from forge_mlir.importer.onnx_import import import_onnx as import_onnx
    from forge_mlir.onnx_model.errors import OnnxImportError as OnnxImportError
    from forge_mlir.onnx_model.storage.weights import WeightFile as WeightFile
    from forge_mlir.onnx_model.storage.weights import WeightRef as WeightRef

_HOME = {
    "ImportedModel": "forge_mlir.importer.onnx_import",
    "OnnxImportError": "forge_mlir.onnx_model.errors",
    "TensorInfo": "forge_mlir.importer.onnx_import",
    "WeightFile": "forge_mlir.onnx_model.storage.weights",
    "WeightRef": "forge_mlir.onnx_model.storage.weights",
    "import_onnx": "forge_mlir.importer.onnx_import",
}

__all__ = list(_HOME)
__getattr__, __dir__ = lazy_names(__name__, _HOME)
