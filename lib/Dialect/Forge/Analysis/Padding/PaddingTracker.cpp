//===- PaddingTracker.cpp - the contents of padding, op by op -------------===//

#include "forge/Dialect/Forge/Analysis/Padding/PaddingTracker.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;
using namespace forge::itd;

PaddingState PaddingTracker::stateOf(Value value) const {
  auto found = states.find(value);
  if (found == states.end())
    return PaddingState::all(PaddingValue::undef(), shapeOf(value));
  auto spoiled = written.find(storageOf(value));
  if (spoiled == written.end())
    return found->second;
  PaddingState state = found->second;
  for (PaddingValue *region : {&state.rows, &state.cols, &state.corner})
    if (region->kind != PaddingValue::None)
      *region = join(*region, spoiled->second);
  return state;
}

void PaddingTracker::setState(Value value, const PaddingState &state) {
  states[value] = state;
  if (annotate && value.getDefiningOp())
    value.getDefiningOp()->setAttr("forge.padding", StringAttr::get(value.getContext(), state.str()));
}

void PaddingTracker::transfer(Operation *op) {
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return stateOf(operand); });
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      setState(result, paddingOf(result, operands, target));
  if (auto reader = dyn_cast<TilePaddingOpInterface>(op); reader && mayHandOnTiles(reader))
    storage[op->getResult(0)] = storageOf(op->getOperand(0));
}

void PaddingTracker::notePad(PadOp pad) {
  pads[storageOf(pad)].push_back(pad);
  noteFill(storageOf(pad), paddedElements(pad));
}

// A value that is a view of the pad has these elements itself, and not in its padding. An op that may hand on the tiles
// of the pad counts as a later reader.
bool PaddingTracker::holdsElements(Value value, Operation *reader) const {
  auto mayHandOn = [](Operation *op) {
    auto interface = dyn_cast_or_null<TilePaddingOpInterface>(op);
    return interface && mayHandOnTiles(interface);
  };
  llvm::SmallDenseSet<Value> viewed{value};
  for (Value view = value; mayHandOn(view.getDefiningOp());)
    viewed.insert(view = view.getDefiningOp()->getOperand(0));
  return llvm::any_of(pads.lookup(storageOf(value)), [&](Value pad) {
    return !viewed.contains(pad) && llvm::any_of(pad.getUsers(), [&](Operation *user) {
      return mayHandOn(user) || !user->isBeforeInBlock(reader);
    });
  });
}

void PaddingTracker::noteFill(Value root, PaddingValue fill) {
  auto [known, isFirst] = written.try_emplace(root, fill);
  if (!isFirst)
    known->second = join(known->second, fill);
}
