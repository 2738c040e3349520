//===- OnnxMeta.cpp - the attributes of imported ONNX nodes ---------------===//

#include "forge/Dialect/Torch/IR/OnnxMeta.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace forge;

// Whether `attribute` of the op lists the number of `result`.
static bool isListed(OpResult result, StringRef attribute) {
  auto numbers = result.getOwner()->getAttrOfType<ArrayAttr>(attribute);
  return numbers && llvm::any_of(numbers.getAsRange<IntegerAttr>(),
                                 [&](IntegerAttr number) { return number.getValue() == result.getResultNumber(); });
}

bool torch::isScalarResult(OpResult result) { return isListed(result, kScalarResultsAttr); }
bool torch::isHintedResult(OpResult result) { return isListed(result, kHintedResultsAttr); }
