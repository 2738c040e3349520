//===- CastPlacement.h - where casts between formats are placed -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_CASTPLACEMENT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_CASTPLACEMENT_H

#include "FloatPrecision.h"

namespace forge {

/// Some ops may be computed in Float32 or in the smaller format: movement, selections such as a maximum, and sums and
/// means of rows. This chooses their formats, and those of inputs, so that the program has the fewest casts and then
/// reads and writes the fewest bytes.
///
/// Movement and selections commute with rounding. Between two ops in Float32 they are in Float32. Every other path from
/// an op in Float32 to one in the format, or back, has one cast. A mean between two ops in Float32 is computed in
/// Float32 if that saves casts.
struct CastPlacement {
  static CastPlacement of(mlir::func::FuncOp func, const FloatPrecision &precision, bool nativeOutputs);

  llvm::DenseSet<mlir::Operation *> wide; ///< all ops that are computed in Float32
  llvm::DenseSet<mlir::Value> narrow;     ///< Float32 arguments in the format, because all users read them so
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_CASTPLACEMENT_H
