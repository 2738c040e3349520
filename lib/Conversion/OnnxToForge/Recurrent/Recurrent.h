//===- Recurrent.h - the recurrent network converters -----------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_RECURRENT_RECURRENT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_RECURRENT_RECURRENT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

#include <functional>

namespace forge {

/// An activation of a recurrent cell.
struct CellActivation {
  std::string name; ///< in lower case
  double alpha = 0, beta = 0;

  bool operator==(const CellActivation &other) const {
    return name == other.name && alpha == other.alpha && beta == other.beta;
  }
};

/// Reads activations, activation_alpha and activation_beta: `defaults` per direction.
llvm::SmallVector<CellActivation> readActivations(OnnxNode &node, llvm::ArrayRef<llvm::StringRef> defaults,
                                                  int64_t directions);
mlir::Value applyActivation(ForgeBuilder &builder, const CellActivation &activation, mlir::Value x);

/// What the cells of one direction share, or of two that step together. Weights are transposed, ready to multiply from
/// the right; those of two directions have one more axis in front, of them.
struct Cell {
  llvm::ArrayRef<CellActivation> activations;
  double clip = 0; ///< 0 for none
  int64_t hidden = 0;
  bool inputForget = false;       ///< LSTM
  bool linearBeforeReset = false; ///< GRU
  mlir::Value recurrent;          ///< [hidden, gates * hidden]
  /// A state times the recurrent weights; LSTM.
  std::function<mlir::Value(mlir::Value)> timesRecurrent;
  mlir::Value peepholes; ///< [3 * hidden], LSTM, may be null

  /// x, clipped, through activation `i`.
  mlir::Value activate(ForgeBuilder &builder, unsigned i, mlir::Value x) const;
  /// Part `i` of `hidden` elements of the last axis.
  mlir::Value part(ForgeBuilder &builder, mlir::Value x, int64_t i) const;
};

/// One step: `inputs` are this time's [directions, batch, gates * hidden] of x W' + b, for GRU those of the gates (and
/// of what a bias adds to the candidate's recurrence) and of the candidate apart; `states` are h and, for LSTM, c, of
/// [directions, batch, hidden]; both are replaced.
using StepFunction = void (*)(ForgeBuilder &, const Cell &, llvm::ArrayRef<mlir::Value> inputs, Values &states);
void stepRNN(ForgeBuilder &builder, const Cell &cell, llvm::ArrayRef<mlir::Value> inputs, Values &states);
void stepLSTM(ForgeBuilder &builder, const Cell &cell, llvm::ArrayRef<mlir::Value> inputs, Values &states);
void stepGRU(ForgeBuilder &builder, const Cell &cell, llvm::ArrayRef<mlir::Value> inputs, Values &states);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_RECURRENT_RECURRENT_H
