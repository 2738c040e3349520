//===- Weights.h - recipes of weights ---------------------------*- C++ -*-===//

#ifndef FORGE_TARGET_ARTIFACT_WEIGHTS_H
#define FORGE_TARGET_ARTIFACT_WEIGHTS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"

namespace forge {

/// numpy's name of an element type, which torch uses too; "unknown" if numpy has no such type.
std::string numpyName(mlir::Type type);
/// `facts`, with the dtype and shape of `type` added.
llvm::json::Object typed(llvm::json::Object facts, mlir::RankedTensorType type);

/// The recipe of a weight in the manifest, which forge_mlir.artifact.recipe evaluates: a key of the importer's weight
/// table, a splat ("splat"), the bytes ("hex"), or steps that compute the weight from such sources. Steps may be
/// evaluated when the module is loaded ("on_load").
llvm::json::Object weightSource(const ComputedWeights &computed, mlir::Operation *op);

/// The op of a weight, and all ops that it is computed from, in breadth-first order.
llvm::SetVector<mlir::Operation *> withSources(mlir::Operation *op);

/// Whether a weight is computed on loading: its sources are integers of at most 8 bits and take fewer bits in the file
/// than the weight would.
bool isComputedOnLoad(const ComputedWeights &computed, mlir::Operation *op);

} // namespace forge

#endif // FORGE_TARGET_ARTIFACT_WEIGHTS_H
