//===- ConstantOps.cpp - values known before the program runs -------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace forge;

LogicalResult ParameterOp::verify() {
  ElementsAttr blob = getBlobAttr();
  if (!blob)
    return success();
  if (!isa<DenseResourceElementsAttr>(blob))
    return emitOpError("(C1) expected 'blob' to be a dense_resource, but got ") << blob;
  if (blob.getNumElements() != getType().getNumElements())
    return emitOpError("(C1) expected 'blob' with ")
           << getType().getNumElements() << " elements, but got " << blob.getType();
  return success();
}

InferredType ConstantOp::inferType(Adaptor op, const Inference &infer) {
  auto type = dyn_cast<RankedTensorType>(op.getValue().getType());
  if (!type || !isa<DenseElementsAttr>(op.getValue()))
    return infer.error("expected a dense tensor value, but got ", op.getValue());
  return type;
}

InferredType ScalarConstantOp::inferType(Adaptor op, const Inference &infer) {
  Type dtype = op.getDtype();
  if (!dtype.isF32() && !dtype.isF16() && !dtype.isBF16() && !dtype.isSignlessInteger(32))
    return infer.error("(C1) expected 'dtype' f32, f16, bf16 or i32, but got ", dtype);
  APFloat value = op.getConstant();
  llvm::APSInt integer(32, /*isUnsigned=*/false);
  bool isExact = true;
  if (isa<IntegerType>(dtype))
    value.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  if (!isExact)
    return infer.error("(C2) expected a 'constant' that is exact in ", dtype, ", but got ", value.convertToFloat());
  return RankedTensorType::get({1}, dtype);
}
