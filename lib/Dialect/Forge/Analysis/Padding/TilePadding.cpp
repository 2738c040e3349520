//===- TilePadding.cpp - forge ops on padded tiles ------------------------===//

#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using namespace forge::itd;

ArrayRef<TargetProfile> TargetProfile::all() {
  static const TargetProfile profiles[] = {
#define TARGET_PROFILE(name, host, retile, ...) {name, host, retile, {__VA_ARGS__}},
#include "TargetProfiles.def"
#undef TARGET_PROFILE
      {"none", PaddingValue::undef(), PaddingValue::undef(), {}, /*masksAll=*/true},
  };
  return profiles;
}

FailureOr<const TargetProfile *> TargetProfile::parse(Operation *op, StringRef name) {
  const auto *found = llvm::find_if(all(), [&](const TargetProfile &profile) { return profile.name == name; });
  if (found != all().end())
    return found;
  auto names = llvm::map_range(all(), [](const TargetProfile &known) { return known.name; });
  return emitError(op, Code::PassOption) << "expected a target of " << llvm::join(names, ", ") << ", but got '" << name
                                         << "'";
}

std::optional<int64_t> forge::reducedDim(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<ReduceSumOp, ReduceAvgOp, ReduceMaxOp, CumSumOp, SoftmaxOp, LogSoftmaxOp, LayernormOp>(
          [](auto reduction) { return reduction.getDim(); })
      .Case([](ArgmaxOp argmax) -> std::optional<int64_t> {
        // Without dim, the argmax of a vector is along its only axis.
        if (argmax.getDim() || shapeOf(argmax.getOperandA()).size() == 1)
          return argmax.getDim().value_or(-1);
        return std::nullopt;
      })
      .Case([](AvgPool1dOp) { return -1; })
      .Default([](Operation *) { return std::nullopt; });
}

// What `consumer`, which computes along axis `dim` of `operand`, needs: a fill of the padding along that axis, if it is
// tiled.
static PaddingNeed needAlong(Value operand, std::optional<int64_t> dim, Consumer consumer,
                             const ElementFormat &format) {
  PaddingNeed need{requiredFill(consumer, format)};
  if (!dim) { // An argmax of the whole tensor: filled padding would count as elements, and change the index of others.
    need.fill.kind = FillRequirement::NoneExists;
    need.rows = need.cols = true;
    return need;
  }
  TiledAxis axis = tiledAxis(operand, *dim);
  need.rows = axis == TiledAxis::Rows;
  need.cols = axis == TiledAxis::Cols;
  return need;
}

PaddingNeed forge::paddingNeed(TilePaddingOpInterface op, unsigned operand, const ElementFormat &format) {
  Value value = op->getOperand(operand);
  auto reduced = [&](Consumer consumer) {
    return operand == 0 ? needAlong(value, reducedDim(op), consumer, format) : PaddingNeed();
  };
  switch (op.getTilePaddingRow()) {
  case TilePaddingRow::Sum: return reduced(Consumer::Sum);
  case TilePaddingRow::Mean: return reduced(Consumer::Mean);
  case TilePaddingRow::Max: return reduced(Consumer::Max);
  case TilePaddingRow::ArgMax: return reduced(Consumer::ArgMax);
  case TilePaddingRow::CumSum: return reduced(Consumer::CumSum);
  case TilePaddingRow::Softmax: return reduced(Consumer::Softmax);
  case TilePaddingRow::LogSoftmax: return reduced(Consumer::LogSoftmax);
  case TilePaddingRow::LayerNorm: return reduced(Consumer::LayerNorm);
  case TilePaddingRow::Matmul: // A vector on the right has its contracted axis along the columns.
    if (operand == 2)
      return {};
    return needAlong(value, operand == 0 || shapeOf(value).size() == 1 ? -1 : -2, Consumer::Matmul, format);
  case TilePaddingRow::CacheWrite:
    return operand == 1 ? needAlong(value, -2, Consumer::CacheWrite, format) : PaddingNeed();
  case TilePaddingRow::IntegerDivision: {
    if (operand != 1 || !format.isInteger)
      return {};
    // The padding along a broadcast axis is not read.
    MatrixShape operandShape(value), result(op->getResult(0));
    return {itd::requiredFill(Consumer::IntegerDivision, format), operandShape.height == result.height,
            operandShape.width == result.width};
  }
  case TilePaddingRow::Opaque:
  case TilePaddingRow::Retile:
  case TilePaddingRow::Elementwise:
  case TilePaddingRow::View:
  case TilePaddingRow::Transpose:
  case TilePaddingRow::Index:
  case TilePaddingRow::Concatenate:
  case TilePaddingRow::Stack:
  case TilePaddingRow::Repeat:
  case TilePaddingRow::Pad: return {};
  }
  llvm_unreachable("unknown row");
}

// `value` in all regions. normalized() removes regions that the shape does not have.
static PaddingState everywhere(const PaddingValue &value) { return {value, value, value}; }

static PaddingState mapRegions(const PaddingState &state, llvm::function_ref<PaddingValue(const PaddingValue &)> map) {
  return {map(state.rows), map(state.cols), map(state.corner)};
}

// The elements that a broadcast repeats into the padding. Those of weights count as finite.
static PaddingValue elementsOf(Value value) {
  Operation *producer = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(producer)) {
    auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!values || !values.getElementType().isIntOrFloat())
      return PaddingValue::undef();
    PaddingValue elements = PaddingValue::none();
    forEachNumber(values, [&](double element) { elements = join(elements, PaddingValue::of(element)); });
    return elements;
  }
  if (auto scalar = dyn_cast_or_null<ScalarConstantOp>(producer))
    return storedPadding(scalar.getConstant().convertToDouble(), scalar.getType().getElementType());
  return isa_and_nonnull<ParameterOp>(producer) ? PaddingValue::finite() : PaddingValue::undef();
}

// The state of an operand of an elementwise op, broadcast to the result: kernels repeat the first row or column.
static PaddingState broadcastTo(Value operand, const PaddingState &state, MatrixShape result) {
  MatrixShape own(operand);
  bool repeatsRows = own.height == 1 && result.height != 1, repeatsCols = own.width == 1 && result.width != 1;
  if (!repeatsRows && !repeatsCols)
    return state;
  PaddingValue elements = elementsOf(operand);
  if (repeatsRows && repeatsCols)
    return everywhere(elements);
  return repeatsRows ? PaddingState{elements, state.cols, state.cols} : PaddingState{state.rows, elements, state.rows};
}

static PaddingState elementwise(Operation *op, ArrayRef<PaddingState> operands) {
  MatrixShape shape(op->getResult(0));
  SmallVector<PaddingState> states;
  for (auto [value, state] : llvm::zip_equal(op->getOperands(), operands))
    states.push_back(broadcastTo(value, state, shape));
  auto region = [&](PaddingValue PaddingState::*part) {
    return applyToPadding(op, llvm::map_to_vector(states, [&](const PaddingState &state) { return state.*part; }));
  };
  return {region(&PaddingState::rows), region(&PaddingState::cols), region(&PaddingState::corner)};
}

// A reduction along an untiled axis computes on padding as on elements: a maximum of equal elements is that element
// (`keepsExtremes`), and a sum of zeros is 0. Along a tiled axis the result has a new tail.
static PaddingState reduced(Operation *op, const PaddingState &state, bool keepsExtremes) {
  std::optional<int64_t> dim = reducedDim(op);
  bool sameMatrix = MatrixShape(op->getOperand(0)) == MatrixShape(op->getResult(0));
  if (!dim || tiledAxis(op->getOperand(0), *dim) != TiledAxis::None || !sameMatrix)
    return everywhere(PaddingValue::undef());
  return mapRegions(state, [&](const PaddingValue &value) {
    return keepsExtremes || value.isZero() ? value : PaddingValue::undef();
  });
}

// Along an untiled axis, a softmax of finite padding is finite.
static PaddingState softmax(Operation *op, const PaddingState &state) {
  switch (tiledAxis(op->getOperand(0), *reducedDim(op))) {
  case TiledAxis::Cols: return softmaxPadding(state);
  case TiledAxis::Rows: return transposePadding(softmaxPadding(transposePadding(state)));
  case TiledAxis::None: break;
  }
  return mapRegions(state, [](const PaddingValue &value) {
    return value.isFinite() ? PaddingValue::finite() : PaddingValue::undef();
  });
}

static PaddingState matmul(MatmulOp op, ArrayRef<PaddingState> operands) {
  bool isMatrix = shapeOf(op.getOperandA()).size() > 1 && shapeOf(op.getOperandB()).size() > 1;
  return isMatrix && !op.getBias() ? matmulPadding(operands[0], operands[1]) : everywhere(PaddingValue::undef());
}

static PaddingState view(Operation *op, const PaddingState &state, const PaddingValue &retile) {
  return keepsTiles(tensorType(op->getOperand(0)), tensorType(op->getResult(0))) ? state : everywhere(retile);
}

static PaddingState transpose(TransposeOp op, const PaddingState &state, const PaddingValue &retile) {
  TiledAxis first = tiledAxis(op.getOperandA(), op.getDim0()), second = tiledAxis(op.getOperandA(), op.getDim1());
  if (first == TiledAxis::None && second == TiledAxis::None)
    return state;
  bool swapsTiles = first != TiledAxis::None && second != TiledAxis::None;
  return swapsTiles ? transposePadding(state) : everywhere(retile);
}

static PaddingState index(IndexOp op, PaddingState state, const PaddingValue &retile) {
  TiledAxis axis = tiledAxis(op.getOperandA(), op.getDim());
  if (axis == TiledAxis::None)
    return state;
  // The element type only distinguishes RetileNoc from Retile.
  auto slice = classifySlice(shapeOf(op.getOperandA()), op.getDim(), {op.getStart(), op.getStop(), op.getStride()},
                             *elementFormat("f32"));
  if (!slice) {
    llvm::consumeError(slice.takeError());
    return everywhere(PaddingValue::undef());
  }
  if (slice->sliceClass == SliceClass::Identity || slice->sliceClass == SliceClass::TileView)
    return state;
  if (slice->sliceClass != SliceClass::TileViewDirty)
    return everywhere(retile);
  // The padding is elements of another tensor: they may be anything, and must not be overwritten.
  state.corner = PaddingValue::undef();
  state.corner.live = true;
  (axis == TiledAxis::Rows ? state.rows : state.cols) = state.corner;
  return state;
}

static PaddingState joinAll(ArrayRef<PaddingState> operands) {
  PaddingState result = operands.front();
  for (const PaddingState &state : operands.drop_front())
    result = join(result, state);
  return result;
}

static PaddingState concatenate(ConcatenateOp op, ArrayRef<PaddingState> operands, const PaddingValue &retile) {
  PaddingState all = joinAll(operands);
  TiledAxis axis = tiledAxis(op.getResult(), op.getAxis());
  if (axis == TiledAxis::None)
    return all;
  for (Value operand : op.getOperands().drop_back()) {
    MatrixShape shape(operand);
    if ((axis == TiledAxis::Rows ? shape.height : shape.width) % kTile != 0)
      return everywhere(retile);
  }
  return all;
}

bool forge::padsWithinTiles(PadOp op) {
  ArrayRef<int64_t> pads = op.getPad();
  auto fits = [](int64_t before, int64_t after) { return llvm::alignTo(before, kTile) == llvm::alignTo(after, kTile); };
  MatrixShape from(op.getOperandA()), to(op.getResult());
  bool atEnd = pads[0] == 0 && (pads.size() == 2 || pads[2] == 0);
  return op.getMode() != PadMode::Reflect && !op.getChannelLast() && atEnd && fits(from.height, to.height) &&
         fits(from.width, to.width);
}

PaddingValue forge::paddedElements(PadOp op) {
  return op.getMode() == PadMode::Constant
             ? storedPadding(op.getValue().convertToDouble(), op.getType().getElementType())
             : PaddingValue::undef();
}

// A pad up to the end of the tile replaces padding by elements. Whether it also writes the other tail depends on the
// kernel.
static PaddingState pad(PadOp op, const PaddingState &state, const PaddingValue &retile) {
  if (!padsWithinTiles(op))
    return everywhere(retile);
  PaddingValue corner = join(state.corner, paddedElements(op));
  return {join(state.rows, corner), join(state.cols, corner), corner};
}

bool forge::mayHandOnTiles(TilePaddingOpInterface op) {
  return isa<CastOp>(op) ||
         llvm::is_contained({TilePaddingRow::View, TilePaddingRow::Index, TilePaddingRow::Pad,
                             TilePaddingRow::Transpose, TilePaddingRow::Repeat, TilePaddingRow::Concatenate},
                            op.getTilePaddingRow());
}

static PaddingState transferred(TilePaddingOpInterface op, ArrayRef<PaddingState> operands,
                                const PaddingValue &retile) {
  auto keepsMatrix = [&] { return MatrixShape(op->getOperand(0)) == MatrixShape(op->getResult(0)); };
  switch (op.getTilePaddingRow()) {
  case TilePaddingRow::Elementwise:
  case TilePaddingRow::IntegerDivision: return elementwise(op, operands);
  case TilePaddingRow::View: return view(op, operands[0], retile);
  case TilePaddingRow::Transpose: return transpose(cast<TransposeOp>(op), operands[0], retile);
  case TilePaddingRow::Index: return index(cast<IndexOp>(op), operands[0], retile);
  case TilePaddingRow::Concatenate: return concatenate(cast<ConcatenateOp>(op), operands, retile);
  case TilePaddingRow::Stack: {
    bool isUntiled = tiledAxis(op->getResult(0), cast<StackOp>(op).getAxis()) == TiledAxis::None;
    return isUntiled && keepsMatrix() ? joinAll(operands) : everywhere(retile);
  }
  case TilePaddingRow::Repeat: return keepsMatrix() ? operands[0] : everywhere(retile);
  case TilePaddingRow::Pad: return pad(cast<PadOp>(op), operands[0], retile);
  case TilePaddingRow::Retile: return everywhere(retile);
  case TilePaddingRow::Sum:
  case TilePaddingRow::Mean:
  case TilePaddingRow::CumSum: return reduced(op, operands[0], /*keepsExtremes=*/false);
  case TilePaddingRow::Max: return reduced(op, operands[0], /*keepsExtremes=*/true);
  case TilePaddingRow::Softmax: return softmax(op, operands[0]);
  case TilePaddingRow::Matmul: return matmul(cast<MatmulOp>(op), operands);
  case TilePaddingRow::ArgMax:
  case TilePaddingRow::LogSoftmax:
  case TilePaddingRow::LayerNorm:
  case TilePaddingRow::CacheWrite:
  case TilePaddingRow::Opaque: return everywhere(PaddingValue::undef());
  }
  llvm_unreachable("unknown row");
}

// Removes regions that `type` does not have, and makes integers finite.
static PaddingState normalized(PaddingState state, RankedTensorType type) {
  PaddingState exists = PaddingState::all(PaddingValue::undef(), type.getShape());
  for (PaddingValue PaddingState::*region : {&PaddingState::rows, &PaddingState::cols, &PaddingState::corner}) {
    PaddingValue &value = state.*region;
    if ((exists.*region).kind == PaddingValue::None)
      value = PaddingValue::none();
    else if (value.kind == PaddingValue::None) // The operand had no padding in this region.
      value.kind = PaddingValue::Undef;
    if (isa<IntegerType>(type.getElementType()) && value.kind == PaddingValue::Undef)
      value.kind = PaddingValue::Finite;
  }
  return state;
}

PaddingState forge::paddingOf(OpResult result, ArrayRef<PaddingState> operands, const TargetProfile &target) {
  Operation *op = result.getOwner();
  auto everywhere = [&](PaddingValue value) { return PaddingState::all(value, shapeOf(result)); };
  auto reader = dyn_cast<TilePaddingOpInterface>(op);
  if (!reader)
    return everywhere(isa<ConstantOp, ParameterOp>(op) ? target.host : PaddingValue::undef());
  bool skipsPadding = op->getNumOperands() > 0 && target.masks(reader.getTilePaddingRow());
  return skipsPadding ? everywhere(PaddingValue::undef())
                      : normalized(transferred(reader, operands, target.retile), tensorType(result));
}

llvm::DenseMap<Value, PaddingState> forge::predictPadding(func::FuncOp func, const TargetProfile &target) {
  llvm::DenseMap<Value, PaddingState> states;
  states.reserve(func.getNumArguments() + func.front().getOperations().size());
  auto isTensor = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape();
  };
  for (BlockArgument argument : func.getArguments())
    if (isTensor(argument))
      states[argument] = PaddingState::all(target.host, shapeOf(argument));
  for (Operation &op : func.front()) {
    auto operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) { return states.lookup(operand); });
    for (OpResult result : op.getResults())
      if (isTensor(result))
        states[result] = paddingOf(result, operands, target);
  }
  return states;
}
