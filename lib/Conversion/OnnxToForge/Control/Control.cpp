//===- Control.cpp - what If, Loop and Scan share -------------------------===//

#include "Control.h"

#include "../RegisterAll.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace forge;

std::optional<bool> forge::knownBool(Value value) {
  DenseElementsAttr known = knownValue(value);
  if (!known || known.getNumElements() != 1)
    return std::nullopt;
  return numberValues(known).front() != 0;
}

Value forge::selectValue(OnnxNode &n, ForgeBuilder &b, Value condition, Value whenTrue, Value whenFalse) {
  if (!condition || !whenTrue || !whenFalse)
    return {};
  if (whenTrue == whenFalse)
    return whenTrue;
  if (whenTrue.getType() != whenFalse.getType())
    return n.refuse(Code::OperandUnknown, "a condition that is not known at compile time chooses between " +
                                              llvm::to_string(whenTrue.getType()) + " and " +
                                              llvm::to_string(whenFalse.getType()));
  return b.create<WhereOp>(b.reshape(condition, {}), whenTrue, whenFalse);
}

std::optional<Values> forge::inlineGuarded(OnnxNode &n, ForgeBuilder &b, unsigned subgraph, ArrayRef<Value> arguments,
                                           Value condition, bool taken) {
  OpBuilder &builder = b.getBuilder();
  Block *block = builder.getInsertionBlock();
  Operation *before =
      builder.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(builder.getInsertionPoint());
  std::optional<Values> yields = n.inlineSubgraph(subgraph, arguments);
  if (!condition)
    return yields;
  SmallVector<WrapIndexOp> selections;
  for (auto op = before ? std::next(before->getIterator()) : block->begin(); op != builder.getInsertionPoint(); ++op)
    if (auto selection = dyn_cast<WrapIndexOp>(*op))
      selections.push_back(selection);
  for (WrapIndexOp selection : selections) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(selection);
    Value index = selection.getIndices(), zero = b.scalarLike(index, 0), scalar = b.reshape(condition, {});
    selection.getIndicesMutable().assign(b.create<WhereOp>(scalar, taken ? index : zero, taken ? zero : index));
  }
  return yields;
}

Value forge::stackValues(OnnxNode &n, ForgeBuilder &b, ArrayRef<Value> slices, int64_t axis) {
  if (slices.empty() || llvm::is_contained(slices, Value()))
    return {};
  Values parts;
  for (Value slice : slices) {
    if (slice.getType() != slices.front().getType())
      return n.refuse(Code::OperandType, "an output has another type in each iteration");
    parts.push_back(b.reshape(slice, withAxis(shapeOf(slice), axis)));
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
