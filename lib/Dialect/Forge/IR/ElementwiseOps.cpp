//===- ElementwiseOps.cpp - constants, elementwise ops, reductions --------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

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
                                              << ", but got " << size << " items";
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

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

InferredType LogicalNotOp::inferType(Adaptor op, const Inference &) {
  return tensorType(op.getOperandA()).clone(IntegerType::get(op.getOperandA().getContext(), 32));
}

InferredType CastOp::inferType(Adaptor op, const Inference &infer) {
  if (!isa<IntegerType, FloatType>(op.getDtype()))
    return infer.error("(C1) expected an integer or floating-point 'dtype', but got ", op.getDtype());
  return tensorType(op.getOperandA()).clone(op.getDtype());
}

InferredType ClipOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(infer.floatingPoint(op.getOperandA())))
    return failure();
  return tensorType(op.getOperandA());
}

InferredType DivideOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(infer.floatingPoint(op.getOperandA())))
    return failure();
  return infer.broadcast(op.getOperands());
}

InferredType WhereOp::inferType(Adaptor op, const Inference &infer) {
  InferredType values = infer.broadcast({op.getX(), op.getY()});
  if (failed(values))
    return failure();
  auto shape = infer.broadcastShapes(shapeOf(op.getCondition()), values->getShape());
  if (failed(shape))
    return failure();
  return values->clone(*shape);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

InferredType ArgmaxOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  Type index = IntegerType::get(type.getContext(), 32);
  SmallVector<int64_t> shape(type.getShape());
  if (!op.getDim()) {
    shape.assign(op.getKeepDim() ? type.getRank() : 0, 1);
    return RankedTensorType::get(shape, index);
  }
  FailureOr<int64_t> dim = infer.axis("dim", *op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (op.getKeepDim())
    shape[*dim] = 1;
  else
    shape.erase(shape.begin() + *dim);
  return RankedTensorType::get(shape, index);
}

InferredType CumSumOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.axis("dim", op.getDim(), type.getRank())))
    return failure();
  return type;
}
