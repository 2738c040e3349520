//===- IndexingOps.cpp - ops that select elements by index ----------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Movement/SliceRange.h"

using namespace mlir;
using namespace forge;

InferredType IndexOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  int64_t size = type.getDimSize(*dim), start = op.getStart(), stop = op.getStop(), stride = op.getStride();
  if (start < 0 || start >= size)
    return infer.error("(C2) expected 'start' in [0, ", size, "), but got ", start);
  if (stop <= start || stop > size)
    return infer.error("(C3) expected 'stop' in (", start, ", ", size, "], but got ", stop);
  if (stride < 1 || stride > size)
    return infer.error("(C4) expected 'stride' in [1, ", size, "], but got ", stride);
  return withDim(op.getOperandA(), *dim, SliceRange{start, stop, stride}.count());
}

HostTensors IndexOp::evaluate(Operands operands) {
  int64_t dim = fromFront(getDim(), getType().getRank());
  return {operands[0].remap(getType().getShape(),
                            [&](Position &position) { position[dim] = getStart() + position[dim] * getStride(); })};
}

InferredType AdvIndexOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA()), indices = tensorType(op.getOperandB());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (indices.getRank() != 1 || !isa<IntegerType>(indices.getElementType()))
    return infer.error("(C2) expected integer indices of rank 1, but got ", indices);
  if (failed(infer.constantIndices(op.getOperandB(), type.getDimSize(*dim))))
    return failure();
  return withDim(op.getOperandA(), *dim, indices.getDimSize(0));
}

// Indices may have become constant after the op was verified.
static bool areWithin(const HostTensor &indices, int64_t size) {
  return llvm::all_of(indices.ints, [size](int64_t index) { return index >= 0 && index < size; });
}

HostTensors AdvIndexOp::evaluate(Operands operands) {
  int64_t dim = fromFront(getDim(), getType().getRank());
  if (!areWithin(operands[1], operands[0].shape()[dim]))
    return {};
  return {operands[0].remap(getType().getShape(),
                            [&](Position &position) { position[dim] = operands[1].ints[position[dim]]; })};
}

InferredType SelectOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (*dim > 3)
    return infer.error("(C1) expected one of the first four axes, but got ", op.getDim());
  if (op.getIndex().size() != 2)
    return infer.error("(C2) expected 'index' (begin, length), but got [", op.getIndex(), "]");
  int64_t size = type.getDimSize(*dim), begin = op.getIndex()[0], length = op.getIndex()[1];
  int64_t stride = op.getStride();
  if (begin < 0 || begin >= size)
    return infer.error("(C2) expected begin in [0, ", size, "), but got ", begin);
  if (length < 1 || length > size - begin)
    return infer.error("(C3) expected begin + length in [1, ", size, "], but got ", begin, " + ", length);
  int64_t block = stride == 0 ? size : stride;
  if (stride < 0 || stride > size || length > block - begin)
    return infer.error("(C4) expected begin + length <= stride <= ", size, ", but got stride ", stride);
  if (size % block != 0)
    return infer.error("(C5) expected a stride that divides ", size, ", but got ", stride);
  return withDim(op.getOperandA(), *dim, size / block * length);
}

InferredType IndexCopyOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA()), index = tensorType(op.getIndex());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (index.getRank() != 1 || !isa<IntegerType>(index.getElementType()))
    return infer.error("(C2) expected an integer index of rank 1, but got ", index);
  if (op.getValue().getType() != withDim(op.getOperandA(), *dim, index.getDimSize(0)))
    return infer.error("(C3) expected a value that replaces ", index.getDimSize(0), " slices of ", type, ", but got ",
                       op.getValue().getType());
  return type;
}

InferredType EmbeddingOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType table = tensorType(op.getEmbeddingTable()), indices = tensorType(op.getIndices());
  if (failed(infer.rank("embedding_table", op.getEmbeddingTable(), 2)))
    return failure();
  if (!isa<IntegerType>(indices.getElementType()))
    return infer.error("(C2) expected integer indices, but got ", indices);
  if (failed(infer.constantIndices(op.getIndices(), table.getDimSize(0))))
    return failure();
  SmallVector<int64_t> shape(indices.getShape());
  shape.push_back(table.getDimSize(1));
  return table.clone(shape);
}

HostTensors EmbeddingOp::evaluate(Operands operands) {
  const HostTensor &indices = operands[0], &table = operands[1];
  int64_t length = table.shape()[1];
  if (!areWithin(indices, table.shape()[0]))
    return {};
  std::vector<int64_t> source;
  for (int64_t row : indices.ints)
    for (int64_t column = 0; column < length; ++column)
      source.push_back(row * length + column);
  return {table.pick(getType().getShape(), source)};
}
