//===- MovementPatterns.cpp - movement that is not needed -----------------===//
//
// Canonical forms of reshapes and transposes: as few as there can be, and none where neighbours can do without.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/MovementChains.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace forge;

// The padding of a convolution that reads what `pad` reads instead of what it gives; nothing where it cannot do both.
static std::optional<SmallVector<int64_t, 4>> absorbed(PadOp pad, Conv2dOp conv) {
  if (!pad.getValue().isZero() || pad.getType().getRank() != 4)
    return std::nullopt;
  int64_t height = conv.getChannelLast() ? 1 : 2, last = pad.getChannelLast() ? 2 : 3;
  SmallVector<int64_t, 4> padding(conv.getPadding());
  ArrayRef<int64_t> amounts = pad.getPad();
  for (int64_t i = 0, axes = amounts.size() / 2; i < axes; ++i) {
    int64_t before = amounts[2 * i], after = amounts[2 * i + 1], spatial = last - i - height;
    if (before == 0 && after == 0)
      continue;
    if (spatial != 0 && spatial != 1)
      return std::nullopt;
    padding[spatial] += before;
    padding[2 + spatial] += after;
  }
  return padding;
}

// Replaces `op`, which convolutions alone read, by what `pad` reads, and gives them its pads: the device takes no pad
// whose users are all convolutions.
static LogicalResult absorbPad(PatternRewriter &rewriter, Operation *op, PadOp pad) {
  SmallVector<std::pair<Conv2dOp, SmallVector<int64_t, 4>>> convs;
  for (OpOperand &use : op->getResult(0).getUses()) {
    auto conv = cast<Conv2dOp>(use.getOwner());
    auto padding = absorbed(pad, conv);
    if (use.getOperandNumber() != 0 || !padding)
      return failure();
    convs.push_back({conv, *padding});
  }
  for (auto &[conv, padding] : convs)
    rewriter.modifyOpInPlace(conv, [&, conv = conv, &padding = padding]() mutable {
      conv.setPadding(padding);
      conv.getActivationsMutable().assign(pad.getOperandA());
    });
  rewriter.eraseOp(op);
  return success();
}

// Puts `value` in the place of `op`, of which it is what was traced.
static LogicalResult replaceWith(PatternRewriter &rewriter, Operation *op, Value value) {
  if (auto pad = value.getDefiningOp<PadOp>();
      pad && pad.getMode() == "constant" && !op->use_empty() && llvm::all_of(op->getUsers(), llvm::IsaPred<Conv2dOp>))
    return absorbPad(rewriter, op, pad);
  takeTrace(value, op->getResult(0));
  rewriter.replaceOp(op, value);
  return success();
}

// An op that makes what `op` made; `rest` are the arguments of its `create`.
template <typename OpTy, typename... Args>
static LogicalResult replaceWithNew(PatternRewriter &rewriter, Operation *op, Args &&...rest) {
  rewriter.replaceOp(op, OpTy::create(rewriter, op->getLoc(), op->getResult(0).getType(), std::forward<Args>(rest)...));
  return success();
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// One reshape for a chain, none for one that changes nothing.
struct JoinReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    Value source = op.getOperandA();
    SmallVector<Value> between;
    while (source.getType() != op.getType() && isReshape(source.getDefiningOp())) {
      between.push_back(source);
      source = source.getDefiningOp()->getOperand(0);
    }
    if (source.getType() == op.getType())
      return replaceWith(rewriter, op, source);
    if (source == op.getOperandA())
      return failure();
    // Those between may have no other user: then the source is what is left of them.
    for (Value reshaped : between)
      takeTrace(source, reshaped);
    return replaceWithNew<ReshapeOp>(rewriter, op, source, op.getShapeAttr());
  }
};
} // namespace

// A softmax of the last axis.
static SoftmaxOp softmaxOfRows(Operation *op) {
  auto softmax = dyn_cast_or_null<SoftmaxOp>(op);
  int64_t rank = softmax ? softmax.getType().getRank() : 0;
  return softmax && fromFront(softmax.getDim(), rank) == rank - 1 ? softmax : SoftmaxOp();
}

// The operand of an elementwise op that decides its shape, where all others are one element; null for other ops.
static OpOperand *soleOperand(Operation *op) {
  auto reader = dyn_cast_or_null<TilePaddingOpInterface>(op);
  if (!reader || reader.getTilePaddingRow() != TilePaddingRow::Elementwise)
    return nullptr;
  OpOperand *sole = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isScalar = tensorType(operand.get()).getNumElements() == 1 && tensorType(operand.get()).getRank() <= 1;
    if (isScalar)
      continue;
    if (sole)
      return nullptr;
    sole = &operand;
  }
  return sole;
}

namespace {
/// reshape(f(reshape(x))) is reshape(f(x)) for an elementwise f, and for a softmax of rows that x has too.
struct ReshapeThroughElementwise : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    SmallVector<OpOperand *> path;
    Value value = op.getOperandA();
    auto next = [&] {
      Operation *function = value.getDefiningOp();
      return softmaxOfRows(function) ? &function->getOpOperand(0) : soleOperand(function);
    };
    for (OpOperand *operand = next(); operand && value.hasOneUse(); operand = next()) {
      if (shapeOf(operand->get()) != shapeOf(value))
        return failure();
      path.push_back(operand);
      value = operand->get();
    }
    Operation *inner = value.getDefiningOp();
    if (path.empty() || !isReshape(inner) || !inner->hasOneUse() || tensorType(inner->getOperand(0)).getRank() == 0)
      return failure();
    Value source = inner->getOperand(0);
    auto isOfRows = [](OpOperand *operand) { return softmaxOfRows(operand->getOwner()) != nullptr; };
    if (llvm::any_of(path, isOfRows) && shapeOf(source).back() != shapeOf(value).back())
      return failure();
    takeTrace(source, inner->getResult(0));
    rewriter.modifyOpInPlace(path.back()->getOwner(), [&] { path.back()->set(source); });
    for (OpOperand *operand : path) {
      Operation *function = operand->getOwner();
      rewriter.modifyOpInPlace(function, [&] {
        if (SoftmaxOp softmax = softmaxOfRows(function))
          softmax.setDim(-1);
        reshapeResult(function, shapeOf(source));
      });
    }
    return success();
  }
};

/// A matrix product over rows of a tensor, which was made a matrix for that: Forge multiplies the tensor itself, or the
/// rows in the shape that they have afterwards.
struct ProductOfRows : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    Value product = op.getOperandA(), bias;
    auto add = product.getDefiningOp<AddOp>();
    if (add && add->hasOneUse()) {
      bool isFirst = add.getOperandA().getDefiningOp<MatmulOp>() != nullptr;
      product = isFirst ? add.getOperandA() : add.getOperandB();
      bias = isFirst ? add.getOperandB() : add.getOperandA();
    }
    auto matmul = product.getDefiningOp<MatmulOp>();
    auto rows = matmul ? matmul.getOperandA().getDefiningOp<ReshapeOp>() : ReshapeOp();
    if (!rows || !matmul->hasOneUse() || matmul.getBias() || matmul.getType().getRank() != 2 ||
        tensorType(matmul.getOperandB()).getRank() != 2)
      return failure();
    ArrayRef<int64_t> source = shapeOf(rows.getOperandA()), target = op.getShape();
    if (target.size() < 3 || target.back() != shapeOf(product).back())
      return failure();
    SmallVector<int64_t> tensor(target);
    tensor.back() = shapeOf(rows).back();
    // Rows that are made of something else are made in the result's shape instead.
    bool isFlattened = source == ArrayRef(tensor);
    if (!isFlattened && !rows->hasOneUse())
      return failure();
    // One value per column, or the rows would have to be told apart.
    if (bias && (tensorType(bias).getNumElements() != target.back() || tensorType(bias).getRank() > 2 ||
                 tensorType(bias).getRank() == 0 || shapeOf(bias).back() != target.back()))
      return failure();
    Value x = rows.getOperandA();
    if (!isFlattened)
      x = ReshapeOp::create(rewriter, withoutTrace(rows.getLoc()), rows.getType().clone(tensor), x, tensor);
    takeTrace(x, rows);
    Value result = MatmulOp::create(rewriter, bias ? withoutTrace(matmul.getLoc()) : op.getLoc(), op.getType(), x,
                                    matmul.getOperandB(), Value());
    takeTrace(result, matmul);
    if (bias) {
      result = AddOp::create(rewriter, op.getLoc(), op.getType(), result, bias);
      takeTrace(result, add);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

namespace {
/// A transpose of the last two axes, for which the others were made one, and are themselves again afterwards.
struct TransposeOfMatrices : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getOperandA().getDefiningOp<TransposeOp>();
    auto joined = transpose ? transpose.getOperandA().getDefiningOp<ReshapeOp>() : ReshapeOp();
    if (!joined || !transpose->hasOneUse())
      return failure();
    int64_t rank = transpose.getType().getRank();
    auto [dim0, dim1] = swapOf(transpose);
    ArrayRef<int64_t> source = shapeOf(joined.getOperandA()), target = op.getShape(),
                      matrix = transpose.getType().getShape();
    if (std::min(dim0, dim1) != rank - 2 || std::max(dim0, dim1) != rank - 1 || source.size() < 2 ||
        source.size() != target.size() || source.drop_back(2) != target.drop_back(2) ||
        target.take_back(2) != matrix.take_back(2) || source.back() != matrix[rank - 2] ||
        source[source.size() - 2] != matrix[rank - 1])
      return failure();
    takeTrace(joined.getOperandA(), joined);
    return replaceWithNew<TransposeOp>(rewriter, op, joined.getOperandA(), int64_t(-2), int64_t(-1));
  }
};
} // namespace

namespace {
/// Items of an axis repeated each by themselves, along an axis that is there for that alone.
struct RepeatOfItems : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto repeat = op.getOperandA().getDefiningOp<RepeatOp>();
    Operation *apart = repeat ? repeat.getOperandA().getDefiningOp() : nullptr;
    if (!isReshape(apart) || !repeat->hasOneUse())
      return failure();
    Value source = apart->getOperand(0);
    ArrayRef<int64_t> repeats = repeat.getRepeats();
    auto *found = llvm::find_if(repeats, [](int64_t count) { return count != 1; });
    int64_t axis = found - repeats.begin() - 1;
    if (found == repeats.end() || axis < 0 || repeats.size() != shapeOf(apart->getResult(0)).size() ||
        llvm::any_of(ArrayRef(found + 1, repeats.end()), [](int64_t count) { return count != 1; }))
      return failure();
    SmallVector<int64_t> shape(shapeOf(apart->getResult(0)));
    if (shape[axis + 1] != 1)
      return failure();
    shape.erase(shape.begin() + axis + 1);
    if (ArrayRef(shape) != shapeOf(source))
      return failure();
    shape[axis] *= *found;
    if (ArrayRef(shape) != op.getShape())
      return failure();
    return replaceWithNew<RepeatInterleaveOp>(rewriter, op, source, *found, axis - int64_t(shape.size()));
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.addWithLabel<JoinReshapes>({"reshapes-joined"}, context);
  patterns.addWithLabel<ReshapeThroughElementwise>({"reshapes-cancelled"}, context);
  patterns.addWithLabel<ProductOfRows>({"products-of-rows"}, context);
  patterns.addWithLabel<TransposeOfMatrices>({"transposes-of-matrices"}, context);
  patterns.addWithLabel<RepeatOfItems>({"items-repeated"}, context);
  populateSlicesOfMoves<ReshapeOp>(patterns);
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

namespace {
/// A chain of transposes as few swaps, a swap that moves no element past another one as a reshape.
struct JoinTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    SmallVector<AxisSwap> chain;
    Value source = op;
    // Values between that others use stay: only what is in the way is counted.
    while (auto transpose = source.getDefiningOp<TransposeOp>()) {
      if (transpose != op && !transpose->hasOneUse())
        break;
      chain.push_back(swapOf(transpose));
      source = transpose.getOperandA();
    }
    SmallVector<int64_t> order(llvm::to_vector(llvm::seq<int64_t>(type.getRank())));
    for (AxisSwap swap : chain)
      for (int64_t &axis : order)
        axis = axis == swap.first ? swap.second : axis == swap.second ? swap.first : axis;
    ArrayRef<int64_t> shape = shapeOf(source);
    SmallVector<int64_t> moved = llvm::filter_to_vector(order, [&](int64_t axis) { return shape[axis] != 1; });
    if (llvm::is_sorted(moved))
      return source.getType() == type ? replaceWith(rewriter, op, source)
                                      : replaceWithNew<ReshapeOp>(rewriter, op, source, type.getShape());
    SmallVector<AxisSwap> swaps = swapsFor(order);
    if (swaps.size() >= chain.size())
      return failure();
    for (auto [i, swap] : llvm::enumerate(swaps)) {
      SmallVector<int64_t> next(shapeOf(source));
      std::swap(next[swap.first], next[swap.second]);
      source = TransposeOp::create(rewriter, i + 1 == swaps.size() ? op.getLoc() : withoutTrace(op.getLoc()),
                                   type.clone(next), source, swap.first - type.getRank(), swap.second - type.getRank());
    }
    rewriter.replaceOp(op, source);
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.addWithLabel<JoinTransposes>({"transposes-joined"}, context);
  populateSlicesOfMoves<TransposeOp>(patterns);
}
