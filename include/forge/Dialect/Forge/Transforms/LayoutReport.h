//===- LayoutReport.h - what a module takes in tiles ------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUTREPORT_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUTREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace forge {

struct LayoutReportOptions {
  /// How the device holds floats ("bf16"); as their type says if empty.
  std::string format;
  /// One remark per value, and one for the module.
  bool remarks = false;
  /// What the backend does with padding by itself: a name of TargetProfile.
  std::string target = "ttnn-conservative";
};

/// Writes every value of the device functions of `module` to `json` (not if null): {"values": [one flat object each],
/// "totals": {...}}. A value of a slice also has its class and the tiles that it reads and writes. Linear in the size
/// of the module. Fails, with a diagnostic, for an unknown format or target.
mlir::LogicalResult reportLayout(mlir::ModuleOp module, const LayoutReportOptions &options, llvm::raw_ostream *json);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUTREPORT_H
