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
/// table, one repeated value ("splat"), the bytes themselves ("hex"), or the steps that compute them from such.
llvm::json::Object weightSource(const ComputedWeights &computed, mlir::Operation *op);

} // namespace forge

#endif // FORGE_TARGET_ARTIFACT_WEIGHTS_H
