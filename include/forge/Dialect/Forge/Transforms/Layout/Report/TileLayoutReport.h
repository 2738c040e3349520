//===- TileLayoutReport.h - sizes of values in tiles ------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUT_REPORT_TILELAYOUTREPORT_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUT_REPORT_TILELAYOUTREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace forge {

struct LayoutReportOptions {
  /// The storage format of floats on the device ("bf16"); if empty, their type.
  std::string format;
  /// One remark per value, and one for the module.
  bool remarks = false;
  /// The name of a TargetProfile.
  std::string target = "ttnn-conservative";
};

/// Reports the values of the device functions of `module`, to `json` if that is not null, as {"values": [one flat
/// object per value], "totals": {...}}. A slice also has its class and the tiles that it reads and writes. Linear in
/// the size of the module. Fails, with a diagnostic, for an unknown format or target.
mlir::LogicalResult reportLayout(mlir::ModuleOp module, const LayoutReportOptions &options, llvm::raw_ostream *json);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_LAYOUT_REPORT_TILELAYOUTREPORT_H
