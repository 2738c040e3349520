//===- Inference.cpp - result types and constraints of forge ops ----------===//

#include "forge/Dialect/Forge/IR/Inference.h"

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

InferredType Inference::sameType(ValueRange operands) const { return tensorType(operands.front()); }

LogicalResult Inference::oneElementType(ValueRange operands) const {
  Type expected = tensorType(operands.front()).getElementType();
  for (Value operand : operands.drop_front())
    if (tensorType(operand).getElementType() != expected)
      return error("(C1) expected operands of element type ", expected, ", but got ", operand.getType());
  return success();
}

FailureOr<Type> Inference::promotedType(ValueRange operands) const {
  auto elementOf = [](Value operand) { return tensorType(operand).getElementType(); };
  // Forge promotes a 16-bit float operand if another operand is Float32. Two different 16-bit types do not mix.
  Type wide = Float32Type::get(operands.front().getContext()), narrow;
  for (Value operand : operands)
    if (Type element = elementOf(operand); element != wide)
      narrow = narrow ? narrow : element;
  bool isMixed = isa_and_nonnull<Float16Type, BFloat16Type>(narrow) &&
                 llvm::is_contained(llvm::map_range(operands, elementOf), wide);
  if (!isMixed)
    return failed(oneElementType(operands)) ? FailureOr<Type>() : FailureOr<Type>(elementOf(operands.front()));
  for (Value operand : operands)
    if (Type element = elementOf(operand); element != wide && element != narrow)
      return error("(C1) expected operands of element type ", wide, " or ", narrow, ", but got ", operand.getType());
  return wide;
}

FailureOr<SmallVector<int64_t>> Inference::broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                                                           StringRef constraint) const {
  SmallVector<int64_t> shape;
  if (!OpTrait::util::getBroadcastedShape(a, b, shape))
    return error(constraint, " shapes [", a, "] and [", b, "] do not broadcast");
  return shape;
}

InferredType Inference::broadcast(ValueRange operands) const {
  return failed(oneElementType(operands)) ? InferredType() : broadcastPromoted(operands);
}

InferredType Inference::broadcastPromoted(ValueRange operands) const {
  FailureOr<Type> element = promotedType(operands);
  if (failed(element))
    return failure();
  SmallVector<int64_t> shape(shapeOf(operands.front()));
  for (Value operand : operands.drop_front()) {
    auto next = broadcastShapes(shape, shapeOf(operand));
    if (failed(next))
      return failure();
    shape = *next;
  }
  return RankedTensorType::get(shape, *element);
}

FailureOr<int64_t> Inference::axis(StringRef attribute, int64_t dim, int64_t rank, StringRef constraint) const {
  if (dim < -rank || dim >= rank)
    return error(constraint, " expected '", attribute, "' inside rank ", rank, ", but got ", dim);
  return fromFront(dim, rank);
}

InferredType Inference::reduce(Value operand, int64_t dim, bool keepDim, bool needsElements) const {
  RankedTensorType type = tensorType(operand);
  if (dim < -4 || dim > 3)
    return error("(C1) expected 'dim' in [-4, 3], but got ", dim);
  FailureOr<int64_t> reduced = axis("dim", dim, type.getRank(), "(C2)");
  if (failed(reduced))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  if (keepDim)
    shape[*reduced] = 1;
  else
    shape.erase(shape.begin() + *reduced);
  return needsElements ? ofElements(operand, type.clone(shape), "(C3)") : type.clone(shape);
}

InferredType Inference::ofElements(ValueRange operands, RankedTensorType result, StringRef constraint) const {
  for (Value operand : operands)
    if (result.getNumElements() != 0 && tensorType(operand).getNumElements() == 0)
      return error(constraint, " expected operands with elements, but got ", operand.getType());
  return result;
}

LogicalResult Inference::floatingPoint(Value operand, StringRef constraint) const {
  if (isa<FloatType>(tensorType(operand).getElementType()))
    return success();
  return error(constraint, " expected a floating-point operand, but got ", operand.getType());
}

LogicalResult Inference::integers(Value operand, StringRef constraint) const {
  if (isa<IntegerType>(tensorType(operand).getElementType()))
    return success();
  return error(constraint, " expected an operand of integers, but got ", operand.getType());
}

LogicalResult Inference::rank(StringRef operand, Value value, int64_t expected) const {
  if (tensorType(value).getRank() == expected)
    return success();
  return error("(C1) expected '", operand, "' of rank ", expected, ", but got ", value.getType());
}

LogicalResult Inference::list(StringRef attribute, ArrayRef<int64_t> values, size_t count, int64_t minimum,
                              StringRef constraint) const {
  if (values.size() == count && llvm::all_of(values, [&](int64_t value) { return value >= minimum; }))
    return success();
  return error(constraint, " expected '", attribute, "' with ", count, " values of at least ", minimum, ", but got [",
               values, "]");
}

FailureOr<int64_t> Inference::window(int64_t size, int64_t padding, int64_t kernel, int64_t stride, int64_t dilation,
                                     bool ceilMode, StringRef constraint) const {
  int64_t span = dilation * (kernel - 1) + 1, room = size + padding - span;
  if (room < 0)
    return error(constraint, " expected a window that fits, but got ", span, " in ", size, " padded by ", padding);
  return (ceilMode ? (room + stride - 1) / stride : room / stride) + 1;
}

LogicalResult Inference::constantIndices(Value indices, int64_t size) const {
  DenseIntElementsAttr known;
  if (!matchPattern(indices, m_Constant(&known)))
    return success();
  for (int64_t index : HostTensor::fromAttr(known).ints)
    if (index < 0 || index >= size)
      return error("(C3) expected indices in [0, ", size, "), but got ", index);
  return success();
}
