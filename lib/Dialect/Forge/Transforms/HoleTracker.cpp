//===- HoleTracker.cpp - what holes hold, op after op ---------------------===//

#include "HoleTracker.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;
using namespace forge::itd;

HoleState HoleTracker::stateOf(Value value) const {
  auto found = states.find(value);
  if (found == states.end())
    return HoleState::all(HoleVal::undef(), shapeOf(value));
  auto spoiled = written.find(storageOf(value));
  if (spoiled == written.end())
    return found->second;
  HoleState state = found->second;
  for (HoleVal *region : {&state.rows, &state.cols, &state.corner})
    if (region->kind != HoleVal::None)
      *region = join(*region, spoiled->second);
  return state;
}

void HoleTracker::setState(Value value, const HoleState &state) {
  states[value] = state;
  if (annotate && value.getDefiningOp())
    value.getDefiningOp()->setAttr("forge.holes", StringAttr::get(value.getContext(), state.str()));
}

// Whether a backend may return its first operand's tiles: as a view, or where there is nothing to do.
static bool mayHandOnTiles(HoleOpInterface op) {
  return isa<CastOp>(op) || llvm::is_contained({HoleRow::View, HoleRow::Index, HoleRow::Pad, HoleRow::Transpose,
                                                HoleRow::Repeat, HoleRow::Concatenate},
                                               op.getHoleRow());
}

void HoleTracker::transfer(Operation *op) {
  SmallVector<HoleState> operands;
  for (Value operand : op->getOperands())
    operands.push_back(stateOf(operand));
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      setState(result, holesOf(result, operands, target));
  if (auto reader = dyn_cast<HoleOpInterface>(op); reader && mayHandOnTiles(reader))
    storage[op->getResult(0)] = storageOf(op->getOperand(0));
}

void HoleTracker::noteFill(Value root, HoleVal fill) {
  auto [known, isFirst] = written.try_emplace(root, fill);
  if (!isFirst)
    known->second = join(known->second, fill);
}
