//===- PartitionPlan.h - which nodes run together, and where --------------===//

#ifndef FORGE_LIB_DIALECT_TORCH_TRANSFORMS_PARTITIONPLAN_H
#define FORGE_LIB_DIALECT_TORCH_TRANSFORMS_PARTITIONPLAN_H

#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

struct PlannedNode {
  torch::OperatorOp op;
  llvm::StringRef reason; ///< why the plan took it to the CPU; empty when it did not
};

/// A group of nodes, in the order of the function.
struct PlannedPartition {
  bool onCpu;
  llvm::SmallVector<PlannedNode> nodes;
  int64_t multiplyAdds = 0;
};

/// Whether an op may be copied into each partition: a constant or an absent operand.
bool isRepeatable(mlir::Operation *op);

/// The location for errors about the whole model. Importers name that of its function after the graph, but a name in a
/// location is taken for that of a node.
mlir::Location modelLocation(mlir::func::FuncOp func);

/// The partitions of a function whose nodes were assigned, in an order in which they can run. Linear in the nodes.
llvm::SmallVector<PlannedPartition> planPartitions(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_LIB_DIALECT_TORCH_TRANSFORMS_PARTITIONPLAN_H
