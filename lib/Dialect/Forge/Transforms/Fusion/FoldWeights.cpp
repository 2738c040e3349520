//===- FoldWeights.cpp - scales and biases into weights -------------------===//

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEFOLDWEIGHTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

static bool isFloat32(Value value) { return tensorType(value).getElementType().isF32(); }

static bool isOne(Value value) { return tensorType(value).getNumElements() == 1; }

// Whether `value` has an element for each of `channels` in axis `axis` of a result of rank `rank`, and all others
// are 1.
static bool isPerChannel(Value value, int64_t axis, int64_t rank, int64_t channels) {
  int64_t own = tensorType(value).getRank(), at = axis - (rank - own);
  return own <= rank && at >= 0 && tensorType(value).getNumElements() == channels && shapeOf(value)[at] == channels;
}

// Whether two values broadcast alike: their shapes differ in leading axes of size 1 at most.
static bool isLike(Value a, Value b) {
  auto core = [](Value value) { return shapeOf(value).drop_while([](int64_t size) { return size == 1; }); };
  return core(a) == core(b);
}

static Value reshaped(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> shape) {
  return shapeOf(value) == shape ? value
                                 : ReshapeOp::create(b, loc, tensorType(value).clone(shape), value, shape).getResult();
}

// weight * scale, which has the weight's type.
static Value product(OpBuilder &b, Location loc, Value weight, Value scale) {
  return MultiplyOp::create(b, loc, weight.getType(), weight, scale);
}

// A factor that takes no product of ordinary numbers to infinity or to zero, wherever it stands.
static bool isModest(const APFloat &factor) {
  constexpr double kLimit = 1 << 20;
  double magnitude = std::abs(factor.convertToDouble());
  return magnitude >= 1 / kLimit && magnitude <= kLimit;
}

//===----------------------------------------------------------------------===//
// Slices of products
//===----------------------------------------------------------------------===//

namespace {
/// x * weights + term, of which nothing but slices of columns is read; the term may be null.
struct SlicedProduct {
  MatmulOp matmul;
  Value term;
};
} // namespace

static bool isSliceOfColumns(Operation *op) {
  auto slice = dyn_cast<IndexOp>(op);
  int64_t rank = slice ? slice.getType().getRank() : 0;
  return slice && fromFront(slice.getDim(), rank) == rank - 1 && slice.getStride() == 1;
}

static std::optional<SlicedProduct> slicedProduct(Value whole) {
  SlicedProduct product{whole.getDefiningOp<MatmulOp>(), {}};
  if (auto add = whole.getDefiningOp<AddOp>()) {
    product.matmul = add.getOperandA().getDefiningOp<MatmulOp>();
    product.term = add.getOperandB();
    if (!product.matmul || !product.matmul->hasOneUse() || product.matmul.getType() != add.getType() ||
        !isWeight(product.term) || shapeOf(product.term) != add.getType().getShape().take_back())
      return std::nullopt;
  }
  if (!product.matmul || product.matmul.getBias() || !mayBeStoredOtherwise(product.matmul.getOperandB()) ||
      tensorType(product.matmul.getOperandB()).getRank() != 2 || !llvm::all_of(whole.getUsers(), isSliceOfColumns))
    return std::nullopt;
  return product;
}

// The slice as a product of its own columns.
static Value productOfSlice(OpBuilder &b, SlicedProduct product, IndexOp slice) {
  Location part = withoutTrace(slice.getLoc());
  auto columns = [&](Value weight) {
    return IndexOp::create(b, part, weight, int64_t(-1), slice.getStart(), slice.getStop(), int64_t(1));
  };
  Value result =
      MatmulOp::create(b, part, product.matmul.getOperandA(), columns(product.matmul.getOperandB()), Value());
  if (product.term)
    result = AddOp::create(b, part, slice.getType(), result, columns(product.term));
  result.getDefiningOp()->setLoc(slice.getLoc());
  return result;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

namespace {
/// Finds the weights that a factor of `value` can go into, and makes them. Nothing else reads what is between.
class Scaling {
public:
  Scaling(PatternRewriter &rewriter, Value scale) : b(rewriter), scale(scale) {}

  /// Whether `value` * scale can be computed with other weights.
  bool canScale(Value value, int depth = 8) const;
  /// That value; its last op is at `loc`.
  Value apply(Value value, Location loc);

private:
  Value factorOf(MultiplyOp op) const;
  bool scalesColumns(MatmulOp op) const;
  template <typename OpTy>
  bool scalesChannels(OpTy op, int64_t channels) const;
  Value rebuilt(Operation *op, Location loc, ArrayRef<Value> operands);
  template <typename OpTy>
  Value scaledConvolution(OpTy op, Location loc, int64_t axis);

  PatternRewriter &b;
  Value scale;
};
} // namespace

// The weight of x * weight that can have the scale too; null where there is none. Scales of one element stay:
// quantisers have them, whose results are exact because nothing else is rounded.
Value Scaling::factorOf(MultiplyOp op) const {
  for (auto [x, factor] :
       {std::pair(op.getOperandA(), op.getOperandB()), std::pair(op.getOperandB(), op.getOperandA())})
    if (x.getType() == op.getType() && !isWeight(x) && mayBeStoredOtherwise(factor) && !isOne(scale) &&
        isLike(factor, scale))
      return factor;
  return {};
}

bool Scaling::scalesColumns(MatmulOp op) const {
  int64_t columns = shapeOf(op.getOperandB()).back(), rank = op.getType().getRank();
  return mayBeStoredOtherwise(op.getOperandB()) && tensorType(op.getOperandB()).getRank() == 2 &&
         (isOne(scale) || isPerChannel(scale, rank - 1, rank, columns));
}

template <typename OpTy>
bool Scaling::scalesChannels(OpTy op, int64_t channels) const {
  return op && mayBeStoredOtherwise(op.getWeights()) && (!op.getBias() || isWeight(op.getBias())) &&
         (isOne(scale) || isPerChannel(scale, op.getChannelLast() ? 3 : 1, 4, channels));
}

bool Scaling::canScale(Value value, int depth) const {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || !isFloat32(value) || !value.hasOneUse())
    return false;
  if (auto slice = dyn_cast<IndexOp>(op))
    return isOne(scale) && slicedProduct(slice.getOperandA());
  if (isa<ReshapeOp, TransposeOp>(op))
    return isOne(scale) && canScale(op->getOperand(0), depth - 1);
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return scalesChannels(conv, shapeOf(conv.getWeights())[0]);
  if (auto conv = dyn_cast<Conv2dTransposeOp>(op))
    return conv.getGroups() == 1 && scalesChannels(conv, shapeOf(conv.getWeights())[1]);
  if (auto add = dyn_cast<AddOp>(op)) {
    Value a = add.getOperandA(), c = add.getOperandB();
    // A term that would grow is no weight any more.
    auto isTerm = [&](Value term) {
      return mayBeStoredOtherwise(term) && (isOne(scale) || tensorType(term).getRank() > 0);
    };
    return (isTerm(c) && a.getType() == add.getType() && canScale(a, depth - 1)) ||
           (isTerm(a) && c.getType() == add.getType() && canScale(c, depth - 1));
  }
  if (auto multiply = dyn_cast<MultiplyOp>(op))
    return static_cast<bool>(factorOf(multiply));
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul || matmul.getBias())
    return false;
  if (scalesColumns(matmul))
    return true;
  return isOne(scale) && (canScale(matmul.getOperandA(), depth - 1) || canScale(matmul.getOperandB(), depth - 1));
}

Value Scaling::rebuilt(Operation *op, Location loc, ArrayRef<Value> operands) {
  Operation *copy = b.clone(*op);
  copy->setOperands(operands);
  copy->setLoc(loc);
  return copy->getResult(0);
}

template <typename OpTy>
Value Scaling::scaledConvolution(OpTy op, Location loc, int64_t axis) {
  Location part = withoutTrace(loc);
  int64_t count = tensorType(scale).getNumElements();
  SmallVector<int64_t> shape(4, 1);
  shape[axis] = count;
  SmallVector<Value> operands{op.getActivations(), product(b, part, op.getWeights(), reshaped(b, part, scale, shape))};
  if (Value bias = op.getBias())
    operands.push_back(product(b, part, bias, reshaped(b, part, scale, {count})));
  return rebuilt(op, loc, operands);
}

Value Scaling::apply(Value value, Location loc) {
  Operation *op = value.getDefiningOp();
  Location part = withoutTrace(loc);
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return scaledConvolution(conv, loc, 0);
  if (auto conv = dyn_cast<Conv2dTransposeOp>(op))
    return scaledConvolution(conv, loc, 1);
  Location own = withoutTrace(op->getLoc());
  if (auto slice = dyn_cast<IndexOp>(op)) {
    // A factor of some columns: all slices become products, which read no others.
    SlicedProduct product = *slicedProduct(slice.getOperandA());
    for (Operation *other : llvm::to_vector(slice.getOperandA().getUsers()))
      if (other != op) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(other);
        b.replaceOp(other, productOfSlice(b, product, cast<IndexOp>(other)));
      }
    return apply(productOfSlice(b, product, slice), loc);
  }
  if (isa<ReshapeOp, TransposeOp>(op))
    return rebuilt(op, loc, apply(op->getOperand(0), own));
  if (auto add = dyn_cast<AddOp>(op)) {
    bool isFirst = mayBeStoredOtherwise(add.getOperandB()) && add.getOperandA().getType() == add.getType() &&
                   canScale(add.getOperandA());
    Value term = isFirst ? add.getOperandB() : add.getOperandA();
    Value rest = isFirst ? add.getOperandA() : add.getOperandB();
    Value scaled = MultiplyOp::create(b, part, term, scale);
    return AddOp::create(b, loc, add.getType(), apply(rest, own), scaled);
  }
  if (auto multiply = dyn_cast<MultiplyOp>(op)) {
    Value factor = factorOf(multiply);
    Value x = factor == multiply.getOperandA() ? multiply.getOperandB() : multiply.getOperandA();
    return rebuilt(op, loc, {x, MultiplyOp::create(b, part, factor, scale)});
  }
  auto matmul = cast<MatmulOp>(op);
  Value left = matmul.getOperandA(), right = matmul.getOperandB();
  if (scalesColumns(matmul))
    right = product(b, part, right, reshaped(b, part, scale, {tensorType(scale).getNumElements()}));
  else if (canScale(left))
    left = apply(left, own);
  else
    right = apply(right, own);
  return rebuilt(op, loc, {left, right});
}

namespace {
/// value * scale, or value / scale, with the scale in weights that `value` is made of.
template <typename OpTy>
struct ScaleIntoWeights : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    constexpr bool kDivides = std::is_same_v<OpTy, DivideOp>;
    Value value = op.getOperandA(), scale = op.getOperandB();
    if (!kDivides && isWeight(value))
      std::swap(value, scale);
    if (!isFloat32(op) || !mayBeStoredOtherwise(scale) || isWeight(value) || value.getType() != op.getType())
      return failure();
    // Times 0 or infinity, an element that is infinite would become another one in weights.
    if (auto scalar = scale.template getDefiningOp<ScalarConstantOp>(); scalar && !isModest(scalar.getConstant()))
      return failure();
    Scaling scaling(rewriter, scale);
    if (!scaling.canScale(value))
      return failure();
    if (kDivides) {
      auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
      Location loc = withoutTrace(op.getLoc());
      Value one = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(1.0f), scalar.getElementType());
      Value inverse = DivideOp::create(rewriter, loc, scale.getType(), one, scale);
      rewriter.replaceOp(op, Scaling(rewriter, inverse).apply(value, op.getLoc()));
    } else {
      rewriter.replaceOp(op, scaling.apply(value, op.getLoc()));
    }
    return success();
  }
};

/// A term per channel as the bias of the convolution before it.
template <typename OpTy>
struct TermIntoBias : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    Value value = op.getOperandA(), term = op.getOperandB();
    auto conv = value.getDefiningOp<OpTy>();
    if (!conv) {
      std::swap(value, term);
      conv = value.getDefiningOp<OpTy>();
    }
    if (!conv || !value.hasOneUse() || !isFloat32(op) || !isWeight(term) || value.getType() != op.getType())
      return failure();
    int64_t axis = conv.getChannelLast() ? 3 : 1, channels = op.getType().getDimSize(axis);
    if (!isPerChannel(term, axis, 4, channels))
      return failure();
    Location loc = withoutTrace(op.getLoc());
    Value bias = reshaped(rewriter, loc, term, {channels});
    if (conv.getBias())
      bias = AddOp::create(rewriter, loc, bias.getType(), reshaped(rewriter, loc, conv.getBias(), {channels}), bias);
    auto copy = cast<OpTy>(rewriter.clone(*conv));
    copy->setLoc(op.getLoc());
    copy.getBiasMutable().assign(bias);
    rewriter.replaceOp(op, copy);
    return success();
  }
};

/// Two terms as one. Terms of one element stay: with some of them floats are rounded to integers.
struct TermIntoTerm : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    auto [value, second] = withTerm(op);
    auto inner = value ? value.getDefiningOp<AddOp>() : AddOp();
    if (!inner || !value.hasOneUse())
      return failure();
    auto [x, first] = withTerm(inner);
    if (!x || !isLike(first, second))
      return failure();
    Value term = AddOp::create(rewriter, withoutTrace(op.getLoc()), first, second);
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), x, term);
    return success();
  }

private:
  // x and the term of x + term; nulls where it has none.
  static std::pair<Value, Value> withTerm(AddOp op) {
    if (isFloat32(op))
      for (auto [x, term] :
           {std::pair(op.getOperandA(), op.getOperandB()), std::pair(op.getOperandB(), op.getOperandA())})
        if (x.getType() == op.getType() && !isWeight(x) && mayBeStoredOtherwise(term) && !isOne(term))
          return {x, term};
    return {};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Scales of what a product reads
//===----------------------------------------------------------------------===//

// The scalar that `value`, which is no weight and which nothing else reads, is multiplied by.
static std::pair<Value, ScalarConstantOp> scaled(Value value) {
  auto multiply = value.getDefiningOp<MultiplyOp>();
  if (!multiply || !value.hasOneUse())
    return {};
  for (auto [x, scale] : {std::pair(multiply.getOperandA(), multiply.getOperandB()),
                          std::pair(multiply.getOperandB(), multiply.getOperandA())})
    if (auto scalar = scale.getDefiningOp<ScalarConstantOp>();
        scalar && isModest(scalar.getConstant()) && x.getType() == value.getType() && !isWeight(x))
      return {x, scalar};
  return {};
}

namespace {
/// (s * a) b is s * (a b), and the same for b.
struct ScaleAfterProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto [left, leftScale] = scaled(op.getOperandA());
    auto [right, rightScale] = scaled(op.getOperandB());
    if ((!left && !right) || op.getBias() || !isFloat32(op))
      return failure();
    float factor = 1;
    for (ScalarConstantOp scale : {leftScale, rightScale})
      if (scale)
        factor *= scale.getConstant().convertToFloat();
    Location loc = withoutTrace(op.getLoc());
    Value product = MatmulOp::create(rewriter, loc, op.getType(), left ? left : op.getOperandA(),
                                     right ? right : op.getOperandB(), Value());
    auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
    Value scale = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(factor), scalar.getElementType());
    rewriter.replaceOp(op, MultiplyOp::create(rewriter, op.getLoc(), op.getType(), product, scale));
    return success();
  }
};

struct ForgeFoldWeightsPass : forge::impl::ForgeFoldWeightsPassBase<ForgeFoldWeightsPass>, ReportingPass {
  void runOnOperation() override {
    if (isHostFunction(getOperation()))
      return;
    MLIRContext *context = &getContext();
    RewritePatternSet folds(context), moves(context);
    folds.addWithLabel<ScaleIntoWeights<MultiplyOp>, ScaleIntoWeights<DivideOp>>({"scales-folded"}, context);
    folds.addWithLabel<TermIntoBias<Conv2dOp>, TermIntoBias<Conv2dTransposeOp>>({"biases-folded"}, context);
    folds.addWithLabel<TermIntoTerm>({"terms-joined"}, context);
    moves.addWithLabel<ScaleAfterProduct>({"scales-moved"}, context);
    rewriteGreedily(*this, getOperation(), std::move(folds));
    rewriteGreedily(*this, getOperation(), std::move(moves));
  }
};
} // namespace
