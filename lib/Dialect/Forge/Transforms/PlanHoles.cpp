//===- PlanHoles.cpp - fills of tile holes before their readers -----------===//
//
// One forward pass: the state of every value's holes is carried along, compared with what each reader requires, and a
// fill is inserted where it is not implied. The cheapest remedy wins: the state implies it; the target masks by itself;
// a fill.
//
// Backends may fill in place and return a view. So a fill is a value of its own right before its reader, is shared only
// with readers for which nothing else was filled in between, and spoils what was known of the holes of all values that
// may share the storage.
//
//===----------------------------------------------------------------------===//

#include "HoleFills.h"
#include "HoleTracker.h"

#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <limits>

using namespace mlir;
using namespace forge;
using namespace forge::itd;

namespace forge {
#define GEN_PASS_DEF_FORGEPLANHOLESPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {

/// Fills, in units of one operand's tail (two for a layer norm, which reads its tail twice).
struct PlanTotals {
  int64_t naive = 0; ///< one per tail that a reader requires something of
  int64_t inserted = 0, byState = 0, byProfile = 0;
  int64_t shared = 0;    ///< met by a fill that another reader has
  int64_t shapePads = 0; ///< pads of tails that were right, because the other side of a product grew
};

class HolePlanner {
public:
  HolePlanner(const TargetProfile &target, std::optional<ElementFormat> blockFormat, bool explain, bool annotate)
      : target(target), blockFormat(blockFormat), explain(explain), annotate(annotate), holes(target, annotate) {}

  LogicalResult run(func::FuncOp func);

private:
  // Each gives the reader, or null when other ops took its place.
  FailureOr<Operation *> plan(HoleOpInterface op);
  FailureOr<Operation *> planOperand(HoleOpInterface op, unsigned operand, const HoleNeed &need);
  FailureOr<Operation *> planProduct(MatmulOp op);
  FailureOr<Operation *> planLayerNorm(LayernormOp op, const HoleNeed &need);
  FailureOr<Operation *> replace(Operation *op, Value result);

  FailureOr<Value> filled(Operation *reader, Value value, const HoleNeed &need, Fill fill, bool isShapeOnly = false);
  HoleFillBuilder builder(Operation *before) {
    return HoleFillBuilder(before, [this](Operation *op) { holes.transfer(op); });
  }

  ElementFormat formatOf(Value value) const;
  void remark(Operation *op, unsigned operand, const HoleNeed &need, const Twine &outcome) const;

  const TargetProfile &target;
  std::optional<ElementFormat> blockFormat;
  bool explain, annotate;
  PlanTotals totals;

  /// A fill that its storage still holds.
  struct Filled {
    Value value, padded;
    bool rows, cols;
    Fill fill;
  };
  HoleTracker holes;
  DenseMap<Value, Filled> lastFill; ///< of each storage
};

} // namespace

ElementFormat HolePlanner::formatOf(Value value) const {
  Type element = tensorType(value).getElementType();
  if (isa<IntegerType>(element))
    return *elementFormat("i32");
  return blockFormat.value_or(*elementFormat(element.isF32() ? "f32" : element.isF16() ? "f16" : "bf16"));
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

/// Whether the tails that are read exist at all.
static bool hasTail(const HoleState &state, const HoleNeed &need) {
  return (need.rows && state.rows.kind != HoleVal::None) || (need.cols && state.cols.kind != HoleVal::None);
}

static bool isMet(const HoleState &state, const HoleNeed &need) {
  return (!need.rows || satisfies(state.rows, need.fill)) && (!need.cols || satisfies(state.cols, need.fill)) &&
         (!need.rows || !need.cols || satisfies(state.corner, need.fill));
}

static StringRef tails(const HoleNeed &need) {
  return need.rows && need.cols ? "rows and columns" : need.rows ? "rows" : "columns";
}

static std::string held(const HoleState &state, const HoleNeed &need) {
  if (need.rows && need.cols)
    return state.str();
  return need.rows ? state.rows.str() : state.cols.str();
}

void HolePlanner::remark(Operation *op, unsigned operand, const HoleNeed &need, const Twine &outcome) const {
  if (explain)
    op->emitRemark() << "'" << op->getName() << "' reads the " << tails(need) << " behind operand " << operand << ", "
                     << outcome;
}

FailureOr<Value> HolePlanner::filled(Operation *reader, Value value, const HoleNeed &need, Fill fill,
                                     bool isShapeOnly) {
  Value root = holes.storageOf(value);
  auto last = lastFill.find(root);
  if (last != lastFill.end() && last->second.value == value && last->second.rows == need.rows &&
      last->second.cols == need.cols && last->second.fill == fill) {
    totals.shared += !isShapeOnly;
    return last->second.padded;
  }
  FailureOr<Value> padded = builder(reader).pad(value, need.rows, need.cols, fill);
  if (failed(padded))
    return failure();
  ++(isShapeOnly ? totals.shapePads : totals.inserted);
  if (annotate)
    padded->getDefiningOp()->setAttr("forge.fill",
                                     StringAttr::get(reader->getContext(), isShapeOnly ? "shape" : "fill"));
  holes.noteFill(root, fill.replicate ? HoleVal::undef() : HoleVal::of(fill.value));
  lastFill[root] = {value, *padded, need.rows, need.cols, fill};
  return padded;
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

FailureOr<Operation *> HolePlanner::replace(Operation *op, Value result) {
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return nullptr;
}

FailureOr<Operation *> HolePlanner::planOperand(HoleOpInterface op, unsigned operand, const HoleNeed &need) {
  Value value = op->getOperand(operand);
  std::optional<Fill> fill = fillFor(need.fill, tensorType(value).getElementType(), op.getHoleRow());
  HoleState state = holes.stateOf(value);
  FailureOr<Value> padded = failure();
  if (fill)
    padded = filled(op, value, need, *fill);
  if (failed(padded)) {
    InFlightDiagnostic error = emitError(op, Code::HoleUnfilled)
                               << "'" << op->getName() << "' reads the holes behind the " << tails(need) << " of "
                               << value.getType() << ", which hold " << held(state, need) << ": ";
    if (need.fill.kind == FillRequirement::ReplicateOrCast)
      return error << "no constant fill for block floats; keep this tensor in bf16";
    return error << "no fill leaves its result alone; make the size a multiple of " << Tile().height;
  }
  remark(op, operand, need, "whose holes hold " + held(state, need) + ": filled with " + fill->str());

  HoleFillBuilder make = builder(op);
  RankedTensorType type = tensorType(op->getResult(0));
  switch (op.getHoleRow()) {
  case HoleRow::Sum:
  case HoleRow::Max:
  case HoleRow::ArgMax: op->setOperand(operand, *padded); return op.getOperation();
  case HoleRow::Mean: {
    // The mean of the padded axis would count the fill.
    int64_t dim = *reducedDim(op), axis = dim < 0 ? dim + tensorType(value).getRank() : dim;
    auto average = dyn_cast<ReduceAvgOp>(op.getOperation());
    Value mean = make.mean(*padded, dim, shapeOf(value)[axis], !average || average.getKeepDim());
    return replace(op, mean);
  }
  case HoleRow::Softmax:
  case HoleRow::LogSoftmax: {
    bool isLog = op.getHoleRow() == HoleRow::LogSoftmax;
    Value wide;
    if (auto log = dyn_cast<LogSoftmaxOp>(op.getOperation()))
      wide = make.make<LogSoftmaxOp>(*padded, log.getDim(), log.getStable());
    else
      wide = make.make<SoftmaxOp>(*padded, cast<SoftmaxOp>(op).getDim(), cast<SoftmaxOp>(op).getStable());
    Value result = make.cut(wide, type.getShape());
    // The cut leaves the values of the filled items behind, which are known.
    HoleState cut = holes.stateOf(result);
    HoleVal &tail = need.rows ? cut.rows : cut.cols;
    tail = HoleVal::of(isLog ? -std::numeric_limits<double>::infinity() : 0.0);
    tail.live = true;
    holes.setState(result, cut);
    return replace(op, result);
  }
  case HoleRow::CacheWrite:
  case HoleRow::IntegerDivision: {
    // These cannot run on a larger operand: the cut leaves the fill behind.
    Value cut = make.cut(*padded, shapeOf(value));
    HoleState known = holes.stateOf(cut);
    for (HoleVal *region : {need.rows ? &known.rows : nullptr, need.cols ? &known.cols : nullptr,
                            need.rows && need.cols ? &known.corner : nullptr})
      if (region && region->kind != HoleVal::None)
        *region = HoleVal::of(fill->value);
    holes.setState(cut, known);
    op->setOperand(operand, cut);
    return op.getOperation();
  }
  default: llvm_unreachable("this row requires no fill of one operand");
  }
}

/// How many tiles a fill of this operand's contracted axis touches.
static int64_t edgeTiles(Value value, const HoleNeed &need) {
  if (isa_and_nonnull<ParameterOp, ConstantOp>(value.getDefiningOp()))
    return 0; // When the program is compiled.
  MatrixShape shape(value);
  int64_t matrices = tensorType(value).getNumElements() / std::max<int64_t>(shape.height * shape.width, 1);
  return matrices * ((need.rows ? shape.width : shape.height) + Tile().height - 1) / Tile().height;
}

FailureOr<Operation *> HolePlanner::planProduct(MatmulOp op) {
  auto interface = cast<HoleOpInterface>(op.getOperation());
  HoleNeed needs[2];
  HoleState given[2];
  HoleVal contracted[2];
  for (unsigned side : {0, 1}) {
    Value operand = op->getOperand(side);
    needs[side] = interface.requiredFill(side, formatOf(operand));
    given[side] = holes.stateOf(operand);
    contracted[side] = needs[side].rows ? given[side].rows : given[side].cols;
  }
  if (contracted[0].kind == HoleVal::None)
    return op.getOperation();
  totals.naive += 2;
  HoleState lhs, rhs;
  lhs.cols = contracted[0];
  rhs.rows = contracted[1];
  auto explainSide = [&](unsigned side, const Twine &outcome) {
    remark(op, side, needs[side], "whose holes hold " + contracted[side].str() + ": " + outcome);
  };
  if (matmulHolesSafe(lhs, rhs)) {
    totals.byState += 2;
    for (unsigned side : {0, 1})
      explainSide(side, "no fill, a product with what the other side holds is 0");
    return op.getOperation();
  }
  // One side 0 and the other finite: a side that is not finite must be filled, else the cheaper one.
  bool fills[2] = {!contracted[0].isFinite(), !contracted[1].isFinite()};
  if (!fills[0] && !fills[1])
    fills[edgeTiles(op.getOperandA(), needs[0]) <= edgeTiles(op.getOperandB(), needs[1]) ? 0 : 1] = true;
  Value operands[2];
  for (unsigned side : {0, 1}) {
    FailureOr<Value> padded = filled(op, op->getOperand(side), needs[side], Fill{0}, /*isShapeOnly=*/!fills[side]);
    assert(succeeded(padded) && "zeros can be padded in any rank");
    operands[side] = *padded;
    totals.byState += !fills[side];
    explainSide(side, fills[side] ? "filled with 0" : "no fill, padded to the size of the other side");
  }
  op.getOperandAMutable().assign(operands[0]);
  op.getOperandBMutable().assign(operands[1]);
  return op.getOperation();
}

FailureOr<Operation *> HolePlanner::planLayerNorm(LayernormOp op, const HoleNeed &need) {
  // The variance reads what centring left behind the items, -mean: its squares are filled again.
  Value value = op.getOperandA();
  Type element = tensorType(value).getElementType(), wide = Float32Type::get(op.getContext());
  int64_t count = shapeOf(value).back();
  HoleFillBuilder make = builder(op);
  auto meanOf = [&](Value input) -> Value {
    if (isMet(holes.stateOf(input), need)) {
      ++totals.byState;
      remark(op, 0, need, "whose holes hold " + held(holes.stateOf(input), need) + ": no fill");
      return make.make<ReduceAvgOp>(input, int64_t(-1), true);
    }
    remark(op, 0, need, "whose holes hold " + held(holes.stateOf(input), need) + ": filled with 0");
    return make.mean(*filled(op, input, need, Fill{0}), -1, count, /*keepDim=*/true);
  };
  Value input = make.cast(value, wide);
  Value centred = make.make<SubtractOp>(input, meanOf(input));
  Value variance = meanOf(make.make<MultiplyOp>(centred, centred));
  Value shifted = make.make<AddOp>(variance, make.scalar(op.getEpsilon().convertToDouble(), wide));
  Value normal = make.make<DivideOp>(centred, make.make<SqrtOp>(shifted));
  Value scaled = make.make<MultiplyOp>(normal, make.cast(op.getWeights(), wide));
  Value result = make.cast(make.make<AddOp>(scaled, make.cast(op.getBias(), wide)), element);
  return replace(op, result);
}

FailureOr<Operation *> HolePlanner::plan(HoleOpInterface op) {
  bool isMasked = op.backendHandlesHoles(target);
  if (auto product = dyn_cast<MatmulOp>(op.getOperation()); product && !isMasked)
    return planProduct(product);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    Value value = op->getOperand(operand);
    HoleNeed need = op.requiredFill(operand, formatOf(value));
    HoleState state = holes.stateOf(value);
    if (!need.needed() || !hasTail(state, need))
      continue;
    int64_t reads = need.fill.refill ? 2 : 1;
    totals.naive += reads;
    if (isMasked) {
      totals.byProfile += reads;
      remark(op, operand, need, "no fill: target '" + target.name + "' masks them");
    } else if (auto norm = dyn_cast<LayernormOp>(op.getOperation())) {
      return planLayerNorm(norm, need);
    } else if (isMet(state, need)) {
      totals.byState += reads;
      remark(op, operand, need, "whose holes hold " + held(state, need) + ": no fill");
    } else {
      return planOperand(op, operand, need);
    }
  }
  return op.getOperation();
}

LogicalResult HolePlanner::run(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return emitError(func, Code::InvalidIr) << "expected a function of one block, whose holes can be followed";
  for (Value argument : func.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      holes.setState(argument, HoleState::all(target.host, shapeOf(argument)));
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
    FailureOr<Operation *> planned = &op;
    if (auto reader = dyn_cast<HoleOpInterface>(&op))
      planned = plan(reader);
    if (failed(planned))
      return failure();
    if (*planned)
      holes.transfer(*planned);
  }
  if (explain) {
    llvm::json::Object json{{"target", target.name},         {"naive", totals.naive},
                            {"inserted", totals.inserted},   {"shared", totals.shared},
                            {"by_state", totals.byState},    {"by_profile", totals.byProfile},
                            {"shape_pads", totals.shapePads}};
    std::string text;
    llvm::raw_string_ostream(text) << llvm::json::Value(std::move(json));
    func.emitRemark() << "hole plan: " << text;
  }
  return success();
}

namespace {
struct ForgePlanHolesPass : forge::impl::ForgePlanHolesPassBase<ForgePlanHolesPass> {
  using ForgePlanHolesPassBase::ForgePlanHolesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func))
      return;
    FailureOr<const TargetProfile *> profile = TargetProfile::parse(func, target);
    if (failed(profile))
      return signalPassFailure();
    std::optional<ElementFormat> stored = elementFormat(format);
    if (!format.empty() && (!stored || !stored->isBlockFloat())) {
      emitError(func, Code::PassOption) << "expected format bfp8, bfp4 or bfp2, but got '" << format << "'";
      return signalPassFailure();
    }
    if (failed(HolePlanner(**profile, stored, explain, annotate).run(func)))
      signalPassFailure();
  }
};
} // namespace
