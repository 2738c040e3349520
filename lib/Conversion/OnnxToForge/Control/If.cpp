//===- If.cpp - ONNX If ---------------------------------------------------===//

#include "Control.h"

using namespace mlir;
using namespace forge;

// If (since 1, 11, 13, 16, 19, 21, 23, 24, 25): a constant condition selects one branch. Otherwise both branches are
// computed, which is valid because nodes have no side effects, and each output is selected.
Values forge::convertIf(OnnxNode &n, ForgeBuilder &b) {
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
  auto whenFalse = inlineGuarded(n, b, kElse, {}, condition, /*taken=*/false);
  auto whenTrue = inlineGuarded(n, b, kThen, {}, condition, /*taken=*/true);
  if (!whenFalse || !whenTrue)
    return n.refuseUnknown(0, "branch '" + Twine(whenFalse ? "then_branch" : "else_branch") +
                                  "' cannot run on the device, and both branches run unless the condition (input 0) is "
                                  "known at compile time");
  if (whenFalse->size() != whenTrue->size())
    return n.refuse(Code::Arity, "the branches have different numbers of outputs");
  Values results;
  for (auto [yes, no] : llvm::zip_equal(*whenTrue, *whenFalse))
    results.push_back(selectValue(n, b, condition, yes, no));
  return results;
}
