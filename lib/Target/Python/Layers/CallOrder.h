//===- CallOrder.h - orders calls so that layers repeat ---------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_CALLORDER_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_CALLORDER_H

#include "EmissionPlan.h"

namespace forge {

/// Orders the calls of a function so that equal layers have equal sequences of calls. Values that several layers read
/// (constants, masks, rotary tables) are computed before all layers, even if the model computes them in the first one.
class CallOrder {
public:
  explicit CallOrder(const EmissionPlan &plan);

  llvm::ArrayRef<mlir::Operation *> calls() const { return order; }
  /// A number for each call, equal for calls that are equal except for their operands.
  std::vector<uint64_t> kinds;
  /// The position of the call that defines a value; nullopt for arguments and weights.
  std::optional<size_t> positionOf(mlir::Value value) const;
  /// The number of live values before each call, and at the end.
  std::vector<size_t> alive() const;
  /// Whether the calls at two positions are equal except for their operands, and both or none have a node.
  bool isSameKind(size_t a, size_t b) const;
  /// Whether the module reads `value` from its weights.
  bool isLoadedWeight(mlir::Value value) const;

private:
  void index();
  std::vector<size_t> afterOperands() const;
  std::vector<bool> findShared() const;
  void moveSharedUp();
  void findKinds();

  const EmissionPlan &plan;
  std::vector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Operation *, size_t> positions;
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_CALLORDER_H
