//===- SafetensorsFile.h - weights on disk ----------------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_ARTIFACT_SAFETENSORSFILE_H
#define FORGE_LIB_TARGET_ARTIFACT_SAFETENSORSFILE_H

#include "WeightData.h"
#include "llvm/ADT/MapVector.h"

namespace forge {

/// Tensors to write; one that the module uses twice, in one dtype, is stored once.
class SafetensorsFile {
public:
  /// Plans a weight, which must outlive this; gives its name in the file.
  llvm::StringRef add(const EmissionPlan &plan, const PlannedWeight &weight);

  /// Writes the file piece by piece and gives its SHA-256 in hexadecimal digits. Fails with an error at `location`, or
  /// at the weight that cannot be written.
  mlir::FailureOr<std::string> write(llvm::StringRef path, mlir::Location location) const;

private:
  llvm::MapVector<mlir::Attribute, const PlannedWeight *> stored; ///< by what identifies the bytes
};

} // namespace forge

#endif // FORGE_LIB_TARGET_ARTIFACT_SAFETENSORSFILE_H
