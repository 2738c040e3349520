//===- ZeroSigns.cpp - values whose sign of zero matters ------------------===//

#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"

#include "forge/Dialect/Forge/IR/Partitions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

// Whether `value` is a constant without zeros. A scalar constant is rounded to its type: 1e-20 is 0 in float16.
static bool hasNoZero(Value value) {
  auto type = dyn_cast<FloatType>(tensorType(value).getElementType());
  if (auto scalar = value.getDefiningOp<ScalarConstantOp>()) {
    APFloat number = scalar.getConstant();
    bool isRounded = false;
    if (type)
      number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isRounded);
    return !number.isZero();
  }
  DenseElementsAttr constant;
  if (!type || !matchPattern(value, m_Constant(&constant)))
    return false;
  return llvm::none_of(constant.getValues<APFloat>(), [](const APFloat &element) { return element.isZero(); });
}

// Whether the results for +0 and -0 as this operand may differ by more than the sign of a zero.
static bool divides(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<DivideOp, RemainderOp>(op))
    return use.getOperandNumber() == 1;
  // A negative power divides.
  return isa<ReciprocalOp, PowOp, PowerOp>(op);
}

// Whether the results for +0 and -0 as this operand are equal to the last bit.
static bool hidesZeroSign(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<EqualOp, NotEqualOp, GreaterOp, GreaterEqualOp, LessOp, LessEqualOp, ExpOp, CosineOp, SigmoidOp, LogOp, AbsOp,
          SoftmaxOp, LogSoftmaxOp, ArgmaxOp, LogicalNotOp, LogicalAndOp>(op))
    return true;
  // These select elements of their other operands, with their signs.
  if (isa<WhereOp, HeavisideOp>(op))
    return use.getOperandNumber() == 0;
  if (auto cast = dyn_cast<CastOp>(op))
    return !isa<FloatType>(cast.getType().getElementType());
  // x + c is c for both zeros.
  if (isa<AddOp, SubtractOp>(op))
    return hasNoZero(op->getOperand(1 - use.getOperandNumber()));
  // x * x.
  return isa<MultiplyOp>(op) && op->getOperand(0) == op->getOperand(1);
}

ZeroSigns::ZeroSigns(func::FuncOp func) {
  Block &block = func.front();
  bool isPartition = !partitionKind(func).empty();
  auto shows = [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (op->hasTrait<OpTrait::IsTerminator>())
      return isPartition;
    if (divides(use))
      return true;
    // An op that does not hide the sign may propagate it to its results.
    return !hidesZeroSign(use) && (op->getNumRegions() > 0 || llvm::any_of(op->getResults(), [&](Value result) {
                                     return shown.contains(result);
                                   }));
  };
  auto visit = [&](Value value) {
    if (llvm::any_of(value.getUses(), shows))
      shown.insert(value);
  };
  for (Operation &op : llvm::reverse(block))
    llvm::for_each(op.getResults(), visit);
  llvm::for_each(block.getArguments(), visit);
}

void ZeroSigns::willReplace(Operation *op, ValueRange values) {
  SmallVector<Value> pending;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    if (value && matter(result))
      pending.push_back(value);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *producer = value.getDefiningOp();
    if (!shown.insert(value).second || !producer)
      continue;
    for (OpOperand &use : producer->getOpOperands())
      if (!hidesZeroSign(use))
        pending.push_back(use.get());
  }
}

void ZeroSigns::willErase(Operation *op) {
  for (Value result : op->getResults())
    shown.erase(result);
}
