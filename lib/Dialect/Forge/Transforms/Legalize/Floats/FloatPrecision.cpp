//===- FloatPrecision.cpp - which ops need the precision of Float32 -------===//
//
// FloatPrecision.h lists the ops that stay in Float32 in a function that is computed in a 16-bit format, "the format".
// Below, a value in Float32 is *whole* if it counts as integers, and *exact* if it must not be rounded to the format.
// An op is *wide* if it is computed in Float32.
//
//===----------------------------------------------------------------------===//

#include "FloatPrecision.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/IntegerRanges.h"
#include "forge/Support/PassText.h"
#include "llvm/Support/GlobPattern.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The magnitudes of constants, such as 1.5 * 2^23, that are added and subtracted to round to integers in Float32.
static constexpr double kLeastRounding = 1 << 20, kMostRounding = 1 << 26;
// The largest magnitude up to which Float32 represents all integers. Larger whole constants, such as a mask of -3.4e38,
// are not treated as integers.
static constexpr double kExactInFloat32 = 1 << 24;
// The magnitude up to which an angle may be rounded: in bfloat16, its sine and cosine change by at most 2^-7.
static constexpr double kSmallAngle = 4;

bool forge::isMovement(Operation *op) {
  return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, ConcatenateOp, StackOp, RepeatOp,
             RepeatInterleaveOp, IdentityOp, BroadcastOp, AdvIndexOp, EmbeddingOp, SelectOp, PixelShuffleOp>(op) ||
         (isa<PadOp>(op) && cast<PadOp>(op).getMode() != PadMode::Constant);
}

// A product whose contracted axis has size 1, such as positions times frequencies.
static bool isOuterProduct(Operation *op) {
  auto product = dyn_cast<MatmulOp>(op);
  return product && tensorType(product.getOperandA()).getShape().back() == 1;
}

bool forge::keepsElementsApart(Operation *op) {
  return isElementwise(op) || isMovement(op) || isa<PadOp>(op) || isOuterProduct(op);
}

bool forge::isWeightOrConstant(Value value, const ComputedWeights &weights) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<ParameterOp, ConstantOp, ScalarConstantOp>(op) || weights.contains(op);
}

// Whether the elements of the result of `op` are integers if those of all operands are, except the condition of a
// selection.
static bool keepsWhole(Operation *op) {
  auto isIntegerOrInfinite = [](const APFloat &number) { return number.isInfinity() || number.isInteger(); };
  if (auto clip = dyn_cast<ClipOp>(op))
    return isIntegerOrInfinite(clip.getMin()) && isIntegerOrInfinite(clip.getMax());
  if (auto pad = dyn_cast<PadOp>(op))
    return isIntegerOrInfinite(pad.getValue());
  return isMovement(op) || isa<AddOp, SubtractOp, MultiplyOp, RemainderOp, AbsOp, MaxOp, MinOp, ReluOp, WhereOp,
                               ReduceSumOp, ReduceMaxOp, MaxPool1dOp, MaxPool2dOp, MatmulOp, CumSumOp>(op);
}

// Whether `op` rounds to whole numbers, as Floor and Round do: x - remainder(x, 1), or where(remainder(x, 1) > 0, w, x)
// with a whole w.
static bool roundsByRemainder(Operation *op, function_ref<bool(Value)> isWhole) {
  auto isRemainderOf = [](Value value, Value x) {
    auto remainder = value.getDefiningOp<RemainderOp>();
    return remainder && remainder.getOperandA() == x && splatValue(remainder.getOperandB()) == 1.0;
  };
  if (isa<SubtractOp>(op))
    return isRemainderOf(op->getOperand(1), op->getOperand(0));
  auto where = dyn_cast<WhereOp>(op);
  auto test = where ? where.getCondition().getDefiningOp<GreaterOp>() : GreaterOp();
  return test && isRemainderOf(test.getOperandA(), where.getY()) && splatValue(test.getOperandB()) == 0.0 &&
         isWhole(where.getX());
}

// A scalar constant is a splat, too.
std::optional<double> forge::splatValue(Value value) {
  if (auto scalar = value.getDefiningOp<ScalarConstantOp>())
    return scalar.getConstant().convertToDouble();
  SplatElementsAttr splat;
  if (!matchPattern(value, m_Constant(&splat)) || !isa<FloatType>(splat.getElementType()))
    return std::nullopt;
  return splat.getSplatValue<APFloat>().convertToDouble();
}

// Whether `op` adds or subtracts a constant in order to round: numbers of Float32 of this magnitude have few digits
// after the point, or none.
static bool roundsOnPurpose(Operation *op) {
  return isa<AddOp, SubtractOp>(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           std::optional<double> number = splatValue(operand);
           return number && std::abs(*number) >= kLeastRounding && std::abs(*number) <= kMostRounding;
         });
}

// Adds the names of the ONNX nodes in the location of an op. The location of a weight has its name.
static void collectNames(Location loc, SmallVectorImpl<StringRef> &names) {
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part))
      names.push_back(named.getName().getValue());
    return WalkResult::advance();
  });
}

// Finds the ops that `keep` names, by their ONNX node or their op. A named weight, which is a constant if it is
// small, counts as exact integers: the ops that read it are in Float32, too. So are movement and sums after these,
// unless its elements are known to fit the 16-bit format (visitForward). This does not hold for scalar constants:
// --forge-merge-equal makes nodes share equal ones, so that the ops of nodes that are not named would be in Float32.
void FloatPrecision::keepNamed(Block &block, ArrayRef<std::string> keep) {
  // Each text is a name and also a glob pattern, because names may contain brackets: the pattern `a[0]` only matches
  // `a0`, and `a[0` is not valid. Patterns refer to their texts.
  SmallVector<std::string> texts = llvm::map_to_vector(keep, decoded);
  SmallVector<llvm::GlobPattern> globs;
  for (const std::string &text : texts) {
    if (llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(text))
      globs.push_back(std::move(*glob));
    else
      llvm::consumeError(glob.takeError());
  }
  auto isKept = [&](StringRef name) {
    return llvm::is_contained(texts, name) ||
           llvm::any_of(globs, [&](const llvm::GlobPattern &glob) { return glob.match(name); });
  };
  for (Operation &op : block.without_terminator()) {
    SmallVector<StringRef> names{op.getName().getStringRef()};
    collectNames(op.getLoc(), names);
    if (llvm::none_of(names, isKept))
      continue;
    named.insert(&op);
    if (isa<ParameterOp, ConstantOp>(op) && isFloat(op.getResult(0))) {
      whole.insert(op.getResult(0));
      exact.insert(op.getResult(0));
    }
  }
}

// Whether the elements of `value` are known to be integers that the 16-bit format represents.
bool FloatPrecision::fitsFormat(Value value) const {
  RealFact fact = facts.of(value);
  return quantised.contains(value) || (fact.isInteger && fact.liesIn({-largestInteger, largestInteger}));
}

// Records a constant in `whole` if all its elements are integers below the magnitude kExactInFloat32.
void FloatPrecision::visitConstant(Value constant) {
  std::optional<double> number = splatValue(constant);
  RealFact fact = facts.of(constant);
  bool isWhole = number ? *number == std::trunc(*number) && std::abs(*number) <= kExactInFloat32
                        : fact.isInteger && fact.liesIn({-kExactInFloat32, kExactInFloat32});
  if (isWhole)
    whole.insert(constant);
}

// Records the result of `op` in `quantised` if `op` is the last op of a quantiser (isResultOfQuantiser), or only moves
// such results. A multiplication of such a value, usually by the scale of the quantiser, is wide, so that the scale is
// not rounded.
void FloatPrecision::visitQuantised(Operation *op) {
  Value result = op->getResult(0);
  auto isOfQuantiser = [&](Value value) { return quantised.contains(value); };
  if (isResultOfQuantiser(result, largestInteger) || (isMovement(op) && llvm::all_of(op->getOperands(), isOfQuantiser)))
    quantised.insert(result);
  if (isa<MultiplyOp>(op) && llvm::any_of(op->getOperands(), isOfQuantiser))
    wide.insert(op);
}

// Records the result of `op` in `computedFromExact` if `op` keeps elements apart, one of its float operands is in
// `exact` or `computedFromExact`, and the others are too, or are weights. If `op` is a remainder of such values, its
// first operand and its result are exact: in the floor of x = ids / 7, which is x - remainder(x, 1), the fraction of x
// decides to which integer x is rounded.
void FloatPrecision::visitComputedFromExact(Operation *op) {
  auto isFromExact = [&](Value value) { return exact.contains(value) || computedFromExact.contains(value); };
  auto isFromExactOrWeight = [&](Value value) {
    return !isFloat(value) || isFromExact(value) || isWeightOrConstant(value);
  };
  if (!keepsElementsApart(op) || !llvm::any_of(op->getOperands(), isFromExact) ||
      !llvm::all_of(op->getOperands(), isFromExactOrWeight))
    return;
  computedFromExact.insert(op->getResult(0));
  if (isa<RemainderOp>(op) && !whole.contains(op->getOperand(0)))
    exact.insert_range(ValueRange{op->getOperand(0), op->getResult(0)});
}

// Whether the result of `op` counts as integers (`whole`): it is a cast of integers, a floor of values that were
// computed from exact ones, a sum that rounds to integers on purpose, or computed from whole values by an op that keeps
// integers. In one case the result may not be integers: if it is not known to what a sum rounds on purpose.
bool FloatPrecision::countsAsWhole(Operation *op) const {
  if (auto cast = dyn_cast<CastOp>(op); cast && !isFloat(cast.getOperandA()))
    return true;
  Value result = op->getResult(0);
  // A sum that rounds on purpose, to a few digits after the point, is exact without being whole (visitForward). If the
  // sum may be infinite or NaN, the facts do not tell whether it rounds to digits or to integers. It counts as whole:
  // its range does not fit the format, so that the sum is exact, and so are its elements after reshapes and slices,
  // which keep integers.
  if (roundsOnPurpose(op)) {
    RealFact fact = facts.of(result);
    return fact.isInteger || !fact.isFinite;
  }
  auto isWhole = [&](Value value) { return !isFloat(value) || whole.contains(value); };
  // A floor of values that are not in `computedFromExact`, which were rounded before, need not be exact.
  if (computedFromExact.contains(result) && roundsByRemainder(op, isWhole))
    return true;
  // Constants alone, such as 0 and 1, happen to be whole, and need not be exact. A condition is only tested.
  auto isComputed = [](Value value) { return !isa_and_nonnull<ConstantOp, ScalarConstantOp>(value.getDefiningOp()); };
  auto operands = llvm::drop_begin(op->getOperands(), isa<WhereOp>(op));
  return keepsWhole(op) && llvm::all_of(operands, isWhole) && llvm::any_of(operands, isComputed);
}

// Visits `op` after the producers of its operands, and decides whether its result is whole. A whole result that the
// format may not represent is exact, and so is a sum that rounds on purpose, but to a few digits after the point. An op
// is wide if its result or one of its operands is exact.
void FloatPrecision::visitForward(Operation *op, const IntegerRanges &ranges) {
  facts.visit(op);
  if (op->getNumResults() != 1 || !isFloat(op->getResult(0)))
    return;
  Value result = op->getResult(0);
  if (isa<ConstantOp>(op) || splatValue(result))
    return visitConstant(result);
  visitQuantised(op);
  visitComputedFromExact(op);
  bool isWhole = countsAsWhole(op), fits = fitsFormat(result);
  if (auto cast = dyn_cast<CastOp>(op); cast && !isFloat(cast.getOperandA()))
    fits = Interval{-largestInteger, largestInteger}.contains(ranges.of(cast.getOperandA()));
  // fitsFormat() needs facts that prove the clipped value whole, which is known here already.
  fits |= isa<ClipOp>(op) && facts.of(result).liesIn({-largestInteger, largestInteger});
  if (isWhole)
    whole.insert(result);
  bool isExact = isWhole ? !fits : roundsOnPurpose(op);
  if (isExact)
    exact.insert(result);
  if (isExact || llvm::any_of(op->getOperands(), [&](Value value) { return exact.contains(value); }))
    wide.insert(op);
}

// Makes `value` exact, unless it counts as integers that the format represents, which rounding does not change. With
// `becomesInteger`, `value` is cast to integers later, so that the sums and products that compute it are exact, too.
void FloatPrecision::keepExact(Value value, bool becomesInteger) {
  if (!isFloat(value) || (whole.contains(value) && fitsFormat(value)))
    return;
  exact.insert(value);
  if (becomesInteger)
    becomeIntegers.insert(value);
}

// For `op` with an exact result: makes its operands exact, and `op` wide, unless it combines several elements. Sums and
// products do that, but are wide too if their result is cast to integers later.
void FloatPrecision::keepOperandsExact(Operation *op) {
  // An op that rounds to integers on purpose, as in quantisers, may have a rounded sum or product as its operand.
  bool becomesInteger = becomeIntegers.contains(op->getResult(0)) && !roundsOnPurpose(op);
  bool selectsElements = isa<ReduceMaxOp, MaxPool1dOp, MaxPool2dOp>(op);
  bool isSum = becomesInteger && isa<ReduceSumOp, ReduceAvgOp, CumSumOp>(op);
  // A product may select rows of a weight, such as a one-hot matrix times a table of integers.
  bool mayLookUpRows = becomesInteger && isa<MatmulOp>(op) && !isOuterProduct(op);
  if (!keepsElementsApart(op) && !selectsElements && !isSum && !mayLookUpRows)
    return;
  wide.insert(op);
  for (Value operand : op->getOperands())
    if (!mayLookUpRows || isWeight(operand))
      keepExact(operand, becomesInteger);
}

// Visits `op` after the users of its result. The operand of a cast to integers, or of a sine or cosine of a large
// angle, is exact. If the result of `op` is exact, its operands are exact too, back to an op that combines several
// elements (see FloatPrecision).
void FloatPrecision::visitBackward(Operation *op) {
  if (auto cast = dyn_cast<CastOp>(op); cast && !isFloat(cast.getResult()) && isFloat(cast.getOperandA())) {
    keepExact(cast.getOperandA(), /*becomesInteger=*/true);
    wide.insert(op);
  } else if (isa<SineOp, CosineOp>(op) && !facts.of(op->getOperand(0)).liesIn({-kSmallAngle, kSmallAngle})) {
    keepExact(op->getOperand(0), /*becomesInteger=*/false);
    wide.insert(op);
  }
  if (op->getNumResults() == 1 && exact.contains(op->getResult(0)))
    keepOperandsExact(op);
}

// Makes `op` wide if it is elementwise, and its operands are exact, constants or weights, at least one of them exact: a
// difference of positions, for example, may lose all its digits if they are rounded first. Runs after visitBackward(),
// which adds values to `exact`.
void FloatPrecision::keepDifferences(Operation *op) {
  auto isExactOrConstant = [&](Value value) {
    Operation *producer = value.getDefiningOp();
    return !isFloat(value) || exact.contains(value) || isa_and_nonnull<ScalarConstantOp>(producer) ||
           (producer && weights.isStored(producer));
  };
  if (isElementwise(op) && llvm::any_of(op->getOperands(), [&](Value value) { return exact.contains(value); }) &&
      llvm::all_of(op->getOperands(), isExactOrConstant))
    wide.insert(op);
}

// A fused sum does not promote: the device's compiler fuses it into its product, so that it has the type of the
// product.
bool FloatPrecision::promotes(Operation *op) {
  return isa<MatmulOp, SubtractOp, MultiplyOp, DivideOp>(op) || (isa<AddOp>(op) && !isFusedSum(op));
}

// Whether `value`, the integers of a quantiser, is computed in Float32, and all users can read it in the 16-bit format:
// multiplications by constants and weights, usually by the scale of the quantiser, promote it. The value is then cast
// once, which is exact, and takes fewer bytes.
bool FloatPrecision::canAllReadNarrow(Value value) const {
  auto canReadNarrow = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->hasTrait<OpTrait::IsTerminator>() || named.contains(user))
      return false;
    if (!wide.contains(user))
      return true;
    return isa<MultiplyOp>(user) && isWeightOrConstant(user->getOperand(1 - use.getOperandNumber()));
  };
  return wide.contains(value.getDefiningOp()) && llvm::all_of(value.getUses(), canReadNarrow);
}

// Whether an op in Float32 reads `operand` in the format: the integers of a quantiser, which are exact in it; and where
// rounding is accepted, the factors of a product that its bias makes Float32, norms, and weights.
bool FloatPrecision::staysNarrow(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  if (quantisedReadNarrow.contains(operand.get()))
    return true;
  // Neither an exact value nor the operands of its op may be rounded.
  if (exact.contains(operand.get()) || exact.contains(op->getResult(0)))
    return false;
  // A product of which only the bias, operand 2, is Float32.
  if (widenedProducts.contains(op))
    return operand.getOperandNumber() < 2;
  // A norm that a sum in Float32 adds in the format (RunningSums).
  if (roundedNorms.contains(operand.get()) && isa<AddOp>(op))
    return true;
  // A matrix of weights; a small one is a constant. A splat is no weight of the model: a product with it is a mean.
  SplatElementsAttr splat;
  return withNarrowWeights.contains(op) && isWeight(operand.get()) &&
         !matchPattern(operand.get(), m_Constant(&splat)) && tensorType(operand.get()).getRank() >= 2;
}

// Later rules override earlier ones: integers and angles, then norms and residual sums, then recurrences, and last the
// ops that the user named. (Weights that the user named count as integers.) The analyses are not those of the analysis
// manager, which does not know that the pass has changed convolutions and constants before.
FloatPrecision::FloatPrecision(func::FuncOp func, FloatType format, ArrayRef<std::string> keep, bool nativeOutputs)
    : weights(func.front()), largestInteger(std::ldexp(1.0, format.getFPMantissaWidth())) {
  Block &block = func.front();
  keepNamed(block, keep);
  keepIntegersAndAngles(block, IntegerRanges(func));
  RunningSums running = RunningSums::of(block, weights, !nativeOutputs);
  llvm::DenseSet<Operation *> recurrent = recurrentOps(block, weights);
  keepRunningSums(running, recurrent);
  // Ops of recurrences and named ops follow their own rules, and not those of sums and rounded norms.
  wide.insert_range(recurrent);
  llvm::for_each(recurrent, [&](Operation *op) { dropRulesOfSums(op); });
  // The weights of recurrences stay in the format. So do those of products of which only the bias is Float32
  // (`widenedProducts`), or only the left operand (products that are outputs). The matrix of a mean is no such weight,
  // because it is a splat (staysNarrow).
  withNarrowWeights = std::move(recurrent);
  for (Operation *op : running.ops)
    if (isa<MatmulOp>(op))
      withNarrowWeights.insert(op);
  for (Operation *op : named) {
    wide.insert(op);
    withNarrowWeights.erase(op);
    dropRulesOfSums(op);
  }
  for (Value value : quantised)
    if (canAllReadNarrow(value))
      quantisedReadNarrow.insert(value);
}

// Three passes over the ops: from arguments to results, back, and over the elementwise ops between exact values.
void FloatPrecision::keepIntegersAndAngles(Block &block, const IntegerRanges &ranges) {
  for (Operation &op : block.without_terminator())
    visitForward(&op, ranges);
  for (Operation &op : llvm::reverse(block.without_terminator()))
    visitBackward(&op);
  for (Operation &op : block.without_terminator())
    keepDifferences(&op);
}

// Takes over what RunningSums found. Squares may be narrow, unless integers or angles (which are in `wide` already) or
// recurrences need them in Float32.
void FloatPrecision::keepRunningSums(const RunningSums &running, const llvm::DenseSet<Operation *> &recurrent) {
  for (Operation *square : running.squaresInEitherFormat)
    if (!wide.contains(square) && !recurrent.contains(square))
      squaresInEitherFormat.insert(square);
  wide.insert_range(running.ops);
  widenedProducts = running.widenedProducts;
  roundedNorms = running.roundedNorms;
}

// For an op that is wide for another reason than RunningSums: a recurrence, or --keep-float32. No value that it reads
// or computes is then rounded for sums.
void FloatPrecision::dropRulesOfSums(Operation *op) {
  widenedProducts.erase(op);
  for (Value operand : op->getOperands())
    roundedNorms.erase(operand);
  for (Value result : op->getResults())
    roundedNorms.erase(result);
}
