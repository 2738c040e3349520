//===- MovementOps.cpp - ops that move elements ---------------------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace forge;

InferredType TransposeOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim0 = infer.axis("dim0", op.getDim0(), type.getRank());
  FailureOr<int64_t> dim1 = infer.axis("dim1", op.getDim1(), type.getRank());
  if (failed(dim0) || failed(dim1))
    return failure();
  if (*dim0 == *dim1)
    return infer.error("(C2) expected two different axes, but got ", op.getDim0(), " and ", op.getDim1());
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[*dim0], shape[*dim1]);
  return type.clone(shape);
}

HostTensors TransposeOp::evaluate(Operands operands) {
  int64_t rank = getType().getRank(), dim0 = fromFront(getDim0(), rank), dim1 = fromFront(getDim1(), rank);
  return {
      operands[0].remap(getType().getShape(), [&](Position &position) { std::swap(position[dim0], position[dim1]); })};
}

InferredType ReshapeOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  int64_t elements = 1;
  for (int64_t size : op.getShape())
    if (size < 1 || llvm::MulOverflow(elements, size, elements))
      return infer.error("(C1) expected positive dims, but got [", op.getShape(), "]");
  if (elements != type.getNumElements())
    return infer.error("(C2) expected ", type.getNumElements(), " elements, but got shape [", op.getShape(), "]");
  return type.clone(op.getShape());
}

bool ReshapeOp::keepsElements() { return true; }

InferredType PadOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  ArrayRef<int64_t> pad = op.getPad();
  if ((pad.size() != 2 && pad.size() != 4) || llvm::any_of(pad, [](int64_t value) { return value < 0; }))
    return infer.error("(C1) expected 'pad' with 2 or 4 values, none negative, but got [", pad, "]");
  int64_t axes = pad.size() / 2, rank = type.getRank(), last = rank - 1 - (op.getChannelLast() ? 1 : 0);
  if (last + 1 < axes)
    return infer.error("(C2) expected rank ", axes + rank - 1 - last, " or more, but got ", type);
  if (op.getMode() != PadMode::Constant && (rank < axes + 1 || rank > axes + 2))
    return infer.error("(C3) expected rank ", axes + 1, " or ", axes + 2, " for mode '", stringifyPadMode(op.getMode()),
                       "', but got ", type);
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t i = 0; i < axes; ++i) {
    int64_t before = pad[2 * i], after = pad[2 * i + 1], &size = shape[last - i];
    if (op.getMode() == PadMode::Reflect && std::max(before, after) >= size)
      return infer.error("(C4) expected pads smaller than the axis of ", size, ", but got ", before, " and ", after);
    if (llvm::AddOverflow(size, before, size) || llvm::AddOverflow(size, after, size))
      return infer.error("(C1) expected pads that fit, but got [", pad, "]");
  }
  return type.clone(shape);
}

LogicalResult PadOp::verify() {
  Type element = getType().getElementType();
  bool isHeld = true;
  if (auto integer = dyn_cast<IntegerType>(element)) {
    llvm::APSInt number(integer.getWidth(), /*isUnsigned=*/integer.isUnsigned() || integer.getWidth() == 1);
    getValue().convertToInteger(number, llvm::APFloat::rmTowardZero, &isHeld);
    isHeld |= getValue().isZero();
  } else if (auto real = dyn_cast<FloatType>(element); real && getValue().isFinite()) {
    isHeld = std::abs(getValue().convertToDouble()) <= APFloat::getLargest(real.getFloatSemantics()).convertToDouble();
  }
  if (!isHeld && getMode() == PadMode::Constant)
    return emitOpError("(C6) expected a 'value' of ") << element << ", but got " << getValue().convertToFloat();
  return success();
}

InferredType ConstantPadOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  SmallVector<int64_t> shape(type.getShape());
  ArrayRef<int64_t> padding = op.getPadding();
  if (padding.size() != 2 * shape.size() || llvm::any_of(padding, [](int64_t value) { return value < 0; }))
    return infer.error("(C1) expected 'padding' with ", 2 * shape.size(), " values, none negative, but got [", padding,
                       "]");
  for (auto [axis, size] : llvm::enumerate(shape))
    if (llvm::AddOverflow(size, padding[2 * axis], size) || llvm::AddOverflow(size, padding[2 * axis + 1], size))
      return infer.error("(C1) expected pads that fit, but got [", padding, "]");
  return type.clone(shape);
}

InferredType BroadcastOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  int64_t size = type.getDimSize(*dim), target = op.getShape();
  if (target < 1 || (size != 1 && size != target))
    return infer.error("(C2) expected an axis of 1 or ", target, ", but got ", size);
  return withDim(op.getOperandA(), *dim, target);
}

InferredType RepeatOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  ArrayRef<int64_t> repeats = op.getRepeats();
  if (static_cast<int64_t>(repeats.size()) < type.getRank() ||
      llvm::any_of(repeats, [](int64_t value) { return value < 1; }))
    return infer.error("(C1) expected ", type.getRank(), " positive 'repeats' or more, but got [", repeats, "]");
  SmallVector<int64_t> shape(repeats);
  size_t leading = repeats.size() - type.getRank();
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    if (llvm::MulOverflow(shape[leading + axis], size, shape[leading + axis]))
      return infer.error("(C1) expected 'repeats' that fit, but got [", repeats, "]");
  return type.clone(shape);
}

HostTensors RepeatOp::evaluate(Operands operands) {
  ArrayRef<int64_t> sizes = operands[0].shape();
  return {operands[0].remap(getType().getShape(), [&](Position &position) {
    position.erase(position.begin(), position.end() - sizes.size());
    for (auto [index, size] : llvm::zip_equal(position, sizes))
      index %= size;
  })};
}

InferredType RepeatInterleaveOp::inferType(Adaptor op, const Inference &infer) {
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), tensorType(op.getOperandA()).getRank());
  if (failed(dim))
    return failure();
  int64_t repeats = op.getRepeats(), size;
  if (repeats < 1 || llvm::MulOverflow(shapeOf(op.getOperandA())[*dim], repeats, size))
    return infer.error("(C2) expected positive 'repeats', but got ", repeats);
  return withDim(op.getOperandA(), *dim, size);
}

HostTensors RepeatInterleaveOp::evaluate(Operands operands) {
  int64_t dim = fromFront(getDim(), getType().getRank());
  return {operands[0].remap(getType().getShape(), [&](Position &position) { position[dim] /= getRepeats(); })};
}

InferredType UnsqueezeOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank() + 1);
  if (failed(dim))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + *dim, 1);
  return type.clone(shape);
}

bool UnsqueezeOp::keepsElements() { return true; }

InferredType SqueezeOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (type.getDimSize(*dim) != 1)
    return infer.error("(C2) expected an axis of size 1, but got ", type.getDimSize(*dim));
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + *dim);
  return type.clone(shape);
}

bool SqueezeOp::keepsElements() { return true; }

InferredType PixelShuffleOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  int64_t factor = op.getUpscaleFactor(), rank = type.getRank();
  if (rank < 3)
    return infer.error("(C1) expected rank 3 or more, but got ", type);
  if (factor < 1 || factor > 1 << 15 || type.getDimSize(rank - 3) % (factor * factor) != 0)
    return infer.error("(C2) expected channels that divide by the square of 'upscale_factor' ", factor, ", but got ",
                       type);
  SmallVector<int64_t> shape(type.getShape());
  shape[rank - 3] /= factor * factor;
  shape[rank - 2] *= factor;
  shape[rank - 1] *= factor;
  return type.clone(shape);
}

InferredType ConcatenateOp::inferType(Adaptor op, const Inference &infer) {
  if (op.getOperands().empty())
    return infer.error("(C1) expected at least one operand");
  if (failed(infer.oneElementType(op.getOperands())))
    return failure();
  RankedTensorType type = tensorType(op.getOperands().front());
  FailureOr<int64_t> axis = infer.axis("axis", op.getAxis(), type.getRank(), "(C2)");
  if (failed(axis))
    return failure();
  int64_t total = 0;
  for (Value operand : op.getOperands()) {
    SmallVector<int64_t> shape(shapeOf(operand));
    if (static_cast<int64_t>(shape.size()) != type.getRank())
      return infer.error("(C1) expected operands of rank ", type.getRank(), ", but got ", operand.getType());
    if (shape[*axis] == 0)
      return infer.error("(C4) expected no empty operand, but got ", operand.getType());
    if (llvm::AddOverflow(total, shape[*axis], total))
      return infer.error("(C3) expected sizes that fit, but got ", operand.getType());
    shape[*axis] = type.getDimSize(*axis);
    if (ArrayRef(shape) != type.getShape())
      return infer.error("(C3) expected dims other than ", op.getAxis(), " as in ", type, ", but got ",
                         operand.getType());
  }
  return withDim(op.getOperands().front(), *axis, total);
}

HostTensors ConcatenateOp::evaluate(Operands operands) {
  HostTensor result{tensorType(getResult()), {}, {}};
  int64_t axis = fromFront(getAxis(), result.type.getRank());
  int64_t outer = llvm::product_of(result.shape().take_front(axis), int64_t(1));
  for (int64_t block = 0; block < outer; ++block)
    for (const HostTensor &operand : operands) {
      int64_t length = operand.type.getNumElements() / outer;
      for (int64_t i = block * length; i < (block + 1) * length; ++i)
        result.append(operand, i);
    }
  return {result};
}

InferredType StackOp::inferType(Adaptor op, const Inference &infer) {
  if (op.getOperands().empty())
    return infer.error("(C1) expected at least one operand");
  RankedTensorType type = tensorType(op.getOperands().front());
  for (Value operand : op.getOperands())
    if (operand.getType() != type)
      return infer.error("(C1) expected operands of type ", type, ", but got ", operand.getType());
  FailureOr<int64_t> axis = infer.axis("axis", op.getAxis(), type.getRank() + 1, "(C2)");
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + *axis, op.getOperands().size());
  return type.clone(shape);
}
