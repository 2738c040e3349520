//===- LayoutReport.h - what a module takes in tiles ------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUTREPORT_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUTREPORT_H

#include "forge/Analysis/IterDomain/HoleState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace forge {

struct LayoutReportOptions {
  /// How the device holds floats ("bf16"); as their type says if empty.
  std::string format;
  /// One remark per value, and one for the module.
  bool remarks = false;
  /// What the holes of a value hold, where an analysis knows it. Must not fail; may be empty.
  std::function<std::optional<itd::HoleState>(mlir::Value)> holes;
};

/// Writes every value of the device functions of `module` to `json` (not if null): {"values": [one flat object each],
/// "totals": {...}}. A value of a slice also has its class and the tiles that it reads and writes. Linear in the size
/// of the module. Fails, with a diagnostic, for an unknown format.
mlir::LogicalResult reportLayout(mlir::ModuleOp module, const LayoutReportOptions &options, llvm::raw_ostream *json);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUTREPORT_H
