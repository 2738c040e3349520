//===- Import.h - steps of --forge-normalize-import -------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMPORT_IMPORT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMPORT_IMPORT_H

#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Replaces calls of functions by their bodies and erases private functions that nothing uses. Nodes keep the opsets of
/// the function that they come from. Fails, with an error for each, at calls of functions that have no body, have
/// several blocks or call themselves, and where the bodies are too many nodes.
mlir::LogicalResult inlineFunctions(mlir::ModuleOp module);

/// Turns small tensors of a node's attributes that are blobs in the raw layout of ONNX into dense elements, as
/// forge-mlir's importer gives them. With `keepWeights` big dense elements become blobs, as that importer keeps weights
/// out of reach of folding. Fails, with an error, for a blob whose size does not fit its type.
mlir::LogicalResult normalizeTensors(torch::OperatorOp op, bool keepWeights);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMPORT_IMPORT_H
