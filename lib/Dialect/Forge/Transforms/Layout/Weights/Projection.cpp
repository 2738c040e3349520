//===- Projection.cpp - x * W + b, and the slices of it -------------------===//

#include "Layout/Weights/Projection.h"

#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

// The constant operand of `add` that holds one value per feature of the other one, `value`.
static Value biasOf(AddOp add, Value value) {
  Value bias = add.getOperandA() == value ? add.getOperandB() : add.getOperandA();
  RankedTensorType type = tensorType(bias);
  int64_t features = shapeOf(value).back();
  if (bias == value || add.getType() != value.getType() || type.getRank() == 0 || type.getNumElements() != features ||
      type.getShape().back() != features || !canDeriveWeight(bias) || bias.getDefiningOp<TransposeOp>())
    return {};
  return bias;
}

std::optional<Projection> Projection::of(MatmulOp matmul) {
  Value weight = matmul.getOperandB();
  if (matmul.getBias() || tensorType(weight).getRank() != 2 || tensorType(matmul.getOperandA()).getRank() < 2 ||
      !canDeriveWeight(weight))
    return std::nullopt;
  Projection found{matmul, {}, {}, {}, matmul.getResult()};
  auto onlyUser = [&] { return found.result.hasOneUse() ? *found.result.user_begin() : nullptr; };
  if (auto add = dyn_cast_or_null<AddOp>(onlyUser()))
    if (Value bias = biasOf(add, found.result)) {
      found.add = add;
      found.bias = bias;
      found.result = add.getResult();
    }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(onlyUser()))
    if (reshape.getType().getRank() > 0 && reshape.getShape().back() == found.features()) {
      found.reshape = reshape;
      found.result = reshape.getResult();
    }
  return found;
}

Value Projection::build(OpBuilder &builder, WeightPart part) {
  auto withFeatures = [&](Value value) {
    SmallVector<int64_t> shape(shapeOf(value));
    shape.back() = part.size();
    return tensorType(value).clone(shape);
  };
  part.axis = 1;
  Value weight = deriveWeight(builder, matmul.getOperandB(), part);
  Value value = MatmulOp::create(builder, withoutTrace(matmul.getLoc()), withFeatures(matmul), matmul.getOperandA(),
                                 weight, Value());
  if (add) {
    part.axis = tensorType(bias).getRank() - 1;
    value =
        AddOp::create(builder, withoutTrace(add.getLoc()), withFeatures(add), value, deriveWeight(builder, bias, part));
  }
  if (reshape)
    value = ReshapeOp::create(builder, withoutTrace(reshape.getLoc()), withFeatures(reshape), value,
                              withFeatures(reshape).getShape());
  return value;
}

SmallVector<AxisSlice> Projection::slices() const {
  SmallVector<AxisSlice> slices;
  for (Operation *user : result.getUsers()) {
    std::optional<AxisSlice> slice = isa<StridedSliceOp>(user) ? AxisSlice::of(user->getResult(0)) : std::nullopt;
    if (!slice || slice->axis != tensorType(result).getRank() - 1 || !slice->isContiguous())
      return {};
    slices.push_back(*slice);
  }
  return slices;
}
