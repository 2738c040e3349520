//===- FillTilePadding.cpp - fills tile padding that kernels read ---------===//
//
// One forward pass tracks what the tile padding of each value holds (PaddingState), in rows, columns, and the corner of
// both, and compares it with what each user requires (PaddingNeed). A fill, an op that enlarges a value to whole tiles
// (PaddingFills.h), is inserted only if the state does not meet the need already, and the target does not mask the
// padding itself. What a kernel does with padding is its TilePaddingRow, such as Sum or Softmax.
//
// A backend may fill in place and return a view. Therefore a fill is a separate op right before its user. Another user
// may share it only if the same storage was not filled differently in between. A fill invalidates the known padding of
// all values that may share the storage. Pads of the program may be done in place, too: if a fill would overwrite their
// elements, a copy is filled.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "Requirements.h"
#include "TilePadding/PaddingFills.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/Padding/PaddingTracker.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <limits>

#define GEN_PASS_DEF_FORGEFILLTILEPADDINGPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;
using namespace forge::itd;

// Whether there is padding in the rows or columns that the kernel reads.
static bool hasPadding(const PaddingState &state, const PaddingNeed &need) {
  return (need.rows && state.rows.kind != PaddingValue::None) || (need.cols && state.cols.kind != PaddingValue::None);
}

// Whether the padding that the kernel reads holds what `need` requires.
static bool isMet(const PaddingState &state, const PaddingNeed &need) {
  return (!need.rows || satisfies(state.rows, need.fill)) && (!need.cols || satisfies(state.cols, need.fill)) &&
         (!need.rows || !need.cols || satisfies(state.corner, need.fill));
}

// For remarks: the name of the padding that the kernel reads.
static StringRef namesOfPadding(const PaddingNeed &need) {
  return need.rows && need.cols ? "rows and columns" : need.rows ? "rows" : "columns";
}

// For remarks: what the padding that the kernel reads holds.
static std::string paddingText(const PaddingState &state, const PaddingNeed &need) {
  if (need.rows && need.cols)
    return state.str();
  return need.rows ? state.rows.str() : state.cols.str();
}

// The number of tiles that a fill of the contracted axis of this operand writes.
static int64_t edgeTiles(Value value, const PaddingNeed &need) {
  if (isa_and_nonnull<ParameterOp, ConstantOp>(value.getDefiningOp()))
    return 0; // Weights are filled when the program is compiled.
  MatrixShape shape(value);
  int64_t matrices = tensorType(value).getNumElements() / std::max<int64_t>(shape.height * shape.width, 1);
  return matrices * llvm::divideCeil(need.rows ? shape.width : shape.height, kTile);
}

namespace {
/// Counts of operands whose padding an op reads. A layer norm counts its operand twice.
struct FillTotals {
  int64_t naive = 0;     ///< all of these, which is the number of fills without this analysis
  int64_t inserted = 0;  ///< operands that are filled
  int64_t byState = 0;   ///< operands whose padding meets the need already
  int64_t byProfile = 0; ///< operands whose padding the target masks
  int64_t shared = 0;    ///< operands that the fill of another user already filled
  int64_t shapePads = 0; ///< operands of a product that are enlarged only because the other operand was
};

/// Fills tile padding in one pass over a function. As a listener of its builders, it tracks the padding of new ops,
/// too.
class TilePaddingFiller : public OpBuilder::Listener {
public:
  TilePaddingFiller(const TargetProfile &target, const DeviceLayout &layout, bool explain, bool annotate)
      : target(target), layout(layout), explain(explain), annotate(annotate), padding(target, annotate) {}

  /// Visits all ops. Fails with an error if no fill meets the need of an op. With `explain`, emits the totals.
  LogicalResult run(func::FuncOp func) {
    constexpr llvm::StringLiteral kPass = "forge-fill-tile-padding";
    if (failed(requireOneBlock(func, kPass)) || failed(requireKnownShapes(func, kPass)))
      return failure();
    for (Value argument : func.getArguments())
      padding.setState(argument, PaddingState::all(target.host, shapeOf(argument)));
    for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
      if (auto reader = dyn_cast<TilePaddingOpInterface>(&op); reader && failed(fill(reader)))
        return failure();
      padding.transfer(&op);
      if (auto pad = dyn_cast<PadOp>(op); pad && padsWithinTiles(pad)) {
        // It may overwrite the last fill of the tiles that its result shares with its operand.
        padding.notePad(pad);
        lastFill.erase(padding.storageOf(pad));
      }
    }
    if (explain)
      remarkTotals(func);
    return success();
  }

  const FillTotals &getTotals() const { return totals; }

private:
  /// The fill of one operand: `padded` is `value`, enlarged to whole tiles with the fill.
  struct OperandFill {
    PaddingNeed need;
    Fill fill;
    Value value, padded;
  };

  /// Fills the padding that `op` reads, if it does not hold what `op` requires; other ops may replace `op`. Only
  /// products may need fills of two operands.
  LogicalResult fill(TilePaddingOpInterface op) {
    bool isMasked = target.masks(op.getTilePaddingRow());
    if (auto product = dyn_cast<MatmulOp>(op.getOperation()); product && !isMasked) {
      fillProduct(product);
      return success();
    }
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
      Value value = op->getOperand(operand);
      PaddingNeed need = paddingNeed(op, operand, formatOf(value));
      PaddingState state = padding.stateOf(value);
      if (!need.needed() || !hasPadding(state, need))
        continue;
      int64_t reads = need.fill.refill ? 2 : 1; // A layer norm reads padding twice (fillLayerNorm).
      totals.naive += reads;
      if (isMasked) {
        totals.byProfile += reads;
        remark(op, operand, need, "no fill: target '" + target.name + "' masks them");
      } else if (auto norm = dyn_cast<LayernormOp>(op.getOperation())) {
        fillLayerNorm(norm, need);
        return success();
      } else if (isMet(state, need)) {
        totals.byState += reads;
        remark(op, operand, need, "whose padding holds " + paddingText(state, need) + ": no fill");
      } else {
        return fillReader(op, operand, need);
      }
    }
    return success();
  }

  /// Fills the operand, and makes `op`, whose other operands need no fill, compute the same result from the enlarged
  /// operand, or from a crop of it to the old shape.
  LogicalResult fillReader(TilePaddingOpInterface op, unsigned operand, const PaddingNeed &need) {
    FailureOr<OperandFill> done = fillOperand(op, operand, need);
    if (failed(done))
      return failure();
    switch (op.getTilePaddingRow()) {
    case TilePaddingRow::Sum:
    case TilePaddingRow::Max:
    case TilePaddingRow::ArgMax: op->setOperand(operand, done->padded); break;
    case TilePaddingRow::Mean: replaced.replace(op, meanOfFilled(op, *done)); break;
    case TilePaddingRow::Softmax:
    case TilePaddingRow::LogSoftmax: replaced.replace(op, softmaxOfFilled(op, *done)); break;
    case TilePaddingRow::CacheWrite:
    case TilePaddingRow::IntegerDivision: op->setOperand(operand, cropFilled(op, *done)); break;
    default: llvm_unreachable("this row requires no fill of one operand");
    }
    return success();
  }

  /// Fills the operand right before `op`. Fails with an error if no fill meets `need`.
  FailureOr<OperandFill> fillOperand(TilePaddingOpInterface op, unsigned operand, const PaddingNeed &need) {
    Value value = op->getOperand(operand);
    std::optional<Fill> fill = fillFor(need.fill, tensorType(value).getElementType(), op.getTilePaddingRow());
    std::string before = paddingText(padding.stateOf(value), need);
    FailureOr<Value> padded = fill ? filled(op, value, need, *fill) : FailureOr<Value>(failure());
    if (failed(padded)) {
      InFlightDiagnostic error = emitError(op, Code::PaddingUnfilled)
                                 << "'" << op->getName() << "' reads the padding " << namesOfPadding(need) << " of "
                                 << value.getType() << ", which holds " << before << ": ";
      if (fill)
        return error << "block floats need copies of the last element, which Forge's pad cannot make at rank "
                     << tensorType(value).getRank() << "; keep this tensor in bf16";
      if (need.fill.kind == FillRequirement::ReplicateOrCast)
        return error << "no constant fill for block floats; keep this tensor in bf16";
      return error << "no fill leaves its result alone; make the size a multiple of " << kTile;
    }
    remark(op, operand, need, "whose padding holds " + before + ": filled with " + fill->str());
    return OperandFill{need, *fill, value, *padded};
  }

  /// A mean over the padded axis would divide by the padded size. It is computed as a sum, to which the fill of 0 adds
  /// nothing, divided by the size without padding. `op` is a ReduceAvgOp, or an AvgPool1dOp, which keeps the axis.
  Value meanOfFilled(Operation *op, const OperandFill &done) {
    int64_t dim = *reducedDim(op);
    bool keepsDim = isa<AvgPool1dOp>(op) || cast<ReduceAvgOp>(op).getKeepDim();
    ImplicitLocOpBuilder b = builder(op);
    return meanOfPadded(b, done.padded, dim, axisSize(done.value, dim), keepsDim);
  }

  /// Computes the softmax of the padded operand and crops the result. Afterwards the padding holds the softmax of the
  /// filled elements, which is 0, or minus infinity for its logarithm. It is marked live, because these are elements of
  /// `wide`, which must not be overwritten.
  Value softmaxOfFilled(Operation *op, const OperandFill &done) {
    ImplicitLocOpBuilder b = builder(op);
    auto log = dyn_cast<LogSoftmaxOp>(op);
    auto softmax = dyn_cast<SoftmaxOp>(op);
    Value wide = log ? LogSoftmaxOp::create(b, done.padded, log.getDim(), log.getStable()).getResult()
                     : SoftmaxOp::create(b, done.padded, softmax.getDim(), softmax.getStable()).getResult();
    Value result = crop(b, wide, shapeOf(op->getResult(0)));
    PaddingState known = padding.stateOf(result);
    PaddingValue &part = done.need.rows ? known.rows : known.cols;
    part = PaddingValue::of(log ? -std::numeric_limits<double>::infinity() : 0.0);
    part.live = true;
    padding.setState(result, known);
    return result;
  }

  /// The padded operand, cropped to its old shape, for ops that do not accept a larger one. Its padding holds the fill.
  Value cropFilled(Operation *op, const OperandFill &done) {
    ImplicitLocOpBuilder b = builder(op);
    Value cropped = crop(b, done.padded, shapeOf(done.value));
    PaddingState known = padding.stateOf(cropped);
    auto setFilled = [&](PaddingValue &part, bool isFilled) {
      if (isFilled && part.kind != PaddingValue::None)
        part = PaddingValue::of(done.fill.value);
    };
    setFilled(known.rows, done.need.rows);
    setFilled(known.cols, done.need.cols);
    setFilled(known.corner, done.need.rows && done.need.cols);
    padding.setState(cropped, known);
    return cropped;
  }

  /// Fills the padding of the contracted axis, the columns of the left operand and the rows of the right one, so that
  /// it adds 0 to the sums: one of the two has to be zeros, and the other one finite. If one operand is enlarged to
  /// whole tiles, the other one is, too, because the contracted axes must have one size.
  void fillProduct(MatmulOp op) {
    auto interface = cast<TilePaddingOpInterface>(op.getOperation());
    PaddingNeed needs[2];       // of the left and of the right operand, as below
    PaddingValue contracted[2]; // what the padding of the contracted axis holds
    for (unsigned side : {0, 1}) {
      Value operand = op->getOperand(side);
      needs[side] = paddingNeed(interface, side, formatOf(operand));
      PaddingState state = padding.stateOf(operand);
      contracted[side] = needs[side].rows ? state.rows : state.cols;
    }
    if (contracted[0].kind == PaddingValue::None) // The contracted axis fills whole tiles, of both operands.
      return;
    totals.naive += 2;
    PaddingState lhs, rhs; // Without the padding of other axes, which the sums do not read.
    lhs.cols = contracted[0];
    rhs.rows = contracted[1];
    auto explainSide = [&](unsigned side, const Twine &outcome) {
      remark(op, side, needs[side], "whose padding holds " + contracted[side].str() + ": " + outcome);
    };
    if (isMatmulPaddingSafe(lhs, rhs)) {
      totals.byState += 2;
      for (unsigned side : {0, 1})
        explainSide(side, "no fill, a product with what the other side holds is 0");
      return;
    }
    // An operand whose padding is not finite is filled; if both are finite, the one with fewer tiles to fill.
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
    op->setOperands(0, 2, operands);
  }

  /// Replaces a layer norm by its steps, because two of them read padding: the mean of the operand, and the variance,
  /// which is the mean of the squares of the centred operand. Centring subtracts the mean from the padding, too: zeros
  /// become -mean, so that the squares are filled again. The steps are in Float32, because each of them would round.
  void fillLayerNorm(LayernormOp op, const PaddingNeed &need) {
    ImplicitLocOpBuilder b = builder(op);
    Type element = op.getType().getElementType(), wide = b.getF32Type();
    int64_t count = shapeOf(op.getOperandA()).back();
    auto meanOf = [&](Value input) -> Value {
      PaddingState state = padding.stateOf(input);
      bool needsNoFill = isMet(state, need);
      totals.byState += needsNoFill;
      remark(op, 0, need,
             "whose padding holds " + paddingText(state, need) + (needsNoFill ? ": no fill" : ": filled with 0"));
      if (needsNoFill)
        return ReduceAvgOp::create(b, input, int64_t(-1), /*keep_dim=*/true);
      return meanOfPadded(b, *filled(op, input, need, Fill{0}), /*dim=*/-1, count, /*keepDim=*/true);
    };
    Value input = castTo(b, op.getOperandA(), wide);
    Value centred = SubtractOp::create(b, input, meanOf(input));
    Value variance = meanOf(MultiplyOp::create(b, centred, centred));
    Value shifted = AddOp::create(b, variance, oneElement(b, op.getEpsilon().convertToDouble(), wide));
    Value normal = DivideOp::create(b, centred, SqrtOp::create(b, shifted));
    // A layer norm takes scales with more leading axes of size 1 than its operand has, and a product would keep them.
    auto perChannel = [&](Value scale) {
      return castTo(b, reshaped(b, scale, shapeOf(scale).take_back(op.getType().getRank())), wide);
    };
    Value scaled = MultiplyOp::create(b, normal, perChannel(op.getWeights()));
    replaced.replace(op, castTo(b, AddOp::create(b, scaled, perChannel(op.getBias())), element));
  }

  /// `value`, enlarged to whole tiles with `fill`: right before `reader`, or by an earlier fill that the storage still
  /// holds. `isShapeOnly` changes only counts and annotations: the padding of `value` needs no fill, but the other
  /// operand of a product is enlarged.
  FailureOr<Value> filled(Operation *reader, Value value, const PaddingNeed &need, Fill fill,
                          bool isShapeOnly = false) {
    Value root = padding.storageOf(value);
    auto last = lastFill.find(root);
    if (last != lastFill.end() && last->second.value == value && last->second.need.rows == need.rows &&
        last->second.need.cols == need.cols && last->second.fill == fill) {
      totals.shared += !isShapeOnly;
      return last->second.padded;
    }
    ImplicitLocOpBuilder b = builder(reader);
    if (padding.holdsElements(value, reader)) {
      // A copy, because a fill in place would overwrite them.
      value = MultiplyOp::create(b, value, oneElement(b, 1, tensorType(value).getElementType()));
      root = value;
    }
    FailureOr<Value> padded = padToTiles(b, value, need.rows, need.cols, fill);
    if (failed(padded))
      return failure();
    ++(isShapeOnly ? totals.shapePads : totals.inserted);
    if (annotate)
      padded->getDefiningOp()->setAttr("forge.fill", b.getStringAttr(isShapeOnly ? "shape" : "fill"));
    padding.noteFill(root, fill.replicate ? PaddingValue::undef() : PaddingValue::of(fill.value));
    lastFill[root] = {need, fill, value, *padded};
    return padded;
  }

  /// A builder of ops before `op`, which tracks the padding of their results.
  ImplicitLocOpBuilder builder(Operation *op) { return ImplicitLocOpBuilder(op->getLoc(), op, this); }
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { padding.transfer(op); }

  ElementFormat formatOf(Value value) const { return layout.format(tensorType(value).getElementType()); }

  void remark(Operation *op, unsigned operand, const PaddingNeed &need, const Twine &outcome) const {
    if (explain)
      op->emitRemark() << "'" << op->getName() << "' reads the padding " << namesOfPadding(need) << " of operand "
                       << operand << ", " << outcome;
  }

  void remarkTotals(func::FuncOp func) const {
    llvm::json::Object json{{"target", target.name},         {"naive", totals.naive},
                            {"inserted", totals.inserted},   {"shared", totals.shared},
                            {"by_state", totals.byState},    {"by_profile", totals.byProfile},
                            {"shape_pads", totals.shapePads}};
    func.emitRemark() << "tile padding: " << llvm::formatv("{0}", llvm::json::Value(std::move(json))).str();
  }

  const TargetProfile &target;
  DeviceLayout layout;
  bool explain, annotate;
  FillTotals totals;
  PaddingTracker padding;
  DenseMap<Value, OperandFill> lastFill; ///< the fill that each storage still holds
  ReplacedOps replaced;
};

struct ForgeFillTilePaddingPass : forge::impl::ForgeFillTilePaddingPassBase<ForgeFillTilePaddingPass>, ReportingPass {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func))
      return;
    FailureOr<const TargetProfile *> profile = TargetProfile::parse(func, target);
    FailureOr<DeviceLayout> layout = DeviceLayout::parse(func, format);
    if (failed(profile) || failed(layout))
      return signalPassFailure();
    TilePaddingFiller filler(**profile, *layout, explain, annotate);
    if (failed(filler.run(func)))
      signalPassFailure();
    count("fills-inserted", filler.getTotals().inserted + filler.getTotals().shapePads);
    count("fills-shared", filler.getTotals().shared);
    count("needs-met-without-fill", filler.getTotals().byState + filler.getTotals().byProfile);
  }
};
} // namespace
