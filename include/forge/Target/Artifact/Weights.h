//===- Weights.h - where the bytes of weights come from ---------*- C++ -*-===//

#ifndef FORGE_TARGET_ARTIFACT_WEIGHTS_H
#define FORGE_TARGET_ARTIFACT_WEIGHTS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "llvm/Support/JSON.h"

namespace forge {

/// numpy's name of an element type, which is torch's too; "unknown" for a type that numpy does not have.
std::string numpyName(mlir::Type type);
/// `facts` with the dtype and shape of a type.
llvm::json::Object typed(llvm::json::Object facts, mlir::RankedTensorType type);

/// Where the bytes of a weight come from, for forge_mlir.artifact.recipe, which computes them: a key of the importer's
/// table, one repeated value ("splat"), the bytes themselves ("hex"), or the steps that compute them from such, which
/// may be left to who loads the weights ("on_load").
llvm::json::Object weightSource(const ComputedWeights &computed, mlir::Operation *op);

/// Whether a weight is computed when it is loaded: it is made of integers of at most 8 bits, and the file holds fewer
/// bits of what it is made of than of the weight.
bool isComputedOnLoad(const ComputedWeights &computed, mlir::Operation *op);

} // namespace forge

#endif // FORGE_TARGET_ARTIFACT_WEIGHTS_H
