//===- CallOrder.h - the calls of a function, to find layers in -*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_CALLORDER_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_CALLORDER_H

#include "EmissionPlan.h"

namespace forge {

/// Orders the calls of a function so that equal layers have equal sequences of calls. Values that several layers read
/// (constants, masks, rotary tables) come before all layers, even if the model computes them in the first one.
class CallOrder {
public:
  explicit CallOrder(const EmissionPlan &plan);

  llvm::ArrayRef<mlir::Operation *> calls() const { return order; }
  /// The place of the call that makes a value; nullopt for arguments and weights.
  std::optional<size_t> placeOf(mlir::Value value) const;
  /// A number for each call, equal where they do the same but for what they read.
  std::vector<uint64_t> kinds() const;
  /// How many values are alive before each call, and at the end.
  std::vector<size_t> alive() const;
  /// Whether two calls do the same but for what they read.
  bool isSameKind(mlir::Operation *a, mlir::Operation *b) const;
  bool isWeight(mlir::Value value) const;

private:
  void index();
  void moveSharedUp();

  const EmissionPlan &plan;
  std::vector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Operation *, size_t> places;
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_CALLORDER_H
