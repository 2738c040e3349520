//===- Scaling.cpp - factors into weights ---------------------------------===//

#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"

#include <cmath>

using namespace mlir;
using namespace forge;

bool forge::isFloat32(Value value) { return tensorType(value).getElementType().isF32(); }

bool forge::isOne(Value value) { return tensorType(value).getNumElements() == 1; }

bool forge::isPerChannel(Value value, int64_t axis, int64_t rank, int64_t channels) {
  int64_t own = tensorType(value).getRank(), at = axis - (rank - own);
  return own <= rank && at >= 0 && tensorType(value).getNumElements() == channels && shapeOf(value)[at] == channels;
}

bool forge::isLike(Value a, Value b) {
  auto core = [](Value value) { return shapeOf(value).drop_while([](int64_t size) { return size == 1; }); };
  return core(a) == core(b);
}

bool forge::isProjection(MatmulOp op) {
  Value matrix = op.getOperandB(), term = op.getBias();
  return isFloat32(op) && tensorType(matrix).getRank() == 2 && mayBeStoredOtherwise(matrix) &&
         (!term || (isWeight(term) &&
                    isPerChannel(term, op.getType().getRank() - 1, op.getType().getRank(), shapeOf(matrix).back())));
}

Value forge::reshaped(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> shape) {
  return shapeOf(value) == shape ? value
                                 : ReshapeOp::create(b, loc, tensorType(value).clone(shape), value, shape).getResult();
}

Value forge::product(OpBuilder &b, Location loc, Value weight, Value scale) {
  return MultiplyOp::create(b, loc, weight.getType(), weight, scale);
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

// The weight of x * weight that can have the scale too; null where there is none. Scales of one element stay without
// `joinsOnes`: quantisers have them, whose results are exact because nothing else is rounded.
Value Scaling::factorOf(MultiplyOp op) const {
  for (auto [x, factor] :
       {std::pair(op.getOperandA(), op.getOperandB()), std::pair(op.getOperandB(), op.getOperandA())})
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
