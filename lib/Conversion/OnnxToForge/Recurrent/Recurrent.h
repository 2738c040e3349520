//===- Recurrent.h - the recurrent network converters -----------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_RECURRENT_RECURRENT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_RECURRENT_RECURRENT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

#include <functional>

namespace forge {

/// An activation of a recurrent cell.
struct CellActivation {
  std::string name; ///< lower-case
  double alpha = 0, beta = 0;

  /// Whether its results are between -1 and 1.
  bool isBounded() const { return llvm::is_contained({"tanh", "sigmoid", "hardsigmoid", "softsign"}, name); }
  bool operator==(const CellActivation &other) const {
    return name == other.name && alpha == other.alpha && beta == other.beta;
  }
};

/// Reads activations, activation_alpha and activation_beta. `defaults` are those of one direction.
llvm::SmallVector<CellActivation> readActivations(OnnxNode &node, llvm::ArrayRef<llvm::StringRef> defaults,
                                                  int64_t directions);
mlir::Value applyActivation(ForgeBuilder &builder, const CellActivation &activation, mlir::Value x);

/// Attributes of the cells of all directions.
struct CellOptions {
  double clip = 0; ///< 0 for none
  int64_t hidden = 0;
  bool inputForget = false;       ///< LSTM
  bool linearBeforeReset = false; ///< GRU
};

/// The data that all steps of one direction, or of two that are computed together, share. Weights are transposed for a
/// product from the right; those of two directions have a leading axis for the direction.
struct Cell : CellOptions {
  llvm::ArrayRef<CellActivation> activations;
  mlir::Value recurrent; ///< [hidden, gates * hidden]
  /// Multiplies a state by the recurrent weights; for LSTM.
  std::function<mlir::Value(mlir::Value)> timesRecurrent;
  mlir::Value peepholes; ///< [3 * hidden], LSTM, may be null

  /// Clips `x` and applies activation `i`.
  mlir::Value activate(ForgeBuilder &builder, unsigned i, mlir::Value x) const;
  /// Slice `i` of `hidden` elements along the trailing axis.
  mlir::Value part(ForgeBuilder &builder, mlir::Value x, int64_t i) const;
};

/// One step. `inputs` are the slices of x W' + b at this time, [directions, batch, gates * hidden]; for GRU those of
/// the gates (including a bias of the candidate's recurrence) and of the candidate are separate. `states` are h and,
/// for LSTM, c, [directions, batch, hidden]; they are replaced by the new ones.
using StepFunction = void (*)(ForgeBuilder &, const Cell &, llvm::ArrayRef<mlir::Value> inputs, Values &states);
void stepRNN(ForgeBuilder &builder, const Cell &cell, llvm::ArrayRef<mlir::Value> inputs, Values &states);
void stepLSTM(ForgeBuilder &builder, const Cell &cell, llvm::ArrayRef<mlir::Value> inputs, Values &states);
void stepGRU(ForgeBuilder &builder, const Cell &cell, llvm::ArrayRef<mlir::Value> inputs, Values &states);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_RECURRENT_RECURRENT_H
