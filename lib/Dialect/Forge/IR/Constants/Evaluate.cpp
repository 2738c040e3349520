//===- Evaluate.cpp - forge ops on constants, and exact folds -------------===//
//
// Folds ops that return their operand, pairs of inverse ops, and ops on constants. Arithmetic is not simplified: x + 0
// is not x for x = -0, and the device may round x * 1. forge.identity is not folded, because it is the call of an
// output.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

// Whether an element is 2^63 or more, which HostTensor would hold as a negative number.
static bool exceedsInt64(DenseElementsAttr constant) {
  return constant.getElementType().isUnsignedInteger(64) &&
         llvm::any_of(constant.getValues<APInt>(), [](const APInt &element) { return element.isNegative(); });
}

// The operands as constants; empty if one of them is none.
static SmallVector<DenseElementsAttr> allConstants(ArrayRef<Attribute> operands) {
  SmallVector<DenseElementsAttr> constants;
  for (Attribute operand : operands) {
    auto constant = dyn_cast_or_null<DenseElementsAttr>(operand);
    if (!constant || !HostTensor::holds(constant) || exceedsInt64(constant))
      return {};
    constants.push_back(constant);
  }
  return constants;
}

SmallVector<DenseElementsAttr> forge::evaluate(Operation *op, int64_t limit) {
  return evaluate(op,
                  llvm::map_to_vector(op->getOperands(),
                                      [](Value operand) {
                                        Attribute constant;
                                        matchPattern(operand, m_Constant(&constant));
                                        return constant;
                                      }),
                  limit);
}

SmallVector<DenseElementsAttr> forge::evaluate(Operation *op, ArrayRef<Attribute> operands, int64_t limit) {
  auto evaluator = dyn_cast<ConstantEvaluationOpInterface>(op);
  if (!evaluator)
    return {};
  SmallVector<DenseElementsAttr> constants = allConstants(operands);
  if (constants.empty())
    return {};
  if (evaluator.keepsElements())
    return {constants[0].reshape(tensorType(op->getResult(0)))};
  int64_t mostElements = limit / static_cast<int64_t>(sizeof(int64_t));
  auto fits = [&](Type type) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    return isCountable(shape) && ShapedType::getNumElements(shape) <= mostElements;
  };
  if (!llvm::all_of(op->getOperandTypes(), fits) || !llvm::all_of(op->getResultTypes(), fits))
    return {};
  return llvm::map_to_vector(evaluator.evaluate(llvm::map_to_vector(constants, HostTensor::fromAttr)),
                             [](const HostTensor &result) { return result.toAttr(); });
}

// The value of this type from which a chain of reshapes starts; null if there is none.
static Value throughReshapes(Operation *last, Type type) {
  // Unreachable code may have cycles.
  constexpr int kMost = 64;
  Operation *op = last;
  for (int count = 0; count < kMost && isReshape(op); ++count, op = op->getOperand(0).getDefiningOp())
    if (op->getOperand(0).getType() == type)
      return op->getOperand(0);
  return {};
}

static Value undoTranspose(TransposeOp op) {
  auto before = op.getOperandA().getDefiningOp<TransposeOp>();
  return before && transposedAxis(op, swapOf(before).first) == swapOf(before).second ? before.getOperandA() : Value();
}

// Whether the wide type represents all numbers of the narrow type.
static bool holds(Type wide, Type narrow) {
  if (auto to = dyn_cast<FloatType>(wide), from = dyn_cast<FloatType>(narrow); to && from)
    return llvm::APFloat::isRepresentableBy(from.getFloatSemantics(), to.getFloatSemantics());
  // i1 does not count as a number type, because a cast to it is a comparison with 0.
  return wide.isSignlessInteger() && narrow.isSignlessInteger() && !narrow.isInteger(1) &&
         wide.getIntOrFloatBitWidth() >= narrow.getIntOrFloatBitWidth();
}

static Value undoCast(CastOp op) {
  auto before = op.getOperandA().getDefiningOp<CastOp>();
  bool isBack = before && before.getOperandA().getType() == op.getType() &&
                holds(before.getType().getElementType(), op.getType().getElementType());
  return isBack ? before.getOperandA() : Value();
}

// The operand that is equal to the result of `op`; null if there is none.
static Value sameValue(Operation *op) {
  auto ifSameType = [&](Value operand) { return operand.getType() == op->getResult(0).getType() ? operand : Value(); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<ReshapeOp, SqueezeOp, UnsqueezeOp>([](auto reshape) { return throughReshapes(reshape, reshape.getType()); })
      // If the types are equal, these ops do nothing.
      .Case<IndexOp, SelectOp, RepeatOp, RepeatInterleaveOp, BroadcastOp, PadOp, ConstantPadOp>(
          [&](auto op) { return ifSameType(op.getOperandA()); })
      .Case([&](CastOp op) {
        Value same = ifSameType(op.getOperandA());
        return same ? same : undoCast(op);
      })
      .Case([&](StridedSliceOp op) {
        bool isForward =
            llvm::all_of(op.getRanges(), [](const AxisSliceRange &slice) { return slice.range.stride > 0; });
        return isForward ? ifSameType(op.getOperandA()) : Value();
      })
      .Case([](TransposeOp op) { return undoTranspose(op); })
      .Case([](ConcatenateOp op) { return op.getOperands().size() == 1 ? op.getOperands()[0] : Value(); })
      .Case([&](WhereOp op) { return op.getX() == op.getY() ? ifSameType(op.getX()) : Value(); })
      .Default([](Operation *) { return Value(); });
}

OpFoldResult forge::detail::fold(Operation *op, ArrayRef<Attribute> operands) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.getValue();
  if (Value same = sameValue(op); same && same != op->getResult(0))
    return same;
  SmallVector<DenseElementsAttr> known = evaluate(op, operands, kFoldLimit);
  return known.empty() ? OpFoldResult() : OpFoldResult(known.front());
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (getNumResults() == 1) {
    results.push_back(getOperandA());
    return success();
  }
  llvm::append_range(results, forge::evaluate(getOperation(), adaptor.getOperands(), kFoldLimit));
  return success(!results.empty());
}

Operation *ForgeDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}
