//===- Scaler.cpp - Scaler of ai.onnx.ml ----------------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// ai.onnx.ml.Scaler (since 1): (x - offset) * scale, with one number each, or one per feature.
Values forge::convertScaler(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<double> offset = n.floatsAttr("offset"), scale = n.floatsAttr("scale");
  if (n.failed())
    return {};
  if (!tensorType(x).getElementType().isF32() || tensorType(x).getRank() == 0) {
    n.refuse(Code::OperandType, "expected a float32 operand of rank 1 or more");
    return {};
  }
  int64_t features = shapeOf(x).back();
  auto row = [&](ArrayRef<double> numbers, StringRef name) -> Value {
    int64_t count = numbers.size();
    if (count != 1 && count != features) {
      n.refuse(Code::AttributeMismatch,
               "expected 1 or " + Twine(features) + " numbers in attribute '" + name + "', but got " + Twine(count));
      return {};
    }
    SmallVector<float> narrow(numbers.begin(), numbers.end());
    return b.constant(
        DenseElementsAttr::get(RankedTensorType::get({count}, b.getBuilder().getF32Type()), ArrayRef<float>(narrow)));
  };
  Value offsets = row(offset, "offset"), scales = row(scale, "scale");
  return {n.failed() ? Value() : b.create<MultiplyOp>(b.create<SubtractOp>(x, offsets), scales)};
}
