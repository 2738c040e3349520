//===- ConstantOps.cpp - values known before the program runs -------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace forge;

LogicalResult ParameterOp::verify() {
  std::optional<ArrayRef<int64_t>> derived = getDerived();
  if (ElementsAttr blob = getBlobAttr()) {
    if (!isa<DenseResourceElementsAttr>(blob))
      return emitOpError("(C3) expected 'blob' to be a dense_resource, but got ") << blob;
    if (!derived && blob.getNumElements() != getType().getNumElements())
      return emitOpError("(C3) expected 'blob' with ")
             << getType().getNumElements() << " elements, but got " << blob.getType();
  }
  if (!derived)
    return success();
  RankedTensorType type = getType();
  if (derived->size() != 6)
    return emitOpError("(C1) expected 'derived' with 6 values, but got ") << derived->size();
  int64_t axis = (*derived)[0], begin = (*derived)[1], end = (*derived)[2], block = (*derived)[3],
          padded = (*derived)[4], offset = (*derived)[5];
  if (axis < 0 || axis >= type.getRank() || begin < 0 || begin >= end || block < 1 || (end - begin) % block != 0 ||
      padded < block || offset < 0 || offset > padded - block)
    return emitOpError("(C1) expected 'derived' = [axis, begin, end, block, padded, offset] of a weight of rank ")
           << type.getRank() << ", but got [" << *derived << "]";
  // Dividing keeps the product from overflowing.
  int64_t size = type.getDimSize(axis);
  if (size % padded != 0 || size / padded != (end - begin) / block)
    return emitOpError("(C2) expected axis ") << axis << " to have " << (end - begin) / block << " blocks of " << padded
                                              << ", but got " << size << " elements";
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

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
