//===- PaddedRegion.cpp - ops on blocks that are padded with zeros --------===//

#include "Layout/Weights/PaddedRegion.h"

#include "Fusion/Monomial.h"
#include "Layout/Rewrites.h"
#include "Layout/Weights/DerivedWeight.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/IRMapping.h"

#include <set>

using namespace mlir;
using namespace forge;

// Whether `op` is a function with f(0) = 0.
static bool keepsZero(Operation *op) {
  return isa<AbsOp, SqrtOp, ReluOp, SineOp, AtanOp, TanhOp, ErfOp, LeakyReluOp, GeluOp>(op);
}

std::optional<int64_t> PaddedRegion::axisOf(Value value) const {
  auto found = axes.find(value);
  return found == axes.end() ? std::nullopt : std::optional(found->second);
}

RankedTensorType PaddedRegion::paddedType(Value value) const {
  SmallVector<int64_t> shape(shapeOf(value));
  if (std::optional<int64_t> axis = axisOf(value))
    shape[*axis] = shape[*axis] / block * padded;
  return tensorType(value).clone(shape);
}

//===----------------------------------------------------------------------===//
// Ops that keep or ignore the zeros
//===----------------------------------------------------------------------===//

// A slice has to be along another axis, or of whole blocks.
bool PaddedRegion::passSlice(const AxisSlice &slice, Value result) {
  int64_t axis = *axisOf(slice.source);
  if (slice.axis == axis &&
      (!slice.isContiguous() || slice.range.begin % block != 0 || slice.range.length() % block != 0))
    return false;
  axes[result] = axis;
  return true;
}

// A reshape has to keep each block contiguous in memory: the result needs an axis of whole blocks with as many elements
// after it as the operand's axis has.
bool PaddedRegion::passReshape(ReshapeOp op) {
  int64_t axis = *axisOf(op.getOperandA());
  int64_t inner = ShapedType::getNumElements(shapeOf(op.getOperandA()).drop_front(axis + 1)), after = 1;
  ArrayRef<int64_t> shape = op.getType().getShape();
  for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; after *= shape[i--])
    if (after == inner && shape[i] % block == 0) {
      axes[op.getResult()] = i;
      return true;
    }
  return false;
}

// A product may contract the padded axis, if the other operand is a weight, whose rows can be padded, or is padded as
// well. Or the columns of the right operand are padded, which become those of the result.
bool PaddedRegion::passMatmul(MatmulOp op) {
  Value a = op.getOperandA(), b = op.getOperandB();
  int64_t rankA = tensorType(a).getRank(), rankB = tensorType(b).getRank();
  if (op.getBias() || rankA < 2 || rankB < 2)
    return false;
  std::optional<int64_t> axisA = axisOf(a), axisB = axisOf(b);
  if (axisA == rankA - 1) {
    if (!WeightProduct::of(op.getOperation()) && axisB != rankB - 2)
      return false;
    ++contractions;
    return true;
  }
  if (axisA || axisB != rankB - 1)
    return false;
  axes[op.getResult()] = tensorType(op.getResult()).getRank() - 1;
  return true;
}

// A function with f(0) = 0; a sum, difference or product of two padded operands; or a product or quotient with a
// scalar.
bool PaddedRegion::passElementwise(Operation *op) {
  Value result = op->getResult(0), first = op->getOperand(0);
  if (keepsZero(op)) {
    axes[result] = *axisOf(first);
    return true;
  }
  if (!isa<AddOp, SubtractOp, MultiplyOp, DivideOp>(op))
    return false;
  Value second = op->getOperand(1);
  std::optional<int64_t> axis = axisOf(first), other = axisOf(second);
  // Both operands are padded: their sum, difference and product are padded with zeros, too, but not their quotient.
  if (axis && other) {
    if (isa<DivideOp>(op) || first.getType() != second.getType() || axis != other)
      return false;
    axes[result] = *axis;
    return true;
  }
  // One operand is padded, and is multiplied or divided by a finite scalar. An infinite one would make NaN of zeros.
  Value zeros = axis ? first : second;
  std::optional<double> number = scalarValue(axis ? second : first);
  if (!number || !std::isfinite(*number) || zeros.getType() != result.getType())
    return false;
  if (!isa<MultiplyOp>(op) && !(isa<DivideOp>(op) && axis && *number != 0))
    return false;
  axes[result] = axis ? *axis : *other;
  return true;
}

bool PaddedRegion::pass(Operation *op) {
  if (isa<StridedSliceOp>(op)) {
    std::optional<AxisSlice> slice = AxisSlice::of(op->getResult(0));
    return slice && passSlice(*slice, op->getResult(0));
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return passReshape(reshape);
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return passMatmul(matmul);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    axes[transpose.getResult()] = transposedAxis(transpose, *axisOf(transpose.getOperandA()));
    return true;
  }
  return isElementwise(op) && passElementwise(op);
}

bool PaddedRegion::grow() {
  constexpr size_t kMostOps = 512;
  auto isEarlier = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  // In program order, so that the padded operands of an op are known when it is visited.
  std::set<Operation *, decltype(isEarlier)> waiting(isEarlier);
  axes[root] = tensorType(root).getRank() - 1;
  waiting.insert(root.user_begin(), root.user_end());
  while (!waiting.empty()) {
    Operation *op = *waiting.begin();
    waiting.erase(waiting.begin());
    if (ops.size() == kMostOps || op->getNumResults() != 1 || op->getBlock() != root.getParentBlock() || !pass(op))
      return false;
    ops.push_back(op);
    Value result = op->getResult(0);
    if (axes.count(result))
      waiting.insert(result.user_begin(), result.user_end());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Cost and rewrite
//===----------------------------------------------------------------------===//

std::optional<int64_t> PaddedRegion::traffic(const DeviceLayout &layout, bool isPadded) const {
  auto typeOf = [&](Value value) { return isPadded ? paddedType(value) : tensorType(value); };
  int64_t size = isPadded ? padded : block, total = 0;
  for (Operation *op : ops) {
    Value source = op->getOperand(0), result = op->getResult(0);
    if (std::optional<AxisSlice> slice = AxisSlice::of(result)) {
      // In padded shapes the slice has the same blocks, which have another size.
      AxisSlice here = *slice;
      RankedTensorType type = typeOf(source);
      if (isPadded && here.axis == axisOf(source))
        here.range = {here.range.begin / block * padded, here.range.end / block * padded};
      std::optional<itd::SliceTraffic> moved = layout.traffic(type, AxisRange{here.axis, here.range});
      if (!moved)
        return std::nullopt;
      total += moved->windowed;
    } else if (isa<ReshapeOp>(op)) {
      // If heads have whole tiles, a reshape together with a transpose next to it moves whole tiles. Otherwise elements
      // are moved, which is counted as untilizing and tilizing.
      std::optional<int64_t> in = layout.tiles(typeOf(source)), out = layout.tiles(typeOf(result));
      if (auto transpose = result.hasOneUse() ? dyn_cast<TransposeOp>(*result.user_begin()) : TransposeOp())
        out = layout.tiles(typeOf(transpose.getResult()));
      if (auto transpose = source.getDefiningOp<TransposeOp>())
        in = layout.tiles(typeOf(transpose.getOperandA()));
      if (!in || !out)
        return std::nullopt;
      total += size % kTile == 0 ? 2 * *out : 2 * *in + 4 * *out;
    } else if (auto matmul = dyn_cast<MatmulOp>(op); matmul && !axes.count(result) && !axisOf(matmul.getOperandB())) {
      RankedTensorType type = tensorType(matmul.getOperandB());
      int64_t rows = isPadded ? type.getDimSize(0) / block * padded : type.getDimSize(0);
      std::optional<int64_t> weight = layout.tiles(type.clone({rows, type.getDimSize(1)}));
      if (!weight)
        return std::nullopt;
      total += *weight;
    }
  }
  return total;
}

void PaddedRegion::rewrite(Value newRoot) const {
  IRMapping mapping;
  mapping.map(root, newRoot);
  for (Operation *op : ops) {
    OpBuilder builder(op);
    Value result = op->getResult(0);
    Location loc = axes.count(result) ? withoutTrace(op->getLoc()) : op->getLoc(); // Padded values are no ONNX values.
    if (auto slice = AxisSlice::of(result); slice && isa<StridedSliceOp>(op)) {
      if (slice->axis == axisOf(slice->source))
        slice->range = {slice->range.begin / block * padded, slice->range.end / block * padded};
      slice->source = mapping.lookup(slice->source);
      mapping.map(result, slice->build(builder, loc));
      continue;
    }
    if (isa<ReshapeOp>(op)) {
      RankedTensorType type = paddedType(result);
      Value source = mapping.lookup(op->getOperand(0));
      mapping.map(result, ReshapeOp::create(builder, loc, type, source, type.getShape()).getResult());
      continue;
    }
    if (auto matmul = dyn_cast<MatmulOp>(op); matmul && !axes.count(result) && !axisOf(matmul.getOperandB())) {
      Value weight = matmul.getOperandB();
      Value rows = deriveWeight(builder, weight, {0, 0, shapeOf(weight)[0], block, padded});
      Value made =
          MatmulOp::create(builder, loc, matmul.getType(), mapping.lookup(matmul.getOperandA()), rows, Value());
      result.replaceAllUsesWith(made);
      continue;
    }
    Operation *made = builder.clone(*op, mapping);
    made->setLoc(loc);
    made->getResult(0).setType(paddedType(result));
    if (!axes.count(result))
      result.replaceAllUsesWith(made->getResult(0));
  }
}
