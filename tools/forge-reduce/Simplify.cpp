//===- Simplify.cpp - one step towards a smaller module -------------------===//

#include "Simplify.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kOnnxConstant = "onnx.Constant";

// The tensor type of zeros for a value of `type`; null if there is none.
static RankedTensorType zerosType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && tensor.getElementType().isIntOrFloat() ? tensor : RankedTensorType();
  auto tensor = dyn_cast<torch::ValueTensorType>(type);
  if (!tensor || llvm::is_contained(tensor.getSizes(), ShapedType::kDynamic) || !tensor.getDtype().isIntOrFloat() ||
      !isCountable(tensor.getSizes()))
    return {};
  return RankedTensorType::get(tensor.getSizes(), tensor.getDtype());
}

static Value createZeros(OpBuilder &builder, Location loc, Type type) {
  DenseElementsAttr zeros = splatAttr(zerosType(type), 0);
  if (isa<RankedTensorType>(type))
    return ConstantOp::create(builder, loc, type, zeros);
  auto constant = torch::OperatorOp::create(builder, loc, TypeRange(type), kOnnxConstant, ValueRange(), 0);
  constant->setAttr(torch::kValueAttr, zeros);
  return constant->getResult(0);
}

// The attribute with the tensor of a constant; "" for other ops.
static StringRef constantAttr(Operation *op) {
  if (isa<ConstantOp>(op))
    return "value";
  auto node = dyn_cast<torch::OperatorOp>(op);
  return node && node.getName() == kOnnxConstant && node->getNumOperands() == 0 ? StringRef(torch::kValueAttr)
                                                                                : StringRef();
}

bool forge::canSimplify(Operation *op) {
  if (StringRef name = constantAttr(op); !name.empty()) {
    RankedTensorType type = zerosType(op->getResult(0).getType());
    return type && op->hasAttr(name) && op->getAttr(name) != splatAttr(type, 0);
  }
  bool isOurs = isa_and_nonnull<ForgeDialect, torch::TorchDialect>(op->getDialect());
  return isOurs && op->getNumResults() > 0 && op->getNumOperands() + op->getNumRegions() > 0;
}

bool forge::simplify(Operation *op) {
  if (StringRef name = constantAttr(op); !name.empty()) {
    op->setAttr(name, splatAttr(zerosType(op->getResult(0).getType()), 0));
    return true;
  }
  auto operandLike = [&](Type type) {
    auto same = llvm::find_if(op->getOperands(), [&](Value operand) { return operand.getType() == type; });
    return same == op->getOperands().end() ? Value() : *same;
  };
  auto isReplaceable = [&](OpResult result) {
    return result.use_empty() || operandLike(result.getType()) || zerosType(result.getType());
  };
  if (!llvm::all_of(op->getResults(), isReplaceable))
    return false;
  OpBuilder builder(op);
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value operand = operandLike(result.getType());
    result.replaceAllUsesWith(operand ? operand : createZeros(builder, op->getLoc(), result.getType()));
  }
  op->erase();
  return true;
}

void forge::eraseUnused(Operation *root) {
  // Users before producers.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (op->getNumResults() > 0 && op->use_empty())
      op->erase();
  });
}
