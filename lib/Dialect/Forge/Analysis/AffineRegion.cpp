//===- AffineRegion.cpp - regions in which a scale can be folded ----------===//

#include "forge/Dialect/Forge/Analysis/AffineRegion.h"

#include "Terms.h"
#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

#include <numeric>

using namespace mlir;
using namespace forge;

static bool isMovement(Operation *op) {
  return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, RepeatOp, RepeatInterleaveOp, BroadcastOp>(op);
}

AxisIndices AxisIndices::of(Value value, int64_t axis, int64_t begin, int64_t end) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return {ShapedType::getNumElements(shape.drop_front(axis + 1)), shape[axis], begin, end};
}

std::optional<int64_t> AxisIndices::axisOf(Value weight, Value value) {
  ArrayRef<int64_t> own = shapeOf(weight), shape = shapeOf(value);
  int64_t count = tensorType(weight).getNumElements();
  const auto *at = llvm::find(own, count);
  if (count < 2 || at == own.end() || own.size() > shape.size())
    return std::nullopt;
  int64_t axis = shape.size() - own.size() + (at - own.begin());
  return shape[axis] == count ? std::optional(axis) : std::nullopt;
}

std::optional<AxisRange> AxisIndices::in(RankedTensorType type) const {
  if (isAll())
    return std::nullopt;
  // The axis may consist of larger steps and smaller ones: of an axis that `trailing` elements follow, an index is
  // inner / trailing consecutive indices. Head 1 of 4 heads of 8 columns (inner = 8, size = 4) is the range [8, 16) of
  // the 32 columns of [3, 32], where trailing is 1.
  int64_t trailing = 1;
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    int64_t own = type.getDimSize(axis);
    if (own > 1 && trailing > 0 && inner % trailing == 0 && inner * size == trailing * own)
      return AxisRange{axis, {begin * (inner / trailing), end * (inner / trailing)}};
    trailing *= own;
  }
  return std::nullopt;
}

// The same elements of `value` in a form that compares equal for equal elements, if all indices have the same scale: a
// whole axis becomes all(), and other indices the largest blocks that they consist of: [4, 8) of 12 indices becomes
// [1, 2) of 3.
AxisIndices AffineRegion::widened(AxisIndices indices, Value value) const {
  if (perIndex || indices.isNone())
    return indices;
  if (indices.begin == 0 && indices.end == indices.size)
    return AxisIndices::all(value);
  int64_t each = std::gcd(std::gcd(indices.begin, indices.end), indices.size);
  return {indices.inner * each, indices.size / each, indices.begin / each, indices.end / each};
}

// The smallest range of indices that contains both; all elements if they are not indices of one axis of `value`.
static AxisIndices hull(AxisIndices a, AxisIndices b, Value value) {
  std::optional<AxisRange> first = a.in(tensorType(value)), second = b.in(tensorType(value));
  if (!first || !second || first->axis != second->axis)
    return AxisIndices::all(value);
  return AxisIndices::of(value, first->axis, std::min(first->range.begin, second->range.begin),
                         std::max(first->range.end, second->range.end));
}

namespace {
/// How a slice, or an operand of a concatenation, is a part of the larger value: index i of the part is index `first` +
/// i of the larger value along `axis`.
struct Cut {
  int64_t axis, first;
};
} // namespace

// None if the user is no slice and no concatenation. The axis is -1 for a slice with a stride.
static std::optional<Cut> cutOf(OpOperand &use) {
  int64_t rank = tensorType(use.get()).getRank();
  if (auto slice = dyn_cast<IndexOp>(use.getOwner()))
    return Cut{slice.getStride() == 1 ? fromFront(slice.getDim(), rank) : -1, slice.getStart()};
  auto whole = dyn_cast<ConcatenateOp>(use.getOwner());
  if (!whole)
    return std::nullopt;
  Cut cut{fromFront(whole.getAxis(), rank), 0};
  for (Value part : whole.getOperands().take_front(use.getOperandNumber()))
    cut.first += shapeOf(part)[cut.axis];
  return cut;
}

std::optional<AxisIndices> AffineRegion::through(OpOperand &use, AxisIndices indices, bool toOperand) const {
  Operation *op = use.getOwner();
  Value from = use.get(), to = op->getResult(0);
  if (toOperand)
    std::swap(from, to);
  if (isReshape(op))
    return indices.isAll() ? AxisIndices::all(to) : indices;
  std::optional<Cut> cut = cutOf(use);
  // Whether `from` is the part, and `to` the larger value: the operand of a slice, or the result of a concatenation.
  bool toWhole = cut && toOperand == isa<IndexOp>(op);
  if (indices.isAll() && !toWhole)
    return AxisIndices::all(to);
  if (cut && cut->axis < 0)
    return std::nullopt;
  if (indices.isAll())
    return widened(AxisIndices::of(to, cut->axis, cut->first, cut->first + shapeOf(from)[cut->axis]), to);
  // Other indices are mapped along the axis to which they belong. With `perIndex`, each has to be one index of it.
  std::optional<AxisRange> at = indices.in(tensorType(from));
  std::optional<int64_t> axis = at ? pairedAxis(use, at->axis, /*toResult=*/!toOperand) : std::nullopt;
  if (!axis || (perIndex && at->range.end - at->range.begin != indices.count()))
    return std::nullopt;
  int64_t begin = at->range.begin, end = at->range.end, size = shapeOf(to)[*axis];
  if (cut && cut->axis == *axis) {
    // The part may contain some of the indices, or none. With `perIndex`, some would need a part of the scale.
    int64_t shift = toWhole ? cut->first : -cut->first;
    begin = std::clamp<int64_t>(begin + shift, 0, size);
    end = std::clamp<int64_t>(end + shift, 0, size);
    if (perIndex && begin != end && end - begin != indices.count())
      return std::nullopt;
  } else if (size != shapeOf(from)[at->axis]) { // the axis is broadcast or repeated
    return std::nullopt;
  }
  return widened(AxisIndices::of(to, *axis, begin, end), to);
}

bool forge::keepsLastAxis(Operation *op) {
  if (!isMovement(op) || isa<BroadcastOp>(op))
    return false;
  RankedTensorType from = tensorType(op->getOperand(0)), to = tensorType(op->getResult(0));
  if (from.getRank() == 0 || to.getRank() == 0 || from.getNumElements() == 0 ||
      from.getShape().back() != to.getShape().back())
    return false;
  if (isReshape(op))
    return true;
  return pairedAxis(op->getOpOperand(0), to.getRank() - 1, /*toResult=*/false) == from.getRank() - 1;
}

// The elements of a weight that is `value`, or broadcasts to it, that change with `indices` of it.
std::optional<AffineRegion::ChangedElements> AffineRegion::changedBy(Value value, AxisIndices indices) const {
  if (indices.isAll())
    return ChangedElements{1, 0, 1, 0};
  std::optional<AxisRange> at = indices.in(tensorType(value));
  if (!at || (perIndex && at->range.end - at->range.begin != indices.count()))
    return std::nullopt;
  return ChangedElements{shapeOf(value)[at->axis], at->range.begin, at->range.end,
                         tensorType(value).getRank() - 1 - at->axis};
}

// Products and elementwise ops mix element types. A weight of another type than Float32 does not change: multiplied by
// factors, it would be rounded to that type, or have no type in common with them.
bool AffineRegion::addWeight(OpOperand &weight, std::optional<ChangedElements> where) {
  return where && isFloat32(weight.get()) && mayBeScaled(weight.get()) &&
         weights.insert({&weight, *where}).first->second == *where;
}

// Records that the columns of the weights, and the elements of the bias, that compute `indices` of the product change.
// Returns false if they are not indices of its columns. An embedding, which has no x, is followed as a term (termsOf).
bool AffineRegion::addColumns(const WeightProduct &product, AxisIndices indices) {
  Value result = product.op()->getResult(0), matrix = product.weights->get();
  std::optional<ChangedElements> where = changedBy(result, indices);
  if (!where || !product.x || !product.mayReplaceBias())
    return false;
  ChangedElements ofBias = *where;
  if (!where->isAll()) {
    bool areColumns = where->trailing == tensorType(result).getRank() - 1 - product.axis;
    if (!areColumns || where->size != shapeOf(matrix)[product.columns])
      return false;
    where->trailing = tensorType(matrix).getRank() - 1 - product.columns;
    ofBias.trailing = 0;
  }
  return addWeight(*product.weights, where) && (!product.bias || addWeight(*product.bias, ofBias));
}

// Records that the rows of the weights that are multiplied by `indices` of x change. Returns false if they are not
// indices of its channels.
bool AffineRegion::addRows(const WeightProduct &product, AxisIndices indices) {
  Value x = product.x->get(), matrix = product.weights->get();
  std::optional<ChangedElements> where = changedBy(x, indices);
  if (where && !where->isAll()) {
    bool areRows = where->trailing == tensorType(x).getRank() - 1 - product.channels;
    if (!areRows || where->size != shapeOf(matrix)[product.rows])
      return false;
    where->trailing = tensorType(matrix).getRank() - 1 - product.rows;
  }
  return addWeight(*product.weights, where);
}

// Follows an operand in which its op is linear, so that `indices` of the result change: records the elements of a
// weight that change, or follows the producer of another value.
bool AffineRegion::followOperand(OpOperand &operand, AxisIndices indices, TakesFactor takes) {
  Value value = operand.get();
  Operation *op = operand.getOwner();
  std::optional<AxisIndices> own = through(operand, indices, /*toOperand=*/true);
  if (isWeight(value)) {
    // A weight that is divided, such as the 1 of a reciprocal, is not changed.
    if (!mayBeStoredOtherwise(value) || mayRoundOnPurpose(value) || isa<DivideOp>(op))
      return false;
    // The factor of a weight that an elementwise op broadcasts has an element per index, and so has their product.
    if (isElementwise(op))
      return addWeight(operand, changedBy(op->getResult(0), indices));
    return own && (own->isNone() || addWeight(operand, changedBy(value, *own)));
  }
  if (!own || own->isNone())
    return own.has_value();
  followed.insert(&operand);
  return follow(value, *own, takes);
}

// Follows a term, a product of operands of which one has to be scaled: a weight that `takes` accepts, or an activation.
// What was recorded for an activation that cannot be scaled is removed before the other one is tried.
bool AffineRegion::followTerm(ArrayRef<OpOperand *> term, AxisIndices indices, TakesFactor takes) {
  if (term.size() == 1)
    return followOperand(*term.front(), indices, takes);
  for (OpOperand *factor : term)
    if (auto multiply = dyn_cast<MultiplyOp>(factor->getOwner());
        multiply && takes(*factor) && addWeight(*factor, changedBy(multiply, indices)))
      return true;
  for (unsigned index : {side, 1 - side}) {
    if (isWeight(term[index]->get()))
      continue;
    size_t valuesBefore = values.size(), followedBefore = followed.size(), weightsBefore = weights.size();
    if (followOperand(*term[index], indices, takes))
      return true;
    auto shrink = [](auto &list, size_t size) {
      while (list.size() > size)
        list.pop_back();
    };
    shrink(values, valuesBefore);
    shrink(followed, followedBefore);
    shrink(weights, weightsBefore);
  }
  return false;
}

// Follows the producer of `value`, so that `indices` of the value change. If another user has requested other indices
// of it, this attempt fails, and the next attempt of collectSources() changes the indices of both.
bool AffineRegion::follow(Value value, AxisIndices indices, TakesFactor takes) {
  Operation *op = value.getDefiningOp();
  if (!op || !isFloat32(value) || tensorType(value).getNumElements() == 0)
    return false;
  if (auto known = wider.find(value); known != wider.end())
    indices = known->second;
  auto [known, isNew] = values.insert({value, indices});
  if (!isNew && !(known->second == indices))
    wider[value] = widened(hull(known->second, indices, value), value);
  if (!isNew)
    return known->second == indices;
  if (values.size() > kMost)
    return false;
  if (std::optional<WeightProduct> product = WeightProduct::of(op); product && addColumns(*product, indices))
    return true;
  SmallVector<Term, 2> terms = termsOf(op);
  return !terms.empty() &&
         llvm::all_of(terms, [&](ArrayRef<OpOperand *> term) { return followTerm(term, indices, takes); });
}

// Whether the result of `use` changes exactly as it has to if `indices` of the used value change. They may be more than
// this user has requested, because others have requested different ones.
bool AffineRegion::passes(OpOperand &use, AxisIndices indices) const {
  auto result = values.find(use.getOwner()->getResult(0));
  if (result == values.end())
    return false;
  // The indices of the result determine those of the operand; but a slice contains only some of the operand's.
  bool cuts = isa<IndexOp>(use.getOwner());
  std::optional<AxisIndices> own = through(use, cuts ? indices : result->second, /*toOperand=*/!cuts);
  return own && *own == (cuts ? result->second : indices);
}

// Whether all users of changed values, except `reader`, pass the change on. A product with weights does so if its x and
// its result change by the same factor: then its weights, which were recorded (addColumns), do not change.
bool AffineRegion::isClosed(OpOperand &reader) {
  for (auto &[value, indices] : values)
    for (OpOperand &use : value.getUses()) {
      if (&use == &reader || (followed.contains(&use) && passes(use, indices)))
        continue;
      // A slice of other indices.
      std::optional<AxisIndices> own =
          isa<IndexOp>(use.getOwner()) ? through(use, indices, /*toOperand=*/false) : std::nullopt;
      if (own && own->isNone() && !followed.contains(&use))
        continue;
      std::optional<WeightProduct> product = WeightProduct::of(use.getOwner());
      if (!product || product->x != &use || !indices.isAll() || !weights.contains(product->weights))
        return false;
      auto result = values.find(product->op()->getResult(0));
      if (result == values.end() || !result->second.isAll())
        return false;
      weights.erase(product->weights);
      followed.insert(&use);
    }
  return true;
}

bool AffineRegion::collectSources(OpOperand &reader, AxisIndices indices, TakesFactor takes) {
  // An attempt may find a value of which another user needs more indices. The next attempt starts with that knowledge.
  constexpr int kMostAttempts = 8;
  for (side = 0; side < 2; ++side) {
    wider.clear();
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      values.clear();
      followed.clear();
      weights.clear();
      size_t known = wider.size();
      if (follow(reader.get(), indices, takes) && isClosed(reader) && !weights.empty())
        return true;
      if (perIndex || wider.size() == known)
        break;
    }
  }
  return false;
}

bool AffineRegion::followReader(OpOperand &use, AxisIndices indices, bool movesOnly, TakesUse takes) {
  Operation *op = use.getOwner();
  if (takes && takes(use))
    return true;
  if (std::optional<WeightProduct> product = WeightProduct::of(op); product && product->x == &use)
    return addRows(*product, indices);
  SmallVector<Term, 2> terms = termsOf(op);
  if (terms.size() != 1 || !llvm::is_contained(terms.front(), &use) || (movesOnly && !isMovement(op)))
    return false;
  std::optional<AxisIndices> own = through(use, indices, /*toOperand=*/false);
  if (!own || own->isNone())
    return own.has_value();
  // A user that reads the value twice would have the square of the factor.
  return values.size() < kMost && values.insert({op->getResult(0), *own}).second &&
         collectReaders(op->getResult(0), *own, movesOnly, takes);
}

bool AffineRegion::collectReaders(Value value, AxisIndices indices, bool movesOnly, TakesUse takes) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) { return followReader(use, indices, movesOnly, takes); });
}
