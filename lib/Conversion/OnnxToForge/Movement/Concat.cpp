//===- Concat.cpp - ONNX Concat -------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

Values forge::convertConcat(OnnxNode &n, ForgeBuilder &b) {
  Values operands = n.inputs();
  if (operands.empty())
    return n.refuse(Code::OperandMissing, "there are no inputs");
  int64_t axis = n.axisAttr(operands.front(), n.since() < 4 ? std::optional(1) : std::nullopt);
  if (n.failed())
    return {};
  for (Value operand : operands)
    if (rankOf(operand) != rankOf(operands.front()))
      n.refuse(Code::RankWrong, "the inputs differ in rank");
  return {n.failed() ? Value() : b.concatenate(operands, axis)};
}
