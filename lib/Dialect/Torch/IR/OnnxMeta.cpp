//===- OnnxMeta.cpp - the attributes of imported ONNX nodes ---------------===//

#include "forge/Dialect/Torch/IR/OnnxMeta.h"

#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace forge;

bool torch::isImported(FunctionOpInterface func) {
  auto isTorch = [](Type type) { return isa<torch::TorchDialect>(type.getDialect()); };
  if (llvm::any_of(func.getArgumentTypes(), isTorch) || llvm::any_of(func.getResultTypes(), isTorch))
    return true;
  auto visit = [](Operation *op) {
    return isa_and_nonnull<torch::TorchDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return func->walk(visit).wasInterrupted();
}

// Whether `attribute` of the op lists the number of `result`.
static bool isListed(OpResult result, StringRef attribute) {
  auto numbers = result.getOwner()->getAttrOfType<ArrayAttr>(attribute);
  return numbers && llvm::any_of(numbers.getAsRange<IntegerAttr>(),
                                 [&](IntegerAttr number) { return number.getValue() == result.getResultNumber(); });
}

bool torch::isScalarResult(OpResult result) { return isListed(result, kScalarResultsAttr); }
bool torch::isHintedResult(OpResult result) { return isListed(result, kHintedResultsAttr); }
