//===- SliceColumns.h - slices of columns instead of heads ------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_SLICECOLUMNS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_SLICECOLUMNS_H

#include "forge/Dialect/Forge/IR/PassReport.h"
#include "mlir/IR/Block.h"

namespace forge {

/// Slices columns before they are reshaped and transposed to heads, wherever the device moves fewer bytes in that
/// order. Exact: elements only change their places. `pass` is asked for each rewrite.
void sliceColumns(mlir::Block &block, ReportingPass &pass);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_SLICECOLUMNS_H
