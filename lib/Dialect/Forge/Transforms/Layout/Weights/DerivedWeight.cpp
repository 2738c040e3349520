//===- DerivedWeight.cpp - parts of weights -------------------------------===//

#include "Layout/Weights/DerivedWeight.h"

#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

bool forge::canDeriveWeight(Value weight) {
  if (auto parameter = weight.getDefiningOp<ParameterOp>())
    return !parameter.getDerived();
  if (auto transpose = weight.getDefiningOp<TransposeOp>())
    return transpose.getType().getRank() == 2 && canDeriveWeight(transpose.getOperandA());
  auto constant = weight.getDefiningOp<ConstantOp>();
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  // A splat of any size takes no memory, but a part of it may.
  constexpr int64_t kMost = 1 << 24;
  return value && value.getNumElements() <= kMost;
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
  SmallVector<int64_t> shape(type.getShape());
  shape[part.axis] = part.size();
  if (auto parameter = weight.getDefiningOp<ParameterOp>()) {
    auto derived =
        builder.getDenseI64ArrayAttr({part.axis, part.begin, part.end, part.block, part.padded, part.offset});
    return ParameterOp::create(builder, loc, type.clone(shape), parameter.getKeyAttr(), derived,
                               parameter.getBlobAttr());
  }
  auto value = cast<DenseElementsAttr>(weight.getDefiningOp<ConstantOp>().getValue());
  return ConstantOp::create(builder, loc, type.clone(shape), partOf(value, part));
}
