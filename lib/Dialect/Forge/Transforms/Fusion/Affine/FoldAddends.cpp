//===- FoldAddends.cpp - folds addends into biases, merges weights --------===//
//
// (x + t) W is x W + t W, where the addend t has an element for each row of the weights W. Norms end with such an
// addition. It is removed if only products with weights (projections) use the sum: t W becomes a part of their biases.
//
//     matmul(add(%x, %t), %W, %b)  ->  matmul(%x, %W, add(%b, matmul(%t, %W)))      foldAddendIntoUsers
//
// An addend after a convolution becomes a part of its bias (foldAddendIntoConvolutionBias). Of two consecutive addends
// or factors, one remains: (x + a) + b  ->  x + (a + b)  (mergeConsecutiveWeights). No rewrite merges two addends of a
// sum that a quantiser reads (isReadByQuantiser), because it could round the new sum another way.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"

using namespace mlir;
using namespace forge;

// Whether the bias of `product` may become its sum with an addend. `sum` is the value that the product and the addend
// compute together: if a quantiser reads it, the addend is not merged with a bias.
static bool mayAddToBias(const WeightProduct &product, Value sum) {
  return product.mayReplaceBias() && !(product.bias && isReadByQuantiser(sum));
}

// The op that adds the bias of `product`, or that would add it.
static Operation *biasAdder(WeightProduct product) { return product.sum ? product.sum.getOperation() : product.op(); }

// The operand p of the user of `use` if that is an addition x + p, where x is the used value and p a projection y V or
// y V + c without other users. An addend t of x along its last axis can then move to the bias of p:
//
//     (x + t) + (y V + c)  =  x + (y V + (c + t))
//
// Null for other users, such as x + x, which has the addend twice. p has to be a matrix product: t has an element for
// each of its columns, while the channels of convolutions are axis 1 here (--forge-channels-last runs later).
static OpOperand *projectionAddedTo(OpOperand &use) {
  auto sum = dyn_cast<AddOp>(use.getOwner());
  if (!sum || sum.getOperandA() == sum.getOperandB() || sum.getType() != use.get().getType())
    return nullptr;
  OpOperand &other = sum->getOpOperand(1 - use.getOperandNumber());
  std::optional<WeightProduct> product = WeightProduct::withSum(other.get());
  bool isMatch = product && isa<MatmulOp>(product->op()) && product->op()->hasOneUse() && other.get().hasOneUse() &&
                 other.get().getType() == sum.getType() && mayAddToBias(*product, sum);
  return isMatch ? &other : nullptr;
}

// Adds `addend`, of shape [columns], to the bias of a projection, which gets a bias if it has none.
static void addToBias(PatternRewriter &b, WeightProduct product, Value addend) {
  Operation *adder = biasAdder(product);
  b.setInsertionPoint(adder);
  Location loc = withoutTrace(adder->getLoc());
  if (product.bias)
    addend = AddOp::create(b, loc, reshaped(b, loc, product.bias->get(), shapeOf(addend)), addend);
  b.modifyOpInPlace(adder, [&] {
    if (product.bias)
      product.bias->set(addend);
    else
      adder->insertOperands(2, addend); // after x and W
  });
}

// `product`, a matrix product, with the bias that the only user of its result adds. None if there is no such bias, if
// the bias has to remain as it is, or if that user adds `product` to another product, as the bias of that one.
static std::optional<WeightProduct> withBiasOfUser(const WeightProduct &product) {
  Operation *op = product.op();
  auto sum = op->hasOneUse() ? dyn_cast<AddOp>(*op->user_begin()) : AddOp();
  std::optional<WeightProduct> found = sum && isa<MatmulOp>(op) ? WeightProduct::withSum(sum) : std::nullopt;
  return found && found->op() == op && found->sum && found->mayReplaceBias() ? found : std::nullopt;
}

// Whether an addend t of the left operand x of `product` may move to its bias: (x + t) W = x W + t W. A convolution
// must not be padded, because t is not added to its padding.
static bool takesAddendOfOperand(const WeightProduct &product) {
  WeightProduct biased = withBiasOfUser(product).value_or(product);
  return product.isUnpadded() && staysFiniteIfScaled(product.weights->get()) &&
         mayAddToBias(biased, biasAdder(biased)->getResult(0));
}

// addend * W, of shape [columns], for `addend` with one element per row of W: what the addend contributes to each
// column of the product. In a convolution every position of the window reads the addend, so that the filters are summed
// over the window first. A product that is no MatmulOp is a Conv2d with filters [columns, rows, height, width]:
// AddendUsers refuses other ops by isUnpadded(), and AffineRegion::addRows() refuses groups, whose filters have fewer
// rows than x has channels.
static Value timesWeights(PatternRewriter &b, const WeightProduct &product, Value addend) {
  Location loc = withoutTrace(product.op()->getLoc());
  Value weights = product.weights->get();
  int64_t rows = shapeOf(weights)[product.rows], columns = shapeOf(weights)[product.columns];
  b.setInsertionPoint(product.op());
  makeAvailable(addend, product.op());
  Value result;
  if (isa<MatmulOp>(product.op())) {
    result = MatmulOp::create(b, loc, reshaped(b, loc, addend, {1, rows}), weights, Value());
  } else {
    RankedTensorType type = tensorType(weights);
    if (int64_t window = type.getNumElements() / (columns * rows); window > 1) {
      Value ones = ConstantOp::create(b, loc, splatAttr(type.clone({window, 1}), 1));
      weights = MatmulOp::create(b, loc, reshaped(b, loc, weights, {columns * rows, window}), ones, Value());
    }
    result = MatmulOp::create(b, loc, reshaped(b, loc, weights, {columns, rows}), reshaped(b, loc, addend, {rows, 1}),
                              Value());
  }
  return reshaped(b, loc, result, {columns});
}

// Adds `addend`, with one element per column, to the projection y V + c that `use` reads. If c is added by an op of its
// own, a second addition is created, which mergeConsecutiveWeights() merges with it.
static void addToProjection(PatternRewriter &b, OpOperand &use, Value addend) {
  Value projection = use.get();
  std::optional<WeightProduct> product = WeightProduct::of(projection);
  Operation *user = product ? product->op() : use.getOwner();
  makeAvailable(addend, user);
  b.setInsertionPoint(user);
  Location loc = withoutTrace(user->getLoc());
  Value row = reshaped(b, loc, addend, {tensorType(addend).getNumElements()});
  if (product) {
    dropTrace(b, product->op());
    addToBias(b, *product, row);
    return;
  }
  Value sum = AddOp::create(b, loc, projection.getType(), projection, row);
  b.modifyOpInPlace(user, [&] { use.set(sum); });
}

namespace {
/// The users of a sum x + t, where t has one element per index of an axis. They can use x instead, if the addend moves
/// to biases:
///
///     (x + t) W + b  =  x W + (b + t W)         for projections that contract the axis of t
///     (x + t) + (y V + c)  =  x + (y V + (c + t))     for additions of another projection, if t is along the last axis
struct AddendUsers {
  AffineRegion region{/*perIndex=*/true};
  SmallVector<WeightProduct> products;       ///< of the first form
  SmallVector<OpOperand *> addedProjections; ///< of the second form: the operands y V + c of the additions

  /// Follows all users of `value`, the sum, through movement; t has one element per index of `axis`. Returns whether
  /// all users have one of these forms, and at least one is a projection.
  bool collect(Value value, int64_t axis) {
    bool isLast = axis == tensorType(value).getRank() - 1;
    bool areAllFolded =
        region.collectReaders(value, AxisIndices::of(value, axis), /*movesOnly=*/true, [&](OpOperand &use) {
          // After a transpose, slice or reshape, t may not be along the last axis of the projection.
          OpOperand *projection = isLast && use.get() == value ? projectionAddedTo(use) : nullptr;
          if (projection)
            addedProjections.push_back(projection);
          return projection != nullptr;
        });
    for (auto &[weights, changed] : region.changedWeights())
      products.push_back(*WeightProduct::of(weights->getOwner()));
    return areAllFolded && !products.empty() && llvm::all_of(products, takesAddendOfOperand);
  }

  /// Adds `addend` to the biases of the users.
  void addToBiases(PatternRewriter &b, Value addend) const {
    OpBuilder::InsertionGuard guard(b);
    dropTraces(b, region);
    for (const WeightProduct &product : products) {
      Value shift = timesWeights(b, product, addend);
      std::optional<WeightProduct> biased = withBiasOfUser(product);
      if (biased) // The sum remains an ONNX value, but x W was (x + t) W.
        dropTrace(b, product.op());
      addToBias(b, biased ? *biased : product, shift);
    }
    for (OpOperand *use : addedProjections)
      addToProjection(b, *use, addend);
  }
};
} // namespace

// Whether `addend` may become a part of a bias: it is a weight that does not round on purpose. (A sum of biases would
// be rounded to the type of an addend of another type.)
static bool mayMoveToBias(Value addend) { return isFloat32(addend) && isWeight(addend) && !mayRoundOnPurpose(addend); }

// Replaces x + addend by x if the addend can be folded into the biases of all users of the sum (AddendUsers).
static LogicalResult foldAddendIntoUsers(AddOp op, PatternRewriter &rewriter) {
  if (!isFloat32(op))
    return failure();
  for (auto [x, addend] : inEitherOrder(op)) {
    std::optional<int64_t> axis = AxisIndices::axisOf(addend, op);
    // If x is a projection, the addend is folded into its bias instead.
    if (!axis || x.getType() != op.getType() || isWeight(x) || !mayMoveToBias(addend) || WeightProduct::ofReadOnce(x))
      continue;
    AddendUsers users;
    if (!users.collect(op, *axis))
      continue;
    users.addToBiases(rewriter, addend);
    rewriter.replaceOp(op, x);
    return success();
  }
  return failure();
}

// Folds the bias of a norm along its last axis, `axis`, into the biases of all users. Returns false, and changes
// nothing, if a user cannot take it. Otherwise the caller sets the bias to -0, which adds nothing.
static bool foldBias(LayernormOp op, int64_t axis, PatternRewriter &rewriter) {
  AddendUsers users;
  if (!mayMoveToBias(op.getBias()) || !users.collect(op, axis))
    return false;
  users.addToBiases(rewriter, op.getBias());
  return true;
}

// Folds the scale of a norm whose bias is 0 into the weights of all users. Returns false, and changes nothing, if a
// user cannot take it, or if the scale may be negative, which may change the sign of a zero (isPositive), and an output
// depends on such signs (ZeroSigns). Otherwise the caller sets the scale to 1.
static bool foldScale(LayernormOp op, int64_t axis, PatternRewriter &rewriter, const ZeroSigns &signs) {
  Value scale = op.getWeights();
  return !matchPattern(scale, m_OneFloat()) && isWeight(scale) && keepsWeightsFinite(scale) &&
         (isPositive(scale) || !signs.matter(op)) && foldFactorIntoUsers(rewriter, op, axis, scale);
}

// Folds the bias of a layer norm into all its users, and sets the bias to -0. If the bias is 0 already, of either sign,
// folds the scale instead, and sets the scale to 1. (In the other order the bias would have to be divided by the
// scale.)
// --forge-kernel-forms then removes both.
static LogicalResult foldLayerNormIntoUsers(LayernormOp op, PatternRewriter &rewriter, const ZeroSigns &signs) {
  int64_t last = op.getType().getRank() - 1;
  // The only index of an axis of size 1 would be taken for all elements (AxisIndices::isAll), and followed into
  // products that contract axes of other sizes.
  if (!isFloat32(op) || op.getType().getDimSize(last) == 1)
    return failure();
  bool isBiased = !matchPattern(op.getBias(), m_AnyZeroFloat());
  if (!(isBiased ? foldBias(op, last, rewriter) : foldScale(op, last, rewriter, signs)))
    return failure();
  OpOperand &folded = isBiased ? op.getBiasMutable() : op.getWeightsMutable();
  rewriter.setInsertionPoint(op);
  Location loc = withoutTrace(op.getLoc());
  Value neutral = ConstantOp::create(rewriter, loc, splatAttr(tensorType(folded.get()), isBiased ? -0.0 : 1));
  rewriter.modifyOpInPlace(op, [&] {
    op->setLoc(loc);
    folded.set(neutral);
  });
  return success();
}

// conv2d(x, W, b) + addend  ->  conv2d(x, W, b + addend), for an addend with one element per channel. The convolution
// may have no other user. (--forge-kernel-forms does this for matrix products.)
static LogicalResult foldAddendIntoConvolutionBias(AddOp op, PatternRewriter &rewriter) {
  for (auto [value, addend] : inEitherOrder(op)) {
    std::optional<WeightProduct> product = WeightProduct::ofReadOnce(value);
    if (!product || !isa<Conv2dOp, Conv2dTransposeOp>(product->op()) || value.getType() != op.getType() ||
        !isFloat32(op) || !mayMoveToBias(addend) || !mayAddToBias(*product, op) ||
        !isPerChannel(addend, op.getType(), product->axis))
      continue;
    makeAvailable(addend, product->op());
    rewriter.setInsertionPoint(product->op());
    addToBias(rewriter, *product,
              reshaped(rewriter, withoutTrace(op.getLoc()), addend, {tensorType(addend).getNumElements()}));
    replaceOnnxValue(rewriter, op, value);
    return success();
  }
  return failure();
}

// The operands x and w of a Float32 addition or multiplication of x, which is no weight, and a weight w of several
// elements that may be stored in another form, in either order. Nulls for other ops. (A merged weight of another type
// would be rounded to it.)
static std::pair<Value, Value> operandAndWeight(Operation *op) {
  Value result = op->getResult(0);
  for (auto [x, weight] : inEitherOrder(op))
    if (x.getType() == result.getType() && isFloat32(x) && isFloat32(weight) && !hasOneElement(weight) &&
        mayBeStoredOtherwise(weight) && !isWeight(x))
      return {x, weight};
  return {};
}

// (x * a) * b  ->  x * (a * b), and (x + a) + b  ->  x + (a + b), for weights a and b. The first op may have no other
// user. These weights remain:
// - scalars, because they may be the scales of quantisers (operandAndWeight)
// - weights of different shapes: of [C] and [H, 1], the merged weight would be larger than both
// - addends that round on purpose, such as 2^23, and factors whose product could be infinite or 0
// - weights before a quantiser, unless `reassociates`
template <typename OpTy>
static LogicalResult mergeConsecutiveWeights(OpTy op, PatternRewriter &rewriter, bool reassociates) {
  auto mayMerge = [](Value weight) {
    return std::is_same_v<OpTy, AddOp> ? !mayRoundOnPurpose(weight) : keepsWeightsFinite(weight);
  };
  auto [value, second] = operandAndWeight(op);
  auto inner = value && value.hasOneUse() ? value.template getDefiningOp<OpTy>() : OpTy();
  if (!inner || (!reassociates && isReadByQuantiser(op)))
    return failure();
  auto [x, first] = operandAndWeight(inner);
  if (!x || !haveSameShapeAfterLeadingOnes(first, second) || !mayMerge(first) || !mayMerge(second))
    return failure();
  Value both = OpTy::create(rewriter, withoutTrace(op.getLoc()), first, second);
  rewriter.replaceOpWithNewOp<OpTy>(op, op.getType(), x, both);
  return success();
}

void forge::populateAddendFolding(RewritePatternSet &patterns, const ZeroSigns &signs) {
  addRewrite<AddOp>(patterns, "biases-folded", foldAddendIntoConvolutionBias);
  addRewrite<AddOp>(patterns, "addends-merged", mergeConsecutiveWeights<AddOp>, /*reassociates=*/false);
  // The first label is permitted by default, the second one with --fast-math=reassociate (PassTable.inc).
  for (auto [label, reassociates] : {std::pair("scales-folded", false), std::pair("quantised-scales-folded", true)})
    addRewrite<MultiplyOp>(patterns, label, mergeConsecutiveWeights<MultiplyOp>, reassociates);
  addRewrite<AddOp>(patterns, "addends-of-operands-folded", foldAddendIntoUsers);
  addRewrite<LayernormOp>(patterns, "norms-folded", foldLayerNormIntoUsers, std::cref(signs));
}
