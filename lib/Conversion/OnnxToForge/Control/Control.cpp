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
  // Operands that may be invalid, and a valid number for each.
  SmallVector<std::pair<OpOperand *, int64_t>> guarded;
  auto isInside = [&](Operation *op) { return op->getBlock() == block && (!before || before->isBeforeInBlock(op)); };
  for (auto op = before ? std::next(before->getIterator()) : block->begin(); op != builder.getInsertionPoint(); ++op) {
    bool divides = isa<QuotientOp, RemainderOp>(*op) && isa<IntegerType>(elementOf(op->getOperand(1)));
    if (!divides && !isa<WrapIndexOp, EmbeddingOp, AdvIndexOp>(*op))
      continue;
    OpOperand *operand = &op->getOpOperand(divides || isa<AdvIndexOp>(*op) ? 1 : 0);
    // A cast of an invalid number may be invalid, too.
    for (Operation *from = operand->get().getDefiningOp();
         isa_and_nonnull<CastOp, ReshapeOp>(from) && from->hasOneUse() && isInside(from);
         from = operand->get().getDefiningOp())
      operand = &from->getOpOperand(0);
    if (!knownValue(operand->get()) && !operand->get().getDefiningOp<WrapIndexOp>())
      guarded.push_back({operand, divides ? 1 : 0});
  }
  for (auto [operand, valid] : guarded) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(operand->getOwner());
    Value given = operand->get(), other = b.scalarLike(given, valid), scalar = b.reshape(condition, {});
    operand->set(b.create<WhereOp>(scalar, taken ? given : other, taken ? other : given));
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
