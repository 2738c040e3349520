//===- OnnxMeta.cpp - the attributes of imported ONNX nodes ---------------===//

#include "forge/Dialect/Torch/IR/OnnxMeta.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace forge;

bool torch::isScalarResult(OpResult result) {
  auto scalars = result.getOwner()->getAttrOfType<ArrayAttr>(kScalarResultsAttr);
  return scalars && llvm::any_of(scalars.getAsRange<IntegerAttr>(),
                                 [&](IntegerAttr number) { return number.getValue() == result.getResultNumber(); });
}
