//===- If.cpp - ONNX If ---------------------------------------------------===//

#include "Control.h"

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
    n.refuse(text);
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
      n.refuse("an output has another type in each iteration");
      return {};
    }
    SmallVector<int64_t> shape(shapeOf(slice));
    shape.insert(shape.begin() + axis, 1);
    parts.push_back(b.reshape(slice, shape));
  }
  return b.concatenate(parts, axis);
}

// If (since 1, 11, 13, 16, 19, 21, 23, 24, 25): a known condition leaves one branch. Otherwise both are computed, which
// no one can see since nodes have no effects, and each output is selected.
static Values convertIf(OnnxNode &n, ForgeBuilder &b) {
  Value condition = n.input(0);
  if (n.failed())
    return {};
  if (n.numSubgraphs() != 2 || tensorType(condition).getNumElements() != 1) {
    n.refuse("expected one condition and the branches 'else_branch' and 'then_branch'");
    return {};
  }
  // In the order of their names.
  constexpr unsigned kElse = 0, kThen = 1;
  if (std::optional<bool> known = knownBool(condition)) {
    auto taken = n.inlineSubgraph(*known ? kThen : kElse, {});
    return taken ? *taken : Values();
  }
  auto whenFalse = n.inlineSubgraph(kElse, {});
  auto whenTrue = n.inlineSubgraph(kThen, {});
  if (!whenFalse || !whenTrue)
    return {};
  if (whenFalse->size() != whenTrue->size()) {
    n.refuse("the branches have different numbers of outputs");
    return {};
  }
  Values results;
  for (auto [yes, no] : llvm::zip_equal(*whenTrue, *whenFalse))
    results.push_back(selectValue(n, b, condition, yes, no));
  return results;
}

void forge::registerIfOps(OnnxRegistry &r) { r.add("If", kControlVersions, convertIf); }

void forge::registerControlOps(OnnxRegistry &r) {
  registerIfOps(r);
  registerLoopOps(r);
  registerScanOps(r);
}
