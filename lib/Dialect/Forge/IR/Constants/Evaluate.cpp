//===- Evaluate.cpp - forge ops on constants ------------------------------===//

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/Matchers.h"

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
