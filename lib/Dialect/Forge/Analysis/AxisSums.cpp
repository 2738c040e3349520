//===- AxisSums.cpp - sums of a residual network --------------------------===//

#include "forge/Dialect/Forge/Analysis/AxisSums.h"

#include "Terms.h"
#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"

using namespace mlir;
using namespace forge;

static int64_t lastSize(Value value) { return tensorType(value).getRank() == 0 ? 1 : shapeOf(value).back(); }

// Whether a sum with `weight` may round on purpose. Of large weights, whose elements are not known (mayRoundOnPurpose),
// one is added and subtracted again to round. Others, such as the positions of a transformer, are added once.
static bool roundsInSums(Value weight) {
  auto isSum = [](Operation *user) { return isa<AddOp, SubtractOp>(user); };
  return hasLargeConstant(weight) || (mayRoundOnPurpose(weight) && llvm::count_if(weight.getUsers(), isSum) > 1);
}

// Adds `operand`, an addend of a sum whose trailing axis has `size` elements, to `addends`. Returns false if the change
// cannot be applied to it: it broadcasts along the axis, or is a weight that must not change. The operands of a sum may
// have different element types: an addend of another type than Float32 would be rounded to that type after the change.
bool AxisSums::addAddend(OpOperand &operand, int64_t size, AxisAddends &addends) const {
  Value value = operand.get();
  if (lastSize(value) != size || !isFloat32(value))
    return false;
  if (!isWeight(value))
    addends.values.push_back(&operand);
  else if (mayBeStoredOtherwise(value) && !roundsInSums(value))
    addends.weights.push_back({&operand, tensorType(value).getRank() - 1});
  else
    return false;
  return true;
}

// The addends of the result of `op`: a linear change of the trailing axis of the result is the same change of each of
// them. `op` is a product with weights, whose columns are the addend, or sums products of an addend and of factors that
// are constant along the axis. None for other ops.
std::optional<AxisAddends> AxisSums::sumOf(Operation *op) const {
  if (op->getNumResults() != 1 || !isFloat32(op->getResult(0)))
    return std::nullopt;
  Value result = op->getResult(0);
  int64_t size = lastSize(result), last = tensorType(result).getRank() - 1;
  AxisAddends addends;
  if (std::optional<WeightProduct> product = WeightProduct::of(op)) {
    // With groups, a channel depends on the inputs of its group only, so that weights cannot subtract the mean of all.
    if (product->axis != last || product->groups != 1 || !isFloat32(product->weights->get()))
      return std::nullopt;
    addends.weights.push_back({product->weights, product->columns});
    return !product->bias || addAddend(*product->bias, size, addends) ? std::optional(addends) : std::nullopt;
  }
  auto joined = dyn_cast<ConcatenateOp>(op);
  bool keeps = isElementwise(op) || keepsLastAxis(op) || (joined && fromFront(joined.getAxis(), last + 1) != last);
  SmallVector<Term, 2> products = keeps ? termsOf(op) : SmallVector<Term, 2>();
  if (products.empty())
    return std::nullopt;
  // The other factors, divisors and conditions.
  llvm::SmallPtrSet<OpOperand *, 2> rest;
  for (OpOperand &operand : op->getOpOperands())
    rest.insert(&operand);
  for (ArrayRef<OpOperand *> factors : products) {
    OpOperand *addend = lastSize(factors.front()->get()) == 1 ? factors.back() : factors.front();
    rest.erase(addend);
    if (!addAddend(*addend, size, addends))
      return std::nullopt;
  }
  bool areConstant = llvm::all_of(rest, [](OpOperand *operand) { return lastSize(operand->get()) == 1; });
  return areConstant ? std::optional(addends) : std::nullopt;
}

void AxisSums::add(Value value) {
  if (values.insert(value))
    pending.push_back(value);
}

// Visits the producer of `value` and its users, and adds the values that change with it.
void AxisSums::explore(Value value) {
  Operation *op = value.getDefiningOp();
  if (std::optional<AxisAddends> made = op ? sumOf(op) : std::nullopt) {
    for (OpOperand *addend : made->values)
      add(addend->get());
    addends[op] = std::move(*made);
  } else {
    fixed.insert(value);
  }
  for (OpOperand &use : value.getUses()) {
    if (ignores(use))
      continue;
    std::optional<AxisAddends> sum = sumOf(use.getOwner());
    if (sum && llvm::is_contained(sum->values, &use))
      add(use.getOwner()->getResult(0));
    else
      fixed.insert(value);
  }
}

AxisSums::AxisSums(ArrayRef<Value> roots, Ignores ignores) : ignores(ignores) {
  llvm::for_each(roots, [&](Value root) { add(root); });
  while (!pending.empty())
    explore(pending.pop_back_val());
  for (size_t next = 0; next < fixed.size(); ++next)
    // The addends of a value that does not change do not change either.
    if (auto made = addends.find(fixed[next].getDefiningOp()); made != addends.end())
      for (OpOperand *addend : made->second.values)
        fixed.insert(addend->get());
  for (Value value : values) {
    if (!changes(value))
      continue;
    together.insert(value);
    for (OpOperand *addend : addends.at(value.getDefiningOp()).values)
      if (changes(addend->get()))
        together.unionSets(value, addend->get());
  }
}

void AxisSums::forEachPart(llvm::function_ref<void(const Part &)> visit) const {
  for (const auto *leader : together) {
    if (!leader->isLeader())
      continue;
    Part part;
    for (Value value : together.members(*leader)) {
      part.sums.push_back(value.getDefiningOp());
      for (OpOperand *addend : addends.at(part.sums.back()).values)
        if (!changes(addend->get()))
          part.fixed.insert(addend->get());
      for (OpOperand &use : value.getUses())
        if (ignores(use))
          part.unaffectedUses.push_back(&use);
    }
    visit(part);
  }
}
