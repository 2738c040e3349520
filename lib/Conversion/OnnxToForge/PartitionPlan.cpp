//===- PartitionPlan.cpp - which nodes run together, and where ------------===//
//
// Regions alternate between the device and the CPU, so a node's region is the number of changes of side on the longest
// way to it. That number is the least possible one for the sides the nodes have; what is left to choose is the side of
// nodes that can run on either.
//
//===----------------------------------------------------------------------===//

#include "PartitionPlan.h"

#include "forge/Dialect/Forge/IR/Regions.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSwitch.h"

#include <numeric>

using namespace mlir;
using namespace forge;

// A device region between two CPU regions that has no multiply-adds is not worth its launch and its transfers when it
// makes no more bytes than this, or than some times what crosses for it.
static constexpr int64_t kSmallRegionBytes = 1 << 16, kBytesPerCrossedByte = 4;
// Moving one small region may free another; more rounds than this would not pay.
static constexpr int kMostRounds = 8;

bool forge::isRepeatable(Operation *op) {
  if (isa<torch::ConstantNoneOp>(op))
    return true;
  auto node = dyn_cast<torch::OperatorOp>(op);
  return node && node.getName() == "onnx.Constant" && node->getNumOperands() == 0 && !node->hasAttr(kCpuAttr);
}

SmallVector<Value> forge::usedValues(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  if (op->getNumRegions() != 0)
    getUsedValuesDefinedAbove(op->getRegions(), used);
  used.remove_if([](Value value) { return value.getDefiningOp() && isRepeatable(value.getDefiningOp()); });
  return used.takeVector();
}

int64_t forge::crossingBytes(Value value) {
  auto tensor = dyn_cast<torch::ValueTensorType>(value.getType());
  if (!tensor || !tensor.getDtype().isIntOrFloat())
    return 0;
  int64_t bytes = std::max<int64_t>(1, tensor.getDtype().getIntOrFloatBitWidth() / 8);
  for (int64_t size : tensor.getSizes())
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

static bool movesData(torch::OperatorOp op) {
  return llvm::StringSwitch<bool>(op.getName())
      .Cases({"onnx.Cast", "onnx.Concat", "onnx.DepthToSpace", "onnx.Expand", "onnx.Flatten"}, true)
      .Cases({"onnx.Gather", "onnx.Identity", "onnx.Pad", "onnx.Reshape", "onnx.Slice"}, true)
      .Cases({"onnx.SpaceToDepth", "onnx.Split", "onnx.Squeeze", "onnx.Tile", "onnx.Transpose"}, true)
      .Case("onnx.Unsqueeze", true)
      .Default(false);
}

namespace {
struct Node {
  torch::OperatorOp op;
  bool onCpu = false, isFixed = false; // A fixed node is refused by the device, or the user chose its side.
  bool isReturned = false;
  SmallVector<Value> inputs;
  SmallVector<unsigned> producers, users;
  int64_t multiplyAdds = 0, bytesOut = 0, level = 0;
};

class Planner {
public:
  explicit Planner(func::FuncOp func);

  SmallVector<PlannedRegion> plan();

private:
  void pullDataMovement();
  bool absorbSmallRegions();
  int64_t assignLevels(bool cpuFirst);
  void chooseLevels();
  void delay();
  bool isCpuLevel(int64_t level) const { return (level % 2 == 0) == cpuFirst; }
  bool allOnCpu(ArrayRef<unsigned> indices) const {
    return llvm::all_of(indices, [&](unsigned i) { return nodes[i].onCpu; });
  }

  std::vector<Node> nodes;
  DenseMap<Operation *, unsigned> indexOf;
  bool cpuFirst = false;
};
} // namespace

static int64_t bytesOf(ValueRange values) {
  return std::accumulate(values.begin(), values.end(), int64_t(0),
                         [](int64_t sum, Value value) { return sum + crossingBytes(value); });
}

Planner::Planner(func::FuncOp func) {
  Operation *terminator = func.front().getTerminator();
  bool anyOnDevice = llvm::any_of(func.front().getOps<torch::OperatorOp>(),
                                  [](torch::OperatorOp op) { return !isRepeatable(op) && !op->hasAttr(kCpuAttr); });
  for (auto op : func.front().getOps<torch::OperatorOp>()) {
    bool isReturned = llvm::any_of(op->getUsers(), [&](Operation *user) { return user == terminator; });
    // A constant that is an output of the model needs a region to come from.
    if (isRepeatable(op) && !isReturned)
      continue;
    auto adds = op->getAttrOfType<IntegerAttr>(kMultiplyAddsAttr);
    bool refused = op->hasAttr(kCpuAttr);
    Node node;
    node.op = op;
    node.onCpu = refused || (isRepeatable(op) && !anyOnDevice);
    node.isFixed = refused || op->hasAttr(kPinnedAttr);
    node.isReturned = isReturned;
    node.inputs = usedValues(op);
    node.multiplyAdds = adds ? adds.getInt() : 0;
    node.bytesOut = bytesOf(op->getResults());
    unsigned index = nodes.size();
    for (Value input : node.inputs) {
      auto producer = input.getDefiningOp() ? indexOf.find(input.getDefiningOp()) : indexOf.end();
      if (producer == indexOf.end() || llvm::is_contained(node.producers, producer->second))
        continue;
      node.producers.push_back(producer->second);
      nodes[producer->second].users.push_back(index);
    }
    indexOf[op] = index;
    nodes.push_back(std::move(node));
  }
}

// Nodes that only move data join the CPU where that makes fewer bytes cross.
void Planner::pullDataMovement() {
  auto isFree = [](const Node &node) { return !node.onCpu && !node.isFixed && movesData(node.op); };
  // Behind CPU nodes, when they make less than they take, or when only the CPU wants it.
  for (Node &node : nodes)
    if (isFree(node) && !node.producers.empty() && node.producers.size() == node.inputs.size() &&
        allOnCpu(node.producers))
      node.onCpu = node.bytesOut < bytesOf(node.inputs) || (!node.users.empty() && allOnCpu(node.users));
  // Ahead of CPU nodes, when they make at least what they take.
  for (Node &node : llvm::reverse(nodes))
    if (isFree(node) && !node.isReturned && !node.users.empty() && allOnCpu(node.users))
      node.onCpu = node.bytesOut >= bytesOf(node.inputs);
}

int64_t Planner::assignLevels(bool cpuFirst) {
  this->cpuFirst = cpuFirst;
  int64_t last = -1;
  bool usesFirst = false;
  for (Node &node : nodes) {
    node.level = 0;
    for (unsigned producer : node.producers)
      node.level = std::max(node.level, nodes[producer].level);
    if (isCpuLevel(node.level) != node.onCpu)
      ++node.level;
    last = std::max(last, node.level);
    usesFirst |= node.level == 0;
  }
  return usesFirst ? last + 1 : last;
}

void Planner::chooseLevels() {
  int64_t deviceFirst = assignLevels(/*cpuFirst=*/false);
  if (assignLevels(/*cpuFirst=*/true) >= deviceFirst)
    assignLevels(/*cpuFirst=*/false);
}

// Moves small device regions between two CPU regions to the CPU; whether there were any.
bool Planner::absorbSmallRegions() {
  struct Totals {
    bool isHeavy = false;
    int64_t made = 0, crossed = 0;
  };
  int64_t count = 0;
  for (const Node &node : nodes)
    count = std::max(count, node.level + 1);
  std::vector<Totals> totals(count);
  for (const Node &node : nodes) {
    Totals &total = totals[node.level];
    total.isHeavy |= node.multiplyAdds > 0 || node.isFixed;
    total.made += node.bytesOut;
    bool leaves =
        node.isReturned || llvm::any_of(node.users, [&](unsigned user) { return nodes[user].level != node.level; });
    total.crossed += leaves ? node.bytesOut : 0;
    for (Value input : node.inputs) {
      auto producer = input.getDefiningOp() ? indexOf.find(input.getDefiningOp()) : indexOf.end();
      bool arrives = producer == indexOf.end() || nodes[producer->second].level != node.level;
      total.crossed += arrives ? crossingBytes(input) : 0;
    }
  }
  bool changed = false;
  for (Node &node : nodes) {
    const Totals &total = totals[node.level];
    bool isBetween = !node.onCpu && node.level > 0 && node.level + 1 < count;
    if (isBetween && !total.isHeavy && total.made <= std::max(kSmallRegionBytes, total.crossed * kBytesPerCrossedByte))
      node.onCpu = changed = true;
  }
  return changed;
}

// A node that is needed in later regions only runs there, when its operands are smaller than its results.
void Planner::delay() {
  for (Node &node : llvm::reverse(nodes)) {
    if (node.isReturned || node.users.empty())
      continue;
    int64_t latest = std::numeric_limits<int64_t>::max();
    for (unsigned user : node.users)
      latest = std::min(latest, nodes[user].level - (nodes[user].onCpu != node.onCpu ? 1 : 0));
    if (latest > node.level && bytesOf(node.inputs) < node.bytesOut)
      node.level = latest;
  }
}

SmallVector<PlannedRegion> Planner::plan() {
  pullDataMovement();
  chooseLevels();
  for (int round = 0; round < kMostRounds && absorbSmallRegions(); ++round)
    chooseLevels();
  delay();
  int64_t count = 0;
  for (const Node &node : nodes)
    count = std::max(count, node.level + 1);
  SmallVector<PlannedRegion> regions;
  for (int64_t level = 0; level < count; ++level)
    regions.push_back({isCpuLevel(level), {}});
  for (const Node &node : nodes)
    regions[node.level].nodes.push_back(node.op);
  llvm::erase_if(regions, [](const PlannedRegion &region) { return region.nodes.empty(); });
  return regions;
}

SmallVector<PlannedRegion> forge::planRegions(func::FuncOp func) { return Planner(func).plan(); }
