//===- RotatedPairs.cpp - rotary embeddings of neighbouring elements ------===//
//
// An interleaved rotary embedding splits the trailing axis into its even and its odd elements, multiplies them by
// tables of cosines and sines, and interleaves two sums of the products. On the way there are trailing axes of one or
// two elements, which the device pads to whole tiles. The same result without such axes is
//
//     x * interleave(a, d) + swap(x) * interleave(b, c)    for    interleave(even * a + odd * b, even * c + odd * d),
//
// where swap(x), an index along the trailing axis, exchanges the elements of each pair, and the interleaved tables are
// weights. Each element is the same sum of the same two products, so that results are equal to the last bit, including
// infinities and NaN.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"

using namespace mlir;
using namespace forge;

namespace {
/// The even (0) or odd (1) elements of the last axis of `x`.
struct PairElements {
  Value x;
  unsigned parity = 0;
};
} // namespace

static int64_t lastAxis(Value value) { return tensorType(value).getRank() - 1; }

// The value before the reshapes that compute `value` by adding or removing a trailing axis of size 1.
static Value withoutTrailingOne(Value value) {
  auto hasOneMore = [](ArrayRef<int64_t> longer, ArrayRef<int64_t> shorter) {
    return !longer.empty() && longer.back() == 1 && longer.drop_back() == shorter;
  };
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    ArrayRef<int64_t> to = shapeOf(value), from = shapeOf(reshape.getOperandA());
    if (!hasOneMore(to, from) && !hasOneMore(from, to))
      break;
    value = reshape.getOperandA();
  }
  return value;
}

// Matches `value` as a slice that is not empty. A result of a split is one too, because this pass runs before
// --forge-lower-split.
static std::optional<AxisSlice> sliceOrSplitResult(Value value) {
  auto split = value.getDefiningOp<SplitOp>();
  if (!split)
    return AxisSlice::of(value);
  unsigned result = cast<OpResult>(value).getResultNumber();
  int64_t begin = llvm::sum_of(split.getSizes().take_front(result), int64_t(0));
  Value source = split.getOperandA();
  int64_t axis = fromFront(split.getDim(), tensorType(source).getRank()), end = begin + split.getSizes()[result];
  return begin < end ? std::optional(AxisSlice{source, axis, {begin, end}}) : std::nullopt;
}

// Matches `value` as the even or the odd elements of x, maybe with a trailing axis of size 1.
static std::optional<PairElements> pairElementsOf(Value value) {
  std::optional<AxisSlice> slice = sliceOrSplitResult(withoutTrailingOne(value));
  if (!slice || slice->axis != lastAxis(slice->source))
    return std::nullopt;
  int64_t size = slice->extent(), begin = slice->range.begin;
  if (begin > 1)
    return std::nullopt;
  // x[..., 0::2] or x[..., 1::2]
  if (size % 2 == 0 && slice->range.step == 2 && slice->range.length() == size / 2)
    return PairElements{slice->source, static_cast<unsigned>(begin)};
  // reshape(x, [..., pairs, 2])[..., 0] or [..., 1]
  auto pairs = slice->source.getDefiningOp<ReshapeOp>();
  if (!pairs || size != 2 || slice->range.length() != 1)
    return std::nullopt;
  Value x = pairs.getOperandA();
  SmallVector<int64_t> expected(shapeOf(slice->source).drop_back()); // [..., pairs]
  if (!expected.empty())
    expected.back() *= 2;
  return shapeOf(x) == ArrayRef(expected) ? std::optional(PairElements{x, static_cast<unsigned>(begin)}) : std::nullopt;
}

namespace {
/// The factor of the even or of the odd elements in a sum: `sign` (1 or -1) times a weight, or `sign` alone.
struct Factor {
  Value table = {}; ///< null for a sign alone
  float sign = 1;
};

/// The even or the odd elements of a value, times a factor.
struct ScaledElements {
  PairElements elements;
  Factor factor;

  /// Matches `value` as such elements, or as a product of them, in the shape of the product, and a factor. The factor
  /// is a sign or any other value.
  static std::optional<ScaledElements> of(Value value) {
    if (std::optional<PairElements> elements = pairElementsOf(value))
      return ScaledElements{*elements, Factor()};
    auto product = value.getDefiningOp<MultiplyOp>();
    if (!product || !product->hasOneUse())
      return std::nullopt;
    for (auto [x, multiplier] : inEitherOrder(product))
      if (std::optional<PairElements> elements = pairElementsOf(x); elements && x.getType() == value.getType()) {
        std::optional<double> scalar = scalarValue(multiplier);
        bool isSign = scalar && std::abs(*scalar) == 1;
        return ScaledElements{*elements, isSign ? Factor{{}, static_cast<float>(*scalar)} : Factor{multiplier}};
      }
    return std::nullopt;
  }
};

/// even * factors[0] + odd * factors[1], for the even and the odd elements of x. A factor that is not set is that of an
/// addend which the sum does not have.
struct PairSum {
  Value x;
  std::optional<Factor> factors[2];

  /// Matches `addend`, and sets its factor times `sign`. Returns false, and sets nothing, if the factor is set already,
  /// if the other addend has another x, if the factor is no weight, or if the addend has another type than the sum,
  /// which is `type`.
  bool matchAddend(Value addend, RankedTensorType type, float sign) {
    std::optional<ScaledElements> match = ScaledElements::of(addend);
    if (!match || addend.getType() != type)
      return false;
    auto &[elements, factor] = *match;
    bool isFactorOfWeights = !factor.table || (isWeight(factor.table) && tensorType(factor.table).getRank() > 0);
    if ((x && x != elements.x) || factors[elements.parity] || !isFactorOfWeights)
      return false;
    x = elements.x;
    factors[elements.parity] = Factor{factor.table, factor.sign * sign};
    return true;
  }
};
} // namespace

// Matches `value` as one addend of PairSum, or as the sum or difference of two. With other users, the sum would have to
// be computed in addition to the new ops, and so would the product of an addend (ScaledElements::of).
static std::optional<PairSum> pairSumOf(Value value) {
  auto type = tensorType(value);
  PairSum sum;
  if (sum.matchAddend(value, type, 1))
    return sum;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<AddOp, SubtractOp>(op) || !value.hasOneUse())
    return std::nullopt;
  float second = isa<SubtractOp>(op) ? -1 : 1;
  bool isMatch = sum.matchAddend(op->getOperand(0), type, 1) && sum.matchAddend(op->getOperand(1), type, second);
  return isMatch ? std::optional(sum) : std::nullopt;
}

// The shape of a factor's table, which has at least one axis (matchAddend), without its trailing axis of size 1 if the
// sums have one (`hasTrailingOne`). None if that is not [..., pairs].
static std::optional<SmallVector<int64_t>> tableShape(const Factor &factor, bool hasTrailingOne, int64_t pairs) {
  SmallVector<int64_t> shape(shapeOf(factor.table));
  if (hasTrailingOne && shape.pop_back_val() != 1)
    return std::nullopt;
  return !shape.empty() && shape.back() == pairs ? std::optional(shape) : std::nullopt;
}

namespace {
/// interleave(sums[0], sums[1]), for the sums even * a + odd * b and even * c + odd * d of the head of this file: a
/// concatenation along a trailing axis of size 2, and a reshape.
struct Interleaved {
  PairSum sums[2];
  bool hasTrailingOne; ///< whether the sums are computed with a trailing axis of size 1; otherwise it is added to them
  int64_t pairs;       ///< the number of pairs along the trailing axis of x

  /// Matches `op`, the reshape.
  static std::optional<Interleaved> of(ReshapeOp op) {
    auto concatenate = op.getOperandA().getDefiningOp<ConcatenateOp>();
    if (!concatenate || !concatenate->hasOneUse() || concatenate->getNumOperands() != 2)
      return std::nullopt;
    int64_t last = lastAxis(concatenate);
    if (fromFront(concatenate.getAxis(), last + 1) != last || shapeOf(concatenate).back() != 2)
      return std::nullopt;
    Interleaved found{{}, false, 0};
    bool hasOne[2];
    for (auto [i, operand] : llvm::enumerate(concatenate.getOperands())) {
      Value value = withoutTrailingOne(operand);
      std::optional<PairSum> sum = operand.hasOneUse() ? pairSumOf(value) : std::nullopt;
      hasOne[i] = lastAxis(value) == last;
      if (!sum || !(hasOne[i] || lastAxis(value) == last - 1))
        return std::nullopt;
      found.sums[i] = *sum;
    }
    // Both are sums of the pairs of one x, and both are computed with or both without the trailing axis.
    Value x = found.sums[0].x;
    if (found.sums[1].x != x || hasOne[0] != hasOne[1])
      return std::nullopt;
    ArrayRef<int64_t> shape = shapeOf(x);
    found.hasTrailingOne = hasOne[0];
    found.pairs = shape.back() / 2;
    SmallVector<int64_t> expected(shape.drop_back());
    expected.append({found.pairs, 2});
    bool isMatch = shapeOf(concatenate) == ArrayRef(expected) && found.canInterleave(/*swapped=*/0) &&
                   found.canInterleave(/*swapped=*/1);
    return isMatch ? std::optional(found) : std::nullopt;
  }

  /// The factors of the even and the odd elements of x, a and d, or with `swapped` = 1 those of swap(x), b and c.
  std::pair<std::optional<Factor>, std::optional<Factor>> factors(unsigned swapped) const {
    return {sums[0].factors[swapped], sums[1].factors[1 - swapped]};
  }
  /// `value`, which is x or, with `swapped` = 1, swap(x), times the weight interleave(a, d) or interleave(b, c). Null
  /// if these factors are not set, because the sums have no such addends.
  Value times(PatternRewriter &b, Location loc, Value value, unsigned swapped) const {
    auto [even, odd] = factors(swapped); // Both or neither are set, and both or neither are tables (canInterleave).
    if (!even)
      return {};
    if (even->table)
      return MultiplyOp::create(b, loc, value, interleavedTables(b, loc, *even, *odd));
    if (even->sign > 0 && odd->sign > 0)
      return value;
    HostTensor signs{RankedTensorType::get({2 * pairs}, tensorType(value).getElementType()), {}, {}};
    for (int64_t i = 0; i < 2 * pairs; ++i)
      signs.floats.push_back(i % 2 == 0 ? even->sign : odd->sign);
    return MultiplyOp::create(b, loc, value, ConstantOp::create(b, loc, signs.toAttr()));
  }

private:
  /// Whether a and d, or b and c, can be interleaved: both are tables of one type, both are signs, or none is set.
  bool canInterleave(unsigned swapped) const {
    auto [even, odd] = factors(swapped);
    if (!even || !odd)
      return !even && !odd;
    if (!even->table || !odd->table)
      return !even->table && !odd->table;
    return even->table.getType() == odd->table.getType() && tableShape(*even, hasTrailingOne, pairs);
  }
  /// Two tables [..., pairs], times their signs, as a table [..., 2 * pairs].
  Value interleavedTables(PatternRewriter &b, Location loc, const Factor &even, const Factor &odd) const {
    SmallVector<int64_t> shape = *tableShape(even, hasTrailingOne, pairs), columnShape(shape);
    columnShape.push_back(1); // [..., pairs, 1]
    shape.back() *= 2;        // [..., 2 * pairs]
    auto column = [&](const Factor &factor) {
      Value table = factor.table;
      if (factor.sign < 0)
        table = MultiplyOp::create(b, loc, table, scalarOf(b, loc, tensorType(table).getElementType(), -1));
      return reshaped(b, loc, table, columnShape);
    };
    Value columns[] = {column(even), column(odd)};
    return reshaped(b, loc, ConcatenateOp::create(b, loc, ValueRange(columns), int64_t(-1)), shape);
  }
};
} // namespace

LogicalResult forge::rotatePairs(ReshapeOp op, PatternRewriter &rewriter) {
  std::optional<Interleaved> found = Interleaved::of(op);
  if (!found || !isa<FloatType>(op.getType().getElementType()))
    return failure();
  Value x = found->sums[0].x;
  if (!found->factors(/*swapped=*/1).first) // Without factors of swap(x) this is a multiplication and no rotation.
    return failure();
  // swap(x) is an index along the trailing axis: 1, 0, 3, 2, ...
  Location loc = withoutTrace(op.getLoc());
  SmallVector<int64_t> exchanged;
  for (int64_t i = 0; i < 2 * found->pairs; ++i)
    exchanged.push_back(i ^ 1);
  auto type = RankedTensorType::get({2 * found->pairs}, rewriter.getI64Type());
  Value order = ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, ArrayRef(exchanged)));
  Value swapped = AdvIndexOp::create(rewriter, loc, x.getType(), x, order, int64_t(-1));
  Value result = found->times(rewriter, loc, swapped, /*swapped=*/1);
  if (Value unswapped = found->times(rewriter, loc, x, /*swapped=*/0))
    result = AddOp::create(rewriter, loc, unswapped, result);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), result, shapeOf(op));
  return success();
}
