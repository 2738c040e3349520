//===- WeightData.h - the bytes of a module's weights -----------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_ARTIFACT_WEIGHTDATA_H
#define FORGE_LIB_TARGET_ARTIFACT_WEIGHTDATA_H

#include "../Python/EmissionPlan.h"

namespace forge {

/// Takes a piece of a file.
using Sink = llvm::function_ref<void(llvm::StringRef)>;

/// Bytes of a weight in the dtype that the module declares.
int64_t storedBytes(const PlannedWeight &weight);

/// Gives `sink` these bytes piece by piece; one that needs no conversion is not copied. Fails, with an error, when the
/// IR does not carry the weight, its size is wrong, or a value does not fit the declared dtype: integers must be exact,
/// and a float may round, but not overflow, but for a float32 beyond the largest bfloat16, which becomes that.
mlir::LogicalResult writeWeight(const PlannedWeight &weight, Sink sink);

} // namespace forge

#endif // FORGE_LIB_TARGET_ARTIFACT_WEIGHTDATA_H
