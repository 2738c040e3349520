//===- Control.cpp - what If, Loop and Scan share -------------------------===//

#include "Control.h"

#include "../RegisterAll.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

std::optional<bool> forge::knownBool(Value value) {
  DenseElementsAttr known;
  if (!value || !matchPattern(value, m_Constant(&known)) || known.getNumElements() != 1)
    return std::nullopt;
  return numberValues(known).front() != 0;
}

Value forge::selectValue(OnnxNode &n, ForgeBuilder &b, Value condition, Value whenTrue, Value whenFalse) {
  if (!condition || !whenTrue || !whenFalse)
    return {};
  if (whenTrue == whenFalse)
    return whenTrue;
  if (whenTrue.getType() != whenFalse.getType()) {
    std::string text;
    llvm::raw_string_ostream(text) << "a condition that is not known at compile time chooses between "
                                   << whenTrue.getType() << " and " << whenFalse.getType();
    n.refuse(Code::OperandUnknown, text);
    return {};
  }
  return b.create<WhereOp>(b.reshape(condition, {}), whenTrue, whenFalse);
}

Value forge::stackValues(OnnxNode &n, ForgeBuilder &b, ArrayRef<Value> slices, int64_t axis) {
  if (slices.empty() || llvm::is_contained(slices, Value()))
    return {};
  Values parts;
  for (Value slice : slices) {
    if (slice.getType() != slices.front().getType()) {
      n.refuse(Code::OperandType, "an output has another type in each iteration");
      return {};
    }
    SmallVector<int64_t> shape(shapeOf(slice));
    shape.insert(shape.begin() + axis, 1);
    parts.push_back(b.reshape(slice, shape));
  }
  return b.concatenate(parts, axis);
}

void forge::registerControlOps(OnnxRegistry &registry) {
  registry.add({
      {"If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, convertIf},
      {"Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, convertLoop},
      {"Scan", {8, 9, 11, 16, 19, 21, 23, 24, 25}, convertScan},
  });
}
