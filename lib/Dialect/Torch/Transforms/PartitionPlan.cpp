//===- PartitionPlan.cpp - which nodes run together, and where ------------===//
//
// Partitions alternate between the device and the CPU. The number of a node's partition is the largest number of
// changes between device and CPU on a path to it, which is the smallest possible one. What remains to be chosen is
// where nodes run that can run on both.
//
//===----------------------------------------------------------------------===//

#include "PartitionPlan.h"

#include "forge/Conversion/OnnxToForge/Import/ImpliedDomain.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

using namespace mlir;
using namespace forge;

// A device partition without multiply-adds next to a CPU partition does not pay for its launch and its transfers, if
// its results have at most kSmallPartitionBytes, or at most kBytesPerCrossedByte times the bytes that are transferred
// for it.
static constexpr uint64_t kSmallPartitionBytes = 1 << 16, kBytesPerCrossedByte = 4;
// The largest number of rounds. Moving a small partition may make another one small.
static constexpr int kMostRounds = 8;

bool forge::isRepeatable(Operation *op) {
  if (isa<torch::ConstantNoneOp>(op))
    return true;
  auto node = dyn_cast<torch::OperatorOp>(op);
  return node && node->getNumOperands() == 0 && node.getName() == "onnx.Constant" &&
         !node->getDiscardableAttr(kCpuAttr);
}

Location forge::modelLocation(func::FuncOp func) {
  return nodeName(func.getLoc()).empty() ? func.getLoc() : UnknownLoc::get(func.getContext());
}

// Bytes that are transferred between device and CPU for a value; 0 if its size is not known.
static uint64_t bytesOf(Value value) {
  auto tensor = dyn_cast<torch::ValueTensorType>(value.getType());
  if (!tensor || !tensor.getDtype().isIntOrFloat())
    return 0;
  return denseBytes(tensor.getSizes(), tensor.getDtype().getIntOrFloatBitWidth());
}

static bool isDataMovement(StringRef op) {
  static const llvm::StringSet<> movers{"onnx.Cast",    "onnx.Concat", "onnx.DepthToSpace", "onnx.Expand",
                                        "onnx.Flatten", "onnx.Gather", "onnx.Identity",     "onnx.Pad",
                                        "onnx.Reshape", "onnx.Slice",  "onnx.SpaceToDepth", "onnx.Split",
                                        "onnx.Squeeze", "onnx.Tile",   "onnx.Transpose",    "onnx.Unsqueeze"};
  return movers.contains(op);
}

// Whether a node and those of its subgraphs are of ONNX, so that the CPU can run them. onnxruntime runs some ops of its
// own domain on the CPU, for some types.
static bool isOnnx(torch::OperatorOp node) {
  auto func = node->getParentOfType<func::FuncOp>();
  return !node->walk([&](torch::OperatorOp op) {
                StringRef domain = domainOf(op, func).domain;
                bool isOwn = domain.empty() || domain.starts_with("ai.onnx");
                return isOwn ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

// Why nodes that the device could run are on the CPU.
static constexpr StringLiteral kMovesData = "it moves data for nodes on the CPU";
static constexpr StringLiteral kTooSmall = "its device partition would have too little work";

namespace {
struct Node;

/// An operand that is the result of another node, or an argument of the driver.
struct Input {
  Node *producer; ///< null for an argument
  uint64_t bytes;
};

struct Node {
  torch::OperatorOp op;
  StringRef reason;
  // A fixed node is refused by the device, perhaps unknown to the CPU, or the user chose its side.
  bool onCpu = false, isFixed = false;
  bool isReturned = false;
  SmallVector<Input, 2> inputs;
  SmallVector<Node *, 2> users; // Once for each operand.
  uint64_t bytesIn = 0, bytesOut = 0;
  int64_t level = 0, multiplyAdds = 0;

  bool isElsewhere(const Node *other) const { return other->level != level; }
  bool isUsedOnCpuOnly() const {
    return !users.empty() && llvm::all_of(users, [](const Node *user) { return user->onCpu; });
  }
  void moveToCpu(StringRef why) {
    onCpu = true;
    reason = why;
  }
};

class Planner {
public:
  explicit Planner(func::FuncOp func) {
    Operation *terminator = func.front().getTerminator();
    llvm::SmallPtrSet<Operation *, 4> returned;
    for (Value value : terminator->getOperands())
      returned.insert(value.getDefiningOp());
    auto all = func.front().getOps<torch::OperatorOp>();
    bool anyOnDevice =
        llvm::any_of(all, [](torch::OperatorOp op) { return !isRepeatable(op) && !op->hasAttr(kCpuAttr); });
    for (torch::OperatorOp op : all) {
      bool isReturned = returned.contains(op), isConstant = isRepeatable(op);
      // A constant that is an output of the model has to be in a partition.
      if (!isConstant || isReturned)
        addNode(op, op->getDiscardableAttr(kCpuAttr) || (isConstant && !anyOnDevice), isReturned);
    }
  }

  SmallVector<PlannedPartition> plan() {
    pullDataMovement();
    chooseLevels();
    for (int round = 0; round < kMostRounds && absorbSmallPartitions(); ++round)
      chooseLevels();
    delay();
    SmallVector<PlannedPartition> partitions;
    for (int64_t level = 0; level < levelCount; ++level)
      partitions.push_back({isCpuLevel(level), {}});
    for (const Node &node : nodes) {
      PlannedPartition &partition = partitions[node.level];
      partition.nodes.push_back({node.op, node.reason});
      partition.multiplyAdds = addCounts(partition.multiplyAdds, node.multiplyAdds);
    }
    llvm::erase_if(partitions, [](const PlannedPartition &partition) { return partition.nodes.empty(); });
    return partitions;
  }

private:
  void addInput(Node &node, Value value) {
    Operation *op = value.getDefiningOp();
    if (op && isRepeatable(op))
      return;
    Node *producer = op ? nodeOf.lookup(op) : nullptr;
    if (producer)
      producer->users.push_back(&node);
    node.inputs.push_back({producer, bytesOf(value)});
    node.bytesIn = llvm::SaturatingAdd(node.bytesIn, node.inputs.back().bytes);
  }

  void addNode(torch::OperatorOp op, bool onCpu, bool isReturned) {
    Node &node = nodes.emplace_back();
    node.op = op;
    node.onCpu = onCpu;
    node.isFixed = op->getDiscardableAttr(kCpuAttr) || op->getDiscardableAttr(kPinnedAttr) || !isOnnx(op);
    node.isReturned = isReturned;
    if (auto adds = dyn_cast_or_null<IntegerAttr>(op->getDiscardableAttr(kMultiplyAddsAttr)))
      node.multiplyAdds = adds.getValue().trySExtValue().value_or(0);
    for (Value value : op->getOperands())
      addInput(node, value);
    if (op->getNumRegions() != 0) {
      llvm::SetVector<Value> above;
      getUsedValuesDefinedAbove(op->getRegions(), above);
      for (Value value : above)
        addInput(node, value);
    }
    for (Value result : op->getResults())
      node.bytesOut = llvm::SaturatingAdd(node.bytesOut, bytesOf(result));
    nodeOf[op] = &node;
  }

  // Assigns nodes that only move data to the CPU, if fewer bytes are transferred then.
  void pullDataMovement() {
    auto isFree = [](Node &node) { return !node.onCpu && !node.isFixed && isDataMovement(node.op.getName()); };
    auto comesFromCpu = [](const Input &input) { return input.producer && input.producer->onCpu; };
    // After CPU nodes: if the results are smaller than the operands, or all users are on the CPU.
    for (Node &node : nodes)
      if (isFree(node) && !node.inputs.empty() && llvm::all_of(node.inputs, comesFromCpu) &&
          (node.bytesOut < node.bytesIn || node.isUsedOnCpuOnly()))
        node.moveToCpu(kMovesData);
    // Before CPU nodes: if the results are not smaller than the operands.
    for (Node &node : llvm::reverse(nodes))
      if (isFree(node) && !node.isReturned && node.isUsedOnCpuOnly() && node.bytesOut >= node.bytesIn)
        node.moveToCpu(kMovesData);
  }

  /// Sums over the nodes of a partition.
  struct Totals {
    bool isHeavy = false; ///< it has multiply-adds, or nodes that must not move
    uint64_t made = 0;    ///< bytes of all results
    uint64_t crossed = 0; ///< bytes of values that enter or leave it
  };

  std::vector<Totals> totalsByLevel() const {
    std::vector<Totals> totals(levelCount);
    for (const Node &node : nodes) {
      Totals &total = totals[node.level];
      total.isHeavy |= node.isFixed || node.multiplyAdds > 0;
      total.made = llvm::SaturatingAdd(total.made, node.bytesOut);
      if (node.isReturned || llvm::any_of(node.users, [&](const Node *user) { return node.isElsewhere(user); }))
        total.crossed = llvm::SaturatingAdd(total.crossed, node.bytesOut);
      for (const Input &input : node.inputs)
        if (!input.producer || node.isElsewhere(input.producer))
          total.crossed = llvm::SaturatingAdd(total.crossed, input.bytes);
    }
    return totals;
  }

  // Assigns small device partitions to the CPU. Returns whether there were any.
  bool absorbSmallPartitions() {
    std::vector<Totals> totals = totalsByLevel();
    bool changed = false;
    // The first or last partition is moved only if another one, with heavy ops, remains on the device.
    bool isDeviceUsed = false;
    for (auto [level, total] : llvm::enumerate(totals))
      isDeviceUsed |= !isCpuLevel(level) && total.isHeavy;
    for (Node &node : nodes) {
      const Totals &total = totals[node.level];
      bool isBetween = node.level > 0 && node.level + 1 < levelCount;
      if (!node.onCpu && !total.isHeavy && (isBetween || isDeviceUsed) &&
          total.made <= std::max(kSmallPartitionBytes, llvm::SaturatingMultiply(total.crossed, kBytesPerCrossedByte))) {
        node.moveToCpu(kTooSmall);
        changed = true;
      }
    }
    return changed;
  }

  // Assigns each node to the first partition of its side in which its operands are available. With `cpuFirst`, even
  // partitions are on the CPU, else on the device. Returns the number of partitions, of which the first may be empty.
  int64_t assignLevels(bool cpuFirst) {
    this->cpuFirst = cpuFirst;
    levelCount = 0;
    bool usesFirst = false;
    for (Node &node : nodes) {
      node.level = 0;
      for (const Input &input : node.inputs)
        if (input.producer)
          node.level = std::max(node.level, input.producer->level);
      if (isCpuLevel(node.level) != node.onCpu)
        ++node.level;
      usesFirst |= node.level == 0;
      levelCount = std::max(levelCount, node.level + 1);
    }
    return usesFirst ? levelCount : levelCount - 1;
  }

  // Assigns levels so that there are the fewest partitions; of equally many, the first one is on the device.
  void chooseLevels() {
    int64_t deviceFirst = assignLevels(/*cpuFirst=*/false);
    if (assignLevels(/*cpuFirst=*/true) >= deviceFirst)
      assignLevels(/*cpuFirst=*/false);
  }

  // Moves nodes whose results are used in later partitions only to the last partition in which they can be computed, if
  // their operands are smaller than their results, so that fewer bytes are transferred.
  void delay() {
    for (Node &node : llvm::reverse(nodes)) {
      if (node.isReturned || node.users.empty() || node.bytesIn >= node.bytesOut)
        continue;
      int64_t latest = std::numeric_limits<int64_t>::max();
      for (const Node *user : node.users)
        latest = std::min(latest, user->level - (user->onCpu != node.onCpu ? 1 : 0));
      node.level = std::max(node.level, latest);
    }
  }

  bool isCpuLevel(int64_t level) const { return (level % 2 == 0) == cpuFirst; }

  std::deque<Node> nodes; // Its elements do not move.
  DenseMap<Operation *, Node *> nodeOf;
  bool cpuFirst = false;
  int64_t levelCount = 0;
};
} // namespace

SmallVector<PlannedPartition> forge::planPartitions(func::FuncOp func) { return Planner(func).plan(); }
