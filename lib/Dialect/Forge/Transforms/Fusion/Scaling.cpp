//===- Scaling.cpp - factors into weights ---------------------------------===//

#include "Fusion/Scaling.h"
#include "Fusion/Rounding.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/MovementChains.h"
#include "forge/Dialect/Forge/IR/Operands.h"

#include <cmath>

using namespace mlir;
using namespace forge;

bool forge::isFloat32(Value value) { return tensorType(value).getElementType().isF32(); }

bool forge::isOne(Value value) { return tensorType(value).getNumElements() == 1; }

bool forge::isPerChannel(Value value, int64_t axis, int64_t rank, int64_t channels) {
  int64_t own = tensorType(value).getRank(), at = axis - (rank - own);
  return own <= rank && at >= 0 && tensorType(value).getNumElements() == channels && shapeOf(value)[at] == channels;
}

std::pair<Value, Value> forge::withChannels(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  // One channel's number may be that of a quantiser.
  if (!isFloat32(op->getResult(0)) || type.getRank() != 4 || type.getDimSize(1) == 1)
    return {};
  for (auto [x, weight] : bothWays(op))
    if (x.getType() == type && isPerChannel(weight, 1, 4, type.getDimSize(1)) && isWeight(weight) && !isWeight(x))
      return {x, weight};
  return {};
}

bool forge::isLike(Value a, Value b) {
  auto core = [](Value value) { return shapeOf(value).drop_while([](int64_t size) { return size == 1; }); };
  return core(a) == core(b);
}

bool forge::isProjection(MatmulOp op) {
  Value matrix = op.getOperandB(), term = op.getBias();
  return tensorType(matrix).getRank() == 2 && mayBeStoredOtherwise(matrix) &&
         (!term || (isWeight(term) &&
                    isPerChannel(term, op.getType().getRank() - 1, op.getType().getRank(), shapeOf(matrix).back()) &&
                    !mayRound(term)));
}

Value forge::reshaped(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> shape) {
  return shapeOf(value) == shape ? value
                                 : ReshapeOp::create(b, loc, tensorType(value).clone(shape), value, shape).getResult();
}

Value forge::product(OpBuilder &b, Location loc, Value weight, Value scale) {
  return MultiplyOp::create(b, loc, weight.getType(), weight, scale);
}

void forge::makeAvailable(Value value, Operation *op) {
  Operation *producer = value.getDefiningOp();
  if (producer->isBeforeInBlock(op))
    return;
  for (Value operand : producer->getOperands())
    makeAvailable(operand, op);
  producer->moveBefore(op);
}

bool forge::isModest(const APFloat &factor) {
  constexpr double kLimit = 1 << 20;
  double magnitude = std::abs(factor.convertToDouble());
  return magnitude >= 1 / kLimit && magnitude <= kLimit;
}

Value forge::joined(OpBuilder &builder, Location loc, Value a, Value b) {
  auto first = a.getDefiningOp<ScalarConstantOp>(), second = b.getDefiningOp<ScalarConstantOp>();
  if (!first || !second || !isFloat32(a))
    return MultiplyOp::create(builder, loc, a, b);
  APFloat number(first.getConstant().convertToFloat() * second.getConstant().convertToFloat());
  return ScalarConstantOp::create(builder, loc, first.getType(), number, first.getDtype());
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
  if (auto add = whole.getDefiningOp<AddOp>())
    for (auto [value, term] : bothWays(add))
      if (auto matmul = value.getDefiningOp<MatmulOp>(); matmul && matmul->hasOneUse() &&
                                                         matmul.getType() == add.getType() && isWeight(term) &&
                                                         shapeOf(term) == add.getType().getShape().take_back())
        product = {matmul, term};
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
// Heads of products
//===----------------------------------------------------------------------===//

namespace {
/// Heads that are cut out of a product with weights [.., N], whose columns are split into [.., N / D, D], and turned.
struct HeadsOfProduct {
  SmallVector<Operation *> ops; ///< from the product to what the heads are cut from
  int64_t first, count;         ///< columns
};
} // namespace

// [.., N] to [.., N / D, D], with any axes in front.
static bool splitsColumns(ReshapeOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getOperandA()), to = op.getShape();
  return !from.empty() && to.size() >= 2 && to.take_back(2)[0] * to.back() == from.back();
}

// Those of `slice`, which no other slice has.
static std::optional<HeadsOfProduct> headsOfProduct(IndexOp slice) {
  Value heads = slice.getOperandA();
  int64_t rank = slice.getType().getRank(), axis = fromFront(slice.getDim(), rank);
  for (Operation *user : heads.getUsers()) {
    auto other = dyn_cast<IndexOp>(user);
    if (!other || fromFront(other.getDim(), rank) != axis || other.getStride() != 1 ||
        (other != slice && other.getStart() < slice.getStop() && slice.getStart() < other.getStop()))
      return std::nullopt;
  }
  HeadsOfProduct found{{}, slice.getStart(), slice.getStop() - slice.getStart()};
  Operation *op = heads.getDefiningOp();
  auto goOn = [&] {
    found.ops.push_back(op);
    op = op->getOperand(0).getDefiningOp();
    return op && op->hasOneUse();
  };
  for (auto transpose = dyn_cast_or_null<TransposeOp>(op); transpose; transpose = dyn_cast<TransposeOp>(op)) {
    axis = transposedAxis(transpose, axis);
    if (!goOn())
      return std::nullopt;
  }
  auto split = dyn_cast_or_null<ReshapeOp>(op);
  if (!split || axis != rank - 2 || !splitsColumns(split) || !goOn())
    return std::nullopt;
  found.first *= split.getShape().back();
  found.count *= split.getShape().back();
  if (auto add = dyn_cast<AddOp>(op);
      add && (!isWeight(add.getOperandB()) || tensorType(add.getOperandB()).getRank() != 1 || !goOn()))
    return std::nullopt;
  auto product = dyn_cast<MatmulOp>(op);
  if (!product || !isProjection(product))
    return std::nullopt;
  found.ops.push_back(product);
  return found;
}

// The factor for the columns of the heads, 1 for all others, into the weights and terms of their product.
static void scaleHeads(PatternRewriter &b, const HeadsOfProduct &heads, Value scale) {
  for (Operation *op : heads.ops) {
    Location loc = withoutTrace(op->getLoc());
    b.modifyOpInPlace(op, [&] { op->setLoc(loc); });
    if (!isa<MatmulOp, AddOp>(op))
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    makeAvailable(scale, op);
    int64_t columns = shapeOf(op->getResult(0)).back();
    SmallVector<Value> parts;
    auto addOnes = [&](int64_t count) {
      auto type = RankedTensorType::get({count}, b.getF32Type());
      if (count > 0)
        parts.push_back(ConstantOp::create(b, loc, type, splatAttr(type, 1)));
    };
    addOnes(heads.first);
    parts.push_back(RepeatOp::create(b, loc, reshaped(b, loc, scale, {1}), ArrayRef(heads.count)));
    addOnes(columns - heads.first - heads.count);
    Value row = ConcatenateOp::create(b, loc, parts, int64_t(-1));
    for (OpOperand &weight : llvm::drop_begin(op->getOpOperands())) {
      Value scaled = product(b, loc, weight.get(), row);
      b.modifyOpInPlace(op, [&] { weight.set(scaled); });
    }
  }
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

// The weight of x * weight that can have the scale too; null where there is none. Scales of one element stay without
// `joinsOnes`: quantisers have them, whose results are exact because nothing else is rounded.
Value Scaling::factorOf(MultiplyOp op) const {
  for (auto [x, factor] : bothWays(op))
    if (x.getType() == op.getType() && (joinsOnes || !isOne(scale)) &&
        (isLike(factor, scale) || (joinsOnes && (isOne(factor) || isOne(scale)))) && mayBeStoredOtherwise(factor) &&
        !isWeight(x))
      return factor;
  return {};
}

bool Scaling::scalesColumns(MatmulOp op) const {
  int64_t rank = op.getType().getRank();
  return isProjection(op) && (isOne(scale) || isPerChannel(scale, rank - 1, rank, shapeOf(op.getOperandB()).back()));
}

template <typename OpTy>
bool Scaling::scalesChannels(OpTy op, int64_t channels) const {
  return op && mayBeStoredOtherwise(op.getWeights()) &&
         (!op.getBias() || (isWeight(op.getBias()) && !mayRound(op.getBias()))) &&
         (isOne(scale) || isPerChannel(scale, op.getChannelLast() ? 3 : 1, 4, channels));
}

bool Scaling::canScale(Value value, int depth) const {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || !isFloat32(value) || !value.hasOneUse())
    return false;
  if (auto slice = dyn_cast<IndexOp>(op))
    return isOne(scale) && (slicedProduct(slice.getOperandA()) || headsOfProduct(slice));
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
      return mayBeStoredOtherwise(term) && (isOne(scale) || tensorType(term).getRank() > 0) && !mayRound(term);
    };
    return (isTerm(c) && a.getType() == add.getType() && canScale(a, depth - 1)) ||
           (isTerm(a) && c.getType() == add.getType() && canScale(c, depth - 1));
  }
  if (auto multiply = dyn_cast<MultiplyOp>(op))
    return static_cast<bool>(factorOf(multiply));
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul)
    return false;
  if (scalesColumns(matmul))
    return true;
  return isOne(scale) && !matmul.getBias() &&
         (canScale(matmul.getOperandA(), depth - 1) || canScale(matmul.getOperandB(), depth - 1));
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
  if (auto slice = dyn_cast<IndexOp>(op); slice && !slicedProduct(slice.getOperandA())) {
    scaleHeads(b, *headsOfProduct(slice), scale);
    return rebuilt(op, loc, slice.getOperandA());
  } else if (slice) {
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
    return rebuilt(op, loc, {x, joined(b, part, factor, scale)});
  }
  auto matmul = cast<MatmulOp>(op);
  SmallVector<Value> operands(matmul->getOperands());
  if (scalesColumns(matmul)) {
    Value columns = reshaped(b, part, scale, {tensorType(scale).getNumElements()});
    for (Value &weight : llvm::drop_begin(operands))
      weight = product(b, part, weight, columns);
  } else {
    Value &scaled = operands[canScale(operands[0]) ? 0 : 1];
    scaled = apply(scaled, own);
  }
  return rebuilt(op, loc, operands);
}
