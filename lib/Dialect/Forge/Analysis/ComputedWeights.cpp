//===- ComputedWeights.cpp - ops that are evaluated for the weights file --===//

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// Weights with at most this many elements may be stored in several forms.
static constexpr int64_t kSmall = 1 << 16;
// How many times larger than its sources a computed weight may be that is not stored itself.
static constexpr int64_t kMostGrowth = 64;
// The largest number of consecutive ops from a source to a computed weight, because writers recurse. Standardising a
// filter takes 16.
static constexpr int kDeepest = 32;

// These two lists have to agree with the ops of forge_mlir.artifact.recipe.
bool forge::isElementwiseOnWeights(Operation *op) {
  return isa<AddOp, SubtractOp, MultiplyOp, DivideOp, SqrtOp, CastOp, SineOp, CosineOp, ReluOp, BitwiseAndOp>(op);
}

// Whether `op` is one of the ops that unpack quantised weights, with a result of Int32. They compute in Int32, exactly.
static bool isIntegerArithmetic(Operation *op) {
  auto isInteger = [](Type type) {
    auto element = dyn_cast<IntegerType>(cast<RankedTensorType>(type).getElementType());
    return element && element.getWidth() > 1 && element.getWidth() <= 32;
  };
  return isa<CastOp, SubtractOp, BitwiseAndOp>(op) &&
         cast<RankedTensorType>(op->getResult(0).getType()).getElementType().isSignlessInteger(32) &&
         llvm::all_of(op->getOperandTypes(), isInteger);
}

bool forge::isComputable(Operation *op) {
  if (isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, ConcatenateOp, RepeatOp, RepeatInterleaveOp,
          AdvIndexOp, EmbeddingOp>(op))
    return true;
  if (!isElementwiseOnWeights(op) && !isa<ReduceAvgOp, MatmulOp>(op))
    return false;
  if (auto matmul = dyn_cast<MatmulOp>(op);
      matmul && (matmul.getBias() || matmul.getType().getRank() > 2 || tensorType(matmul.getOperandB()).getRank() != 2))
    return false;
  if (isIntegerArithmetic(op))
    return true;
  if (isRoundingSum(op))
    return false; // It is evaluated in float64, which does not round.
  auto isReal = [](Type type) { return isa<FloatType>(cast<RankedTensorType>(type).getElementType()); };
  // A cast from integers rounds at most once, as a cast between floats does.
  return isReal(op->getResult(0).getType()) && (isa<CastOp>(op) || llvm::all_of(op->getOperandTypes(), isReal));
}

static bool isSource(Operation *op) { return isa_and_nonnull<ParameterOp, ConstantOp, ScalarConstantOp>(op); }

static bool mayBeWeight(Value value) {
  Operation *op = value.getDefiningOp();
  return isSource(op) || (op && isComputable(op));
}

// The number of ops from the sources to `value`, if it is a weight; else none. `known` has the results of earlier
// calls, and `above` is the number of ops from `value` to the one that the caller started with.
static std::optional<int> depthOf(Value value, int above, llvm::SmallDenseMap<Operation *, int> &known) {
  Operation *op = value.getDefiningOp();
  if (isSource(op))
    return 0;
  if (auto found = known.find(op); found != known.end())
    return above + found->second <= kDeepest ? std::optional(found->second) : std::nullopt;
  // Checks the operands before following long chains, since that rejects most values.
  if (above >= kDeepest || !llvm::all_of(op->getOperands(), mayBeWeight))
    return std::nullopt;
  int depth = 0;
  for (Value operand : op->getOperands()) {
    std::optional<int> below = depthOf(operand, above + 1, known);
    if (!below)
      return std::nullopt;
    depth = std::max(depth, *below + 1);
  }
  known[op] = depth;
  return depth;
}

bool forge::isWeight(Value value) {
  llvm::SmallDenseMap<Operation *, int> known;
  return mayBeWeight(value) && depthOf(value, 0, known);
}

// Whether `value` has one user, not counting ops that compute weights from it, for which it is not stored.
static bool isReadOnce(Value value) {
  return value.hasOneUse() || llvm::count_if(value.getUsers(), [](Operation *user) {
                                return user->getNumResults() != 1 || !isWeight(user->getResult(0));
                              }) <= 1;
}

static bool isSplat(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  return isa<ScalarConstantOp>(op) || (constant && isa<SplatElementsAttr>(constant.getValue()));
}

bool forge::mayBeScaled(Value weight) {
  auto multiply = weight.getDefiningOp<MultiplyOp>();
  return !multiply || multiply.getType().getNumElements() <= kSmall ||
         llvm::none_of(multiply->getOperands(), [](Value operand) {
           return operand.getDefiningOp<ConstantOp>() && isSplat(operand.getDefiningOp()) && !operand.hasOneUse();
         });
}

bool forge::mayBeStoredOtherwise(Value value) {
  if (!isWeight(value))
    return false;
  return tensorType(value).getNumElements() <= kSmall || isSplat(value.getDefiningOp()) || isReadOnce(value);
}

bool forge::mayBeStored(int64_t elements, int64_t sourceElements) {
  return elements <= std::max(2 * sourceElements, kSmall);
}

bool forge::mayBePassedThrough(int64_t elements, int64_t sourceElements) {
  return elements <= std::max(kMostGrowth * sourceElements, kSmall);
}

static bool isReturned(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
}

// The shape to store, for a weight or an op on weights.
SmallVector<int64_t> ComputedWeights::shapeToStore(Operation *op) const {
  SmallVector<int64_t> shape(shapeOf(op->getResult(0)));
  if (isSplat(op))
    return SmallVector<int64_t>(shape.size(), 1);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    auto [dim0, dim1] = swapOf(transpose);
    shape = weights.at(transpose.getOperandA().getDefiningOp()).shape;
    std::swap(shape[dim0], shape[dim1]);
  } else if (isElementwiseOnWeights(op)) {
    shape.assign(shape.size(), 1);
    for (Value operand : op->getOperands()) {
      ArrayRef<int64_t> own = weights.at(operand.getDefiningOp()).shape;
      for (auto [size, most] : llvm::zip_equal(own, MutableArrayRef(shape).take_back(own.size())))
        most = std::max(most, size);
    }
  }
  return shape;
}

std::optional<ComputedWeights::Known> ComputedWeights::asComputed(Operation *op) const {
  if (!isComputable(op) || isReturned(op) || tooLarge.contains(op))
    return std::nullopt;
  Known found;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    auto known = producer ? weights.find(producer) : weights.end();
    if (known == weights.end() || held.contains(producer) || known->second.depth >= kDeepest)
      return std::nullopt;
    found.sourceElements += known->second.sourceElements;
    found.depth = std::max(found.depth, known->second.depth + 1);
  }
  found.shape = shapeToStore(op);
  int64_t stored = ShapedType::getNumElements(found.shape);
  // A large splat is not transposed, because products with it would sum in another order, on which the results of
  // models with such weights depend.
  if (isa<TransposeOp>(op) && stored == 1 && tensorType(op->getResult(0)).getNumElements() > kSmall)
    return std::nullopt;
  if (op->getNumOperands() == 0 || !mayBePassedThrough(stored, found.sourceElements))
    return std::nullopt;
  found.mayBeStored = mayBeStored(stored, found.sourceElements);
  found.sourceElements = std::min(found.sourceElements, stored);
  return found;
}

// Repeats the collection until no op is refused. An op that a call reads is refused if it is too large to be stored;
// its users are then calls too, which may read other ops.
void ComputedWeights::collect(Block &block) {
  bool isRefused = true;
  while (std::exchange(isRefused, false)) {
    collectOnce(block);
    for (Operation &op : llvm::reverse(block)) {
      if (!computed.contains(&op) || weights.at(&op).mayBeStored || !isStored(&op))
        continue;
      computed.erase(&op);
      tooLarge.insert(&op);
      isRefused = true;
    }
  }
}

void ComputedWeights::collectOnce(Block &block) {
  computed.clear();
  weights.clear();
  for (Operation &op : block) {
    if (isSource(&op)) {
      SmallVector<int64_t> shape = shapeToStore(&op);
      int64_t elements = ShapedType::getNumElements(shape);
      weights[&op] = {std::move(shape), elements};
    } else if (std::optional<Known> found = asComputed(&op)) {
      computed.insert(&op);
      weights[&op] = std::move(*found);
    }
  }
}

ComputedWeights::ComputedWeights(Operation *function) : ComputedWeights(function->getRegion(0).front()) {}

ComputedWeights::ComputedWeights(Block &block) {
  collect(block);
  // A large weight that a call reads must not be stored in a second form.
  bool hasSecondForm = false;
  auto isComputed = [&](Operation *user) { return computed.contains(user); };
  for (Operation &op : block)
    if (isSource(&op) && ShapedType::getNumElements(storedShape(&op)) > kSmall && isStored(&op)) {
      held.insert(&op);
      hasSecondForm |= llvm::any_of(op.getUsers(), isComputed);
    }
  if (hasSecondForm)
    collect(block);
  // A scalar constant is a call, unless only weights are computed from it.
  for (Operation &op : block)
    if (isa<ScalarConstantOp>(op) && !op.use_empty() && llvm::all_of(op.getUsers(), isComputed))
      computed.insert(&op);
}

bool ComputedWeights::isStored(Operation *op) const {
  if (!isa<ParameterOp, ConstantOp>(op) && (isa<ScalarConstantOp>(op) || !contains(op)))
    return false;
  return op->use_empty() || llvm::any_of(op->getUsers(), [&](Operation *user) { return !contains(user); });
}

SmallVector<int64_t> ComputedWeights::storedShape(Operation *op) const {
  auto known = weights.find(op);
  return known != weights.end() ? known->second.shape : SmallVector<int64_t>(shapeOf(op->getResult(0)));
}

std::optional<int64_t> ComputedWeights::sourceElements(Value value, int more) const {
  auto known = weights.find(value.getDefiningOp());
  bool isKnown = known != weights.end() && known->second.depth + more <= kDeepest;
  return isKnown ? std::optional(known->second.sourceElements) : std::nullopt;
}

ParameterOp forge::firstSource(Operation *op) {
  while (op && op->getNumOperands() > 0)
    op = op->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<ParameterOp>(op);
}
