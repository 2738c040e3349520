//===- Scaler.cpp - ai.onnx.ml.Scaler -------------------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// ai.onnx.ml.Scaler (since 1): (x - offset) * scale, with scalars or one value per feature.
Values forge::convertScaler(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<double> offset = n.floatsAttr("offset"), scale = n.floatsAttr("scale");
  if (n.failed())
    return {};
  if (rankOf(x) == 0)
    return n.refuse(Code::RankWrong, "the operand must have rank 1 or more");
  int64_t features = shapeOf(x).back();
  auto row = [&](ArrayRef<double> numbers, StringRef name) -> Value {
    int64_t count = numbers.size();
    if (count != 1 && count != features)
      return n.refuse(Code::AttributeMismatch, "expected 1 or " + Twine(features) + " numbers in attribute '" + name +
                                                   "', but got " + Twine(count));
    SmallVector<float> narrow(numbers.begin(), numbers.end());
    return b.floats(count, narrow);
  };
  Value offsets = row(offset, "offset"), scales = row(scale, "scale");
  return {n.failed() ? Value()
                     : scaledAndShifted(b, b.create<SubtractOp>(b.cast(x, b.getF32Type()), offsets), scales, {})};
}
