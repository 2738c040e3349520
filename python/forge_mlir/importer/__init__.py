"""ONNX to torch-mlir IR: torch-mlir's own node importer, fed with a model from which the weights have been left out."""

from forge_mlir.importer.errors import OnnxImportError
from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.importer.onnx_import import ImportedModel, TensorInfo, import_onnx
from forge_mlir.importer.weights import WeightFile, WeightRef

__all__ = ["MAX_EXPANSION", "ImportedModel", "OnnxImportError", "TensorInfo", "WeightFile", "WeightRef", "import_onnx"]
