//===- Concat.cpp - ONNX Concat -------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Concat (since 1, 4, 11, 13).
Values forge::convertConcat(OnnxNode &n, ForgeBuilder &b) {
  Values operands = n.inputs();
  int64_t axis = n.since() < 4 ? n.intAttr("axis", 1) : n.intAttr("axis");
  if (operands.empty())
    n.refuse(Code::OperandMissing, "there are no inputs");
  if (n.failed())
    return {};
  axis = n.axis(axis, tensorType(operands.front()).getRank());
  for (Value operand : operands)
    if (tensorType(operand).getRank() != tensorType(operands.front()).getRank())
      n.refuse(Code::RankWrong, "the inputs differ in rank");
  return {n.failed() ? Value() : b.concatenate(operands, axis)};
}
