//===- PartitionPlan.h - which nodes run together, and where --------------===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_PARTITIONPLAN_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_PARTITIONPLAN_H

#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

struct PlannedNode {
  torch::OperatorOp op;
  llvm::StringRef reason; ///< why the plan took it to the CPU; empty when it did not
};

/// A group of nodes, in the order of the function.
struct PlannedRegion {
  bool onCpu;
  llvm::SmallVector<PlannedNode> nodes;
  int64_t multiplyAdds = 0;
};

/// Whether an op makes a value that every region may repeat: a constant or an absent operand.
bool isRepeatable(mlir::Operation *op);

/// The regions of a function whose nodes were assigned, in an order in which they can run. Linear in the nodes.
llvm::SmallVector<PlannedRegion> planRegions(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_PARTITIONPLAN_H
