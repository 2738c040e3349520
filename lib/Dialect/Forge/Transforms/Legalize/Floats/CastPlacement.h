//===- CastPlacement.h - ops that either format is right for ----*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_CASTPLACEMENT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_CASTPLACEMENT_H

#include "FloatPrecision.h"

namespace forge {

/// In which format those ops work that either is right for, and which inputs are given in the smaller one, so that a
/// program has as few casts as possible: movement, choices such as a maximum, and sums and means of rows.
///
/// Movement and choices give the same before a rounding and after it. What an op in Float32 computes stays in Float32
/// through them on its way to another one. All other paths from an op in Float32 to one in the format, or back, have a
/// cast: where the fewest are needed, then where the fewest bytes are read and written. A mean between two ops in
/// Float32 is computed in Float32 where that saves casts.
class CastPlacement {
public:
  static CastPlacement of(mlir::func::FuncOp func, const FloatPrecision &precision, bool nativeOutputs);

  /// Whether `op` works in Float32, of whichever kind it is.
  bool isFloat32(mlir::Operation *op) const;
  /// Whether an output is cast to the type that the model declares; a cache that is written keeps the format of the
  /// argument that holds it.
  static bool isConverted(mlir::OpOperand &output);
  /// Whether an argument in Float32 is given in the format instead: all that read it want that.
  bool isInFormat(mlir::BlockArgument argument) const { return narrow.contains(argument); }

private:
  explicit CastPlacement(const FloatPrecision &precision) : precision(precision) {}

  const FloatPrecision &precision;
  llvm::DenseSet<mlir::Operation *> either; ///< ops that may work in either format
  llvm::DenseSet<mlir::Operation *> wide;   ///< of those: in Float32
  llvm::DenseSet<mlir::Value> narrow;       ///< arguments

  friend class CastPlacer;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_CASTPLACEMENT_H
