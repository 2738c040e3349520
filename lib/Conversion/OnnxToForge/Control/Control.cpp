//===- Control.cpp - ONNX If, and what it shares with Loop and Scan -------===//

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

Operation *forge::lastOp(ForgeBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  Block::iterator position = builder.getInsertionPoint();
  return position == builder.getInsertionBlock()->begin() ? nullptr : &*std::prev(position);
}

void forge::guardIndices(ForgeBuilder &b, Operation *before, Value condition, bool taken) {
  OpBuilder &builder = b.getBuilder();
  Block *block = builder.getInsertionBlock();
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
}

Value forge::stackValues(OnnxNode &n, ForgeBuilder &b, ArrayRef<Value> slices, int64_t axis) {
  if (slices.empty() || llvm::is_contained(slices, Value()))
    return {};
  Values parts;
  for (Value slice : slices) {
    if (slice.getType() != slices.front().getType())
      return n.refuse(Code::OperandType, "an output has another type in each iteration");
    SmallVector<int64_t> shape(shapeOf(slice));
    shape.insert(shape.begin() + axis, 1);
    parts.push_back(b.reshape(slice, shape));
  }
  return b.concatenate(parts, axis);
}

// If (since 1, 11, 13, 16, 19, 21, 23, 24, 25): a constant condition selects one branch. Otherwise both branches are
// computed, which is valid because nodes have no side effects, and each output is selected.
static Values convertIf(OnnxNode &n, ForgeBuilder &b) {
  Value condition = n.input(0);
  if (n.failed())
    return {};
  if (n.numSubgraphs() != 2 || numElements(condition) != 1)
    return n.refuse(Code::Arity, "expected one condition and the branches 'else_branch' and 'then_branch'");
  // Subgraphs are in alphabetical order.
  constexpr unsigned kElse = 0, kThen = 1;
  if (std::optional<bool> known = knownBool(condition)) {
    auto taken = n.inlineSubgraph(*known ? kThen : kElse, {});
    return taken ? *taken : Values();
  }
  Operation *before = lastOp(b);
  auto whenFalse = n.inlineSubgraph(kElse, {});
  guardIndices(b, before, condition, /*taken=*/false);
  before = lastOp(b);
  auto whenTrue = n.inlineSubgraph(kThen, {});
  guardIndices(b, before, condition, /*taken=*/true);
  if (!whenFalse || !whenTrue)
    return n.refuseUnknown(
        0, "branch '" + Twine(whenFalse ? "then_branch" : "else_branch") +
               "' cannot run on the device; a condition (input 0) that is known at compile time may leave "
               "it out");
  if (whenFalse->size() != whenTrue->size())
    return n.refuse(Code::Arity, "the branches have different numbers of outputs");
  Values results;
  for (auto [yes, no] : llvm::zip_equal(*whenTrue, *whenFalse))
    results.push_back(selectValue(n, b, condition, yes, no));
  return results;
}

void forge::registerControlOps(OnnxRegistry &registry) {
  registry.add({
      {"If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, convertIf},
      {"Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, convertLoop},
      {"Scan", {8, 9, 11, 16, 19, 21, 23, 24, 25}, convertScan},
  });
}
