//===- PixelRows.h - images between convolutions as rows of pixels *- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_PIXELROWS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_PIXELROWS_H

#include "forge/Dialect/Forge/IR/PassReport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Computes on rows of pixels where there are images of rank 4, or on batches of images where there are volumes of rank
/// 5, if that moves less. For programs with channels last.
void computeOnRows(mlir::func::FuncOp func, size_t rank, ReportingPass &pass);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_PIXELROWS_H
