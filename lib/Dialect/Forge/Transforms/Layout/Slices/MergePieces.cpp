//===- MergePieces.cpp - neighbouring slices as one value -----------------===//

#include "Layout/Slices/MergePieces.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/MovementChains.h"

using namespace mlir;
using namespace forge;

// An expression such as x * sigmoid(x) is walked once per path.
static constexpr int kMaxDepth = 8;

// The axis of `from` that holds the same elements as `axis` of its reshape `to`, with equally many elements around it.
static std::optional<int64_t> sameAxis(ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t axis) {
  int64_t before = ShapedType::getNumElements(to.take_front(axis)),
          after = ShapedType::getNumElements(to.drop_front(axis + 1));
  for (auto [i, size] : llvm::enumerate(from))
    if (size == to[axis] && ShapedType::getNumElements(from.take_front(i)) == before &&
        ShapedType::getNumElements(from.drop_front(i + 1)) == after)
      return i;
  return std::nullopt;
}

// The axis of operand `operand` that becomes `axis` of the result of `op`; nothing where it is broadcast, or where
// `op` is none that a slice passes.
static std::optional<int64_t> operandAxis(Operation *op, Value operand, int64_t axis) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transposedAxis(transpose, axis);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return sameAxis(shapeOf(operand), reshape.getType().getShape(), axis);
  if (!isElementwise(op))
    return std::nullopt;
  int64_t own = axis - tensorType(op->getResult(0)).getRank() + tensorType(operand).getRank();
  if (own < 0 || shapeOf(operand)[own] != shapeOf(op->getResult(0))[axis])
    return std::nullopt;
  return own;
}

// Whether every element along `axis` of the result sees the same elements of `operand`.
static bool isConstantAlong(Operation *op, Value operand, int64_t axis) {
  if (!isElementwise(op))
    return false;
  int64_t own = axis - tensorType(op->getResult(0)).getRank() + tensorType(operand).getRank();
  return own < 0 || shapeOf(operand)[own] == 1;
}

static bool areNeighbours(Value a, Value b, int64_t axis, int depth) {
  std::optional<AxisSlice> first = AxisSlice::of(a), second = AxisSlice::of(b);
  if (first && second)
    if (first->source == second->source && first->axis == axis && second->axis == axis && first->isContiguous() &&
        second->isContiguous() && first->range.end == second->range.begin)
      return true;
  Operation *one = a.getDefiningOp(), *two = b.getDefiningOp();
  if (depth == kMaxDepth || !one || !two || one == two || one->getName() != two->getName() ||
      one->getNumOperands() != two->getNumOperands() || !one->hasOneUse() || !two->hasOneUse())
    return false;
  // A reshape says its shape, which the pieces share up to `axis`.
  auto reshape = dyn_cast<ReshapeOp>(one);
  if (!reshape && one->getPropertiesAsAttribute() != two->getPropertiesAsAttribute())
    return false;
  if (a.getType() != b.getType()) {
    SmallVector<int64_t> shape(shapeOf(a));
    if (tensorType(a).getRank() != tensorType(b).getRank())
      return false;
    shape[axis] = shapeOf(b)[axis];
    if (tensorType(a).clone(shape) != b.getType())
      return false;
  }
  bool sliced = false;
  for (auto [p, q] : llvm::zip_equal(one->getOperands(), two->getOperands())) {
    if (p == q && isConstantAlong(one, p, axis) && isConstantAlong(two, q, axis))
      continue;
    std::optional<int64_t> own = operandAxis(one, p, axis);
    if (!own || operandAxis(two, q, axis) != own || !::areNeighbours(p, q, *own, depth + 1))
      return false;
    sliced = true;
  }
  return sliced;
}

bool forge::areNeighbours(Value a, Value b, int64_t axis) { return ::areNeighbours(a, b, axis, 0); }

// The whole run is uniform where each operand is either the same for all pieces, or sliced for all of them.
static bool canMerge(ArrayRef<Value> pieces, int64_t axis) {
  SmallVector<AxisSlice> slices;
  for (Value piece : pieces)
    if (std::optional<AxisSlice> slice = AxisSlice::of(piece))
      slices.push_back(*slice);
  if (slices.size() == pieces.size() && llvm::all_of(llvm::seq<size_t>(1, slices.size()), [&](size_t i) {
        return slices[i].source == slices[0].source && slices[i - 1].range.end == slices[i].range.begin &&
               slices[i].axis == axis && slices[i - 1].axis == axis && slices[i].isContiguous() &&
               slices[i - 1].isContiguous();
      }))
    return true;
  Operation *first = pieces[0].getDefiningOp();
  if (!first || first->getNumOperands() == 0 || isa<StridedSliceOp, IndexOp>(first))
    return false;
  for (unsigned i = 0; i < first->getNumOperands(); ++i) {
    SmallVector<Value> operands;
    for (Value piece : pieces)
      operands.push_back(piece.getDefiningOp()->getOperand(i));
    if (llvm::all_equal(operands) && isConstantAlong(first, operands[0], axis))
      continue;
    std::optional<int64_t> own = operandAxis(first, operands[0], axis);
    if (!own || !canMerge(operands, *own))
      return false;
  }
  return true;
}

static Value merge(OpBuilder &builder, ArrayRef<Value> pieces, int64_t axis) {
  std::optional<AxisSlice> begin = AxisSlice::of(pieces.front()), end = AxisSlice::of(pieces.back());
  Location loc = withoutTrace(pieces.front().getLoc());
  if (begin && end)
    return sliceOf(builder, loc, begin->source, axis, begin->range.begin, end->range.end);
  Operation *first = pieces[0].getDefiningOp();
  SmallVector<Value> merged;
  for (unsigned i = 0; i < first->getNumOperands(); ++i) {
    SmallVector<Value> operands;
    for (Value piece : pieces)
      operands.push_back(piece.getDefiningOp()->getOperand(i));
    bool isConstant = llvm::all_equal(operands) && isConstantAlong(first, operands[0], axis);
    merged.push_back(isConstant ? operands[0] : merge(builder, operands, *operandAxis(first, operands[0], axis)));
  }
  SmallVector<int64_t> shape(shapeOf(pieces[0]));
  for (Value piece : pieces.drop_front())
    shape[axis] += shapeOf(piece)[axis];
  RankedTensorType type = tensorType(pieces[0]).clone(shape);
  if (isa<ReshapeOp>(first))
    return ReshapeOp::create(builder, loc, type, merged[0], ArrayRef<int64_t>(shape));
  Operation *whole = builder.clone(*first);
  whole->setLoc(loc);
  whole->setOperands(merged);
  whole->getResult(0).setType(type);
  return whole->getResult(0);
}

Value forge::mergePieces(OpBuilder &builder, ArrayRef<Value> pieces, int64_t axis) {
  return canMerge(pieces, axis) ? merge(builder, pieces, axis) : Value();
}
