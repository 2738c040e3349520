//===- ProgramCost.cpp - what ops take on the device ----------------------===//

#include "forge/Dialect/Forge/Analysis/Cost.h"

#include "forge/Dialect/Forge/IR/Operands.h"

#include <limits>

using namespace mlir;
using namespace forge;

static bool isArithmetic(Operation *op) { return isa_and_nonnull<AddOp, SubtractOp, MultiplyOp, DivideOp>(op); }

static bool isProduct(Operation *op) { return isa_and_nonnull<Conv2dOp, Conv2dTransposeOp, MatmulOp>(op); }

static Operation *onlyUser(Value value) { return value.hasOneUse() ? *value.user_begin() : nullptr; }

// A function of one operand that tt-mlir applies in the call that makes the operand, or in the one that reads the
// result.
static bool isFused(Operation *op) {
  if (!isa<ReluOp, TanhOp, SqrtOp, GeluOp, ReciprocalOp, SigmoidOp>(op))
    return false;
  Value x = op->getOperand(0);
  Operation *producer = x.getDefiningOp();
  bool isBehind = x.hasOneUse() && (isArithmetic(producer) || isProduct(producer));
  return (isBehind && !isa<SigmoidOp>(op)) || isArithmetic(onlyUser(op->getResult(0)));
}

// x * sigmoid(x) of a matrix product.
static bool isSilu(MultiplyOp op) {
  for (auto [x, other] : bothWays(op))
    if (auto sigmoid = other.getDefiningOp<SigmoidOp>())
      return sigmoid.getOperandA() == x && isProduct(x.getDefiningOp());
  return false;
}

int64_t forge::kernelsOf(Operation *op) {
  if (isFused(op))
    return 0;
  if (auto multiply = dyn_cast<MultiplyOp>(op); multiply && isSilu(multiply))
    return 0;
  if (auto transpose = dyn_cast<TransposeOp>(op); transpose && isa_and_nonnull<MatmulOp>(onlyUser(transpose))) {
    int64_t rank = transpose.getType().getRank();
    return std::min(fromFront(transpose.getDim0(), rank), fromFront(transpose.getDim1(), rank)) < rank - 2;
  }
  auto call = dyn_cast<ForgeCallOpInterface>(op);
  int64_t kernels = call ? call.getKernels() : 1;
  // The kernel of a product takes a term per column; any other is a sum.
  if (auto matmul = dyn_cast<MatmulOp>(op); matmul && matmul.getBias())
    return kernels + (tensorType(matmul.getBias()).getNumElements() != matmul.getType().getShape().back());
  // A pool of the whole image is a mean.
  if (auto pool = dyn_cast<AvgPool2dOp>(op);
      pool && pool.getChannelLast() && shapeOf(pool.getActivations()).slice(1, 2) == pool.getKernelSize())
    return 2;
  // With channels first the device transposes the operand and the result.
  auto channelLast = dyn_cast_or_null<BoolAttr>(op->getInherentAttr("channel_last").value_or(Attribute()));
  return channelLast && !channelLast.getValue() ? kernels + 2 : kernels;
}

static SmallVector<Value> operandsAndResult(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  values.push_back(op->getResult(0));
  return values;
}

// What an op reads and writes: a write into a cache, which is in place, its input twice.
static SmallVector<Value> valuesMoved(Operation *op) {
  if (isa<FillCacheOp, UpdateCacheOp>(op))
    return {op->getOperand(1), op->getOperand(1)};
  return operandsAndResult(op);
}

// Tiles that an op reads and writes only to put elements elsewhere.
static std::optional<int64_t> movedTiles(Operation *op, const DeviceLayout &layout) {
  Value result = op->getResult(0);
  if (std::optional<AxisSlice> slice = AxisSlice::of(result)) {
    std::optional<itd::SliceTraffic> traffic = layout.traffic(*slice);
    return traffic ? std::optional(traffic->windowed) : std::nullopt;
  }
  if (isa<ReshapeOp, TransposeOp>(op))
    return layout.moveTraffic(op, tensorType(op->getOperand(0)), tensorType(result));
  if (!isa<ConcatenateOp, StackOp, RepeatOp, RepeatInterleaveOp, BroadcastOp, StridedSliceOp>(op))
    return 0;
  int64_t total = 0;
  for (Value value : operandsAndResult(op)) {
    std::optional<int64_t> tiles = layout.tiles(tensorType(value));
    if (!tiles)
      return std::nullopt;
    total = addCounts(total, *tiles);
  }
  return total;
}

int64_t forge::weightOf(const OpCost &cost) {
  int64_t bytes = addCounts(cost.bytes, multiplyCounts(cost.kernels, kKernelBytes));
  return addCounts(cost.multiplyAdds, multiplyCounts(bytes, kMultiplyAddsPerByte));
}

bool forge::pays(const OpCost &before, const OpCost &after) {
  int64_t was = weightOf(before), is = weightOf(after);
  return is <= was && after.calls <= before.calls && (is < was || after.calls < before.calls);
}

OpCost forge::costOf(Operation *op, const DeviceLayout &layout) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  OpCost cost;
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ParameterOp, ScalarConstantOp>(op) || op->getNumResults() != 1)
    return cost;
  cost.calls = 1;
  cost.kernels = kernelsOf(op);
  cost.multiplyAdds = multiplyAdds(op);
  cost.tiles = movedTiles(op, layout).value_or(kMost);
  for (Value value : valuesMoved(op)) {
    std::optional<itd::LayoutReport> report = layout.report(tensorType(value));
    cost.bytes = report ? addCounts(cost.bytes, report->bytes) : kMost;
  }
  return cost;
}
