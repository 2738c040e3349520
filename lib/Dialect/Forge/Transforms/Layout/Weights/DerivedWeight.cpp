//===- DerivedWeight.cpp - parts of weights -------------------------------===//
//
// The ops that are made here are computed when the weights are written (ComputedWeights): the device sees the part.
//

#include "Layout/Weights/DerivedWeight.h"

#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

bool forge::canDeriveWeight(Value weight) {
  if (weight.getDefiningOp<ParameterOp>())
    return true;
  if (auto transpose = weight.getDefiningOp<TransposeOp>())
    return transpose.getType().getRank() == 2 && canDeriveWeight(transpose.getOperandA());
  auto constant = weight.getDefiningOp<ConstantOp>();
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  // A splat of any size takes no memory, but a part of it may.
  constexpr int64_t kMost = 1 << 24;
  return value && HostTensor::holds(value) && value.getNumElements() <= kMost;
}

static DenseElementsAttr partOf(DenseElementsAttr value, WeightPart part) {
  HostTensor whole = HostTensor::fromAttr(value);
  SmallVector<int64_t> shape(whole.shape()), strides = stridesOf(whole.shape());
  shape[part.axis] = part.size();
  std::vector<int64_t> source;
  std::vector<bool> isPadding;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t flat = 0, inBlock = index[part.axis] % part.padded - part.offset;
    for (auto [i, stride] : llvm::enumerate(strides)) {
      int64_t at = index[i];
      if (static_cast<int64_t>(i) == part.axis)
        at = part.begin + index[i] / part.padded * part.block + std::clamp<int64_t>(inBlock, 0, part.block - 1);
      flat += at * stride;
    }
    source.push_back(flat);
    isPadding.push_back(inBlock < 0 || inBlock >= part.block);
  });
  HostTensor result = whole.pick(shape, source);
  for (size_t i = 0; i < isPadding.size(); ++i) {
    if (!isPadding[i])
      continue;
    if (result.isFloat())
      result.floats[i] = 0;
    else
      result.ints[i] = 0;
  }
  return result.toAttr();
}

// All items of the part's axis of `items`, each block of them among its zeros.
static Value paddedBlocks(OpBuilder &builder, Location loc, Value items, WeightPart part) {
  RankedTensorType type = tensorType(items);
  int64_t inner = 1, blocks = (part.end - part.begin) / part.block;
  for (int64_t size : type.getShape().drop_front(part.axis + 1))
    inner *= size;
  SmallVector<int64_t> shape(type.getShape().take_front(part.axis));
  shape.append({blocks, part.block * inner});
  SmallVector<Value> pieces{ReshapeOp::create(builder, loc, type.clone(shape), items, shape)};
  auto zeros = [&](int64_t count) {
    shape.back() = count * inner;
    return ConstantOp::create(builder, loc, type.clone(shape), splatAttr(type.clone(shape), 0));
  };
  if (part.offset > 0)
    pieces.insert(pieces.begin(), zeros(part.offset));
  if (int64_t after = part.padded - part.offset - part.block; after > 0)
    pieces.push_back(zeros(after));
  shape.back() = part.padded * inner;
  Value joined = ConcatenateOp::create(builder, loc, type.clone(shape), pieces, int64_t(-1));
  shape.assign(type.getShape().begin(), type.getShape().end());
  shape[part.axis] = part.size();
  return ReshapeOp::create(builder, loc, type.clone(shape), joined, shape);
}

Value forge::deriveWeight(OpBuilder &builder, Value weight, WeightPart part) {
  RankedTensorType type = tensorType(weight);
  Location loc = withoutTrace(weight.getLoc());
  if (part.begin == 0 && part.end == type.getDimSize(part.axis) && part.block == part.padded)
    return weight;
  if (auto transpose = weight.getDefiningOp<TransposeOp>()) {
    part.axis = 1 - part.axis;
    Value derived = deriveWeight(builder, transpose.getOperandA(), part);
    SmallVector<int64_t> shape(llvm::reverse(shapeOf(derived)));
    return TransposeOp::create(builder, loc, type.clone(shape), derived, transpose.getDim0(), transpose.getDim1());
  }
  if (auto constant = weight.getDefiningOp<ConstantOp>()) {
    SmallVector<int64_t> shape(type.getShape());
    shape[part.axis] = part.size();
    return ConstantOp::create(builder, loc, type.clone(shape),
                              partOf(cast<DenseElementsAttr>(constant.getValue()), part));
  }
  Value items = weight;
  if (part.begin != 0 || part.end != type.getDimSize(part.axis))
    items = IndexOp::create(builder, loc, withDim(weight, part.axis, part.end - part.begin), weight, part.axis,
                            part.begin, part.end, int64_t(1));
  return part.block == part.padded ? items : paddedBlocks(builder, loc, items, part);
}
