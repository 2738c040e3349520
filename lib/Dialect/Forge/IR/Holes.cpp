//===- Holes.cpp - forge ops on tiles with holes --------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using namespace forge::itd;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

MatrixShape::MatrixShape(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  if (!shape.empty())
    width = shape.back();
  if (shape.size() > 1)
    height = shape[shape.size() - 2];
}

TiledAxis forge::tiledAxis(Value value, int64_t dim) {
  int64_t rank = shapeOf(value).size(), fromEnd = dim < 0 ? -dim : rank - dim;
  return fromEnd == 1 ? TiledAxis::Cols : fromEnd == 2 ? TiledAxis::Rows : TiledAxis::None;
}

std::optional<int64_t> forge::reducedDim(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<ReduceSumOp, ReduceAvgOp, ReduceMaxOp, CumSumOp, SoftmaxOp, LogSoftmaxOp, LayernormOp>(
          [](auto reduction) { return reduction.getDim(); })
      .Case([](ArgmaxOp argmax) -> std::optional<int64_t> {
        // Of a vector the whole tensor is its one axis.
        if (argmax.getDim() || shapeOf(argmax.getOperandA()).size() == 1)
          return argmax.getDim().value_or(-1);
        return std::nullopt;
      })
      .Case([](AvgPool1dOp) { return -1; })
      .Default([](Operation *) { return std::nullopt; });
}

static bool isAligned(int64_t size) { return size % Tile().height == 0; }

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

static HoleNeed along(Value operand, std::optional<int64_t> dim, Consumer consumer, const ElementFormat &format) {
  HoleNeed need{requiredFill(consumer, format)};
  if (!dim) { // The whole tensor: positions change with its width, so that no fill leaves them alone.
    need.fill.kind = FillRequirement::NoneExists;
    need.rows = need.cols = true;
    return need;
  }
  TiledAxis axis = tiledAxis(operand, *dim);
  need.rows = axis == TiledAxis::Rows;
  need.cols = axis == TiledAxis::Cols;
  return need;
}

HoleNeed forge::detail::requiredFill(Operation *op, HoleRow row, unsigned operand, const ElementFormat &format) {
  Value value = op->getOperand(operand);
  auto reduced = [&](Consumer consumer) {
    return operand == 0 ? along(value, reducedDim(op), consumer, format) : HoleNeed();
  };
  switch (row) {
  case HoleRow::Sum: return reduced(Consumer::Sum);
  case HoleRow::Mean: return reduced(Consumer::Mean);
  case HoleRow::Max: return reduced(Consumer::Max);
  case HoleRow::ArgMax: return reduced(Consumer::ArgMax);
  case HoleRow::CumSum: return reduced(Consumer::CumSum);
  case HoleRow::Softmax: return reduced(Consumer::Softmax);
  case HoleRow::LogSoftmax: return reduced(Consumer::LogSoftmax);
  case HoleRow::LayerNorm: return reduced(Consumer::LayerNorm);
  case HoleRow::Matmul: // A vector on the right has its contracted axis along the columns.
    return operand == 2 ? HoleNeed()
                        : along(value, operand == 0 || shapeOf(value).size() == 1 ? -1 : -2, Consumer::Matmul, format);
  case HoleRow::CacheWrite: return operand == 1 ? along(value, -2, Consumer::CacheWrite, format) : HoleNeed();
  case HoleRow::IntegerDivision: {
    if (operand != 1 || !format.isInteger)
      return {};
    // Where a row or column is repeated, no hole of that tail is read.
    MatrixShape own(value), result(op->getResult(0));
    return {itd::requiredFill(Consumer::IntegerDivision, format), own.height == result.height,
            own.width == result.width};
  }
  case HoleRow::Opaque:
  case HoleRow::Retile:
  case HoleRow::Elementwise:
  case HoleRow::View:
  case HoleRow::Transpose:
  case HoleRow::Index:
  case HoleRow::Concatenate:
  case HoleRow::Stack:
  case HoleRow::Repeat:
  case HoleRow::Pad: return {};
  }
  llvm_unreachable("unknown row");
}

//===----------------------------------------------------------------------===//
// Transfer
//===----------------------------------------------------------------------===//

// `value` in every region; those that a shape does not have are dropped at the end.
static HoleState everywhere(const HoleVal &value) { return {value, value, value}; }

static HoleState mapRegions(const HoleState &state, llvm::function_ref<HoleVal(const HoleVal &)> map) {
  return {map(state.rows), map(state.cols), map(state.corner)};
}

// What a broadcast repeats over holes: items, which count as finite where they are weights.
static HoleVal itemsOf(Value value) {
  Operation *producer = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(producer)) {
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
      if (isa<FloatType>(splat.getElementType()))
        return HoleVal::of(splat.getSplatValue<APFloat>().convertToDouble());
      return HoleVal::of(static_cast<double>(splat.getSplatValue<APInt>().getSExtValue()));
    }
    auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
    bool isFinite =
        values && (!isa<FloatType>(values.getElementType()) ||
                   llvm::all_of(values.getValues<APFloat>(), [](const APFloat &v) { return v.isFinite(); }));
    return isFinite ? HoleVal::finite() : HoleVal::undef();
  }
  if (auto scalar = dyn_cast_or_null<ScalarConstantOp>(producer))
    return HoleVal::of(scalar.getConstant().convertToDouble());
  return isa_and_nonnull<ParameterOp>(producer) ? HoleVal::finite() : HoleVal::undef();
}

// What an operand of an elementwise op shows where the result has holes: kernels repeat the first row or column.
static HoleState broadcastTo(Value operand, const HoleState &state, MatrixShape result) {
  MatrixShape own(operand);
  bool repeatsRows = own.height == 1 && result.height != 1, repeatsCols = own.width == 1 && result.width != 1;
  if (!repeatsRows && !repeatsCols)
    return state;
  HoleVal items = itemsOf(operand);
  if (repeatsRows && repeatsCols)
    return everywhere(items);
  return repeatsRows ? HoleState{items, state.cols, state.cols} : HoleState{state.rows, items, state.rows};
}

static HoleState elementwise(Operation *op, ArrayRef<HoleState> operands) {
  MatrixShape shape(op->getResult(0));
  SmallVector<HoleState> shown;
  for (auto [value, state] : llvm::zip_equal(op->getOperands(), operands))
    shown.push_back(broadcastTo(value, state, shape));
  auto region = [&](HoleVal HoleState::*part) {
    return applyToHole(op, llvm::map_to_vector(shown, [&](const HoleState &state) { return state.*part; }));
  };
  return {region(&HoleState::rows), region(&HoleState::cols), region(&HoleState::corner)};
}

// A reduction over an axis that is not tiled works on holes as on items. Over a tiled one it leaves a new tail.
static HoleState reduced(Operation *op, const HoleState &state, bool keepsExtremes) {
  std::optional<int64_t> dim = reducedDim(op);
  bool sameMatrix = MatrixShape(op->getOperand(0)) == MatrixShape(op->getResult(0));
  if (!dim || tiledAxis(op->getOperand(0), *dim) != TiledAxis::None || !sameMatrix)
    return everywhere(HoleVal::undef());
  return mapRegions(state,
                    [&](const HoleVal &value) { return keepsExtremes || value.isZero() ? value : HoleVal::undef(); });
}

static HoleState softmax(Operation *op, const HoleState &state) {
  switch (tiledAxis(op->getOperand(0), *reducedDim(op))) {
  case TiledAxis::Cols: return softmaxHoles(state);
  case TiledAxis::Rows: return transposeHoles(softmaxHoles(transposeHoles(state)));
  case TiledAxis::None: break;
  }
  return mapRegions(state,
                    [](const HoleVal &value) { return value.isFinite() ? HoleVal::finite() : HoleVal::undef(); });
}

static HoleState matmul(MatmulOp op, ArrayRef<HoleState> operands) {
  bool isMatrix = shapeOf(op.getOperandA()).size() > 1 && shapeOf(op.getOperandB()).size() > 1;
  return isMatrix && !op.getBias() ? matmulHoles(operands[0], operands[1]) : everywhere(HoleVal::undef());
}

static HoleState view(Operation *op, const HoleState &state, const HoleVal &retile) {
  MatrixShape from(op->getOperand(0)), to(op->getResult(0));
  bool sameTiles = from == to || (from.width == to.width && isAligned(from.height) && isAligned(to.height));
  return sameTiles ? state : everywhere(retile);
}

static HoleState transpose(TransposeOp op, const HoleState &state, const HoleVal &retile) {
  TiledAxis first = tiledAxis(op.getOperandA(), op.getDim0()), second = tiledAxis(op.getOperandA(), op.getDim1());
  if (first == TiledAxis::None && second == TiledAxis::None)
    return state;
  bool swapsTiles = first != TiledAxis::None && second != TiledAxis::None;
  return swapsTiles ? transposeHoles(state) : everywhere(retile);
}

static HoleState index(IndexOp op, HoleState state, const HoleVal &retile) {
  TiledAxis axis = tiledAxis(op.getOperandA(), op.getDim());
  if (axis == TiledAxis::None)
    return state;
  // The width of an element only tells RetileNoc from Retile.
  auto slice = classifySlice(shapeOf(op.getOperandA()), op.getDim(), {op.getStart(), op.getStop(), op.getStride()},
                             *elementFormat("f32"));
  if (!slice) {
    llvm::consumeError(slice.takeError());
    return everywhere(HoleVal::undef());
  }
  switch (slice->sliceClass) {
  case SliceClass::Identity:
  case SliceClass::TileView: return state;
  case SliceClass::TileViewDirty: {
    // Neighbours that are no items of this tensor: anything, and not to be written.
    HoleVal neighbours = HoleVal::undef();
    neighbours.live = true;
    (axis == TiledAxis::Rows ? state.rows : state.cols) = neighbours;
    state.corner = neighbours;
    return state;
  }
  case SliceClass::Empty:
  case SliceClass::RetileNoc:
  case SliceClass::Retile:
  case SliceClass::RetileStrided: return everywhere(retile);
  }
  llvm_unreachable("unknown slice class");
}

static HoleState joinAll(ArrayRef<HoleState> operands) {
  HoleState result = operands.front();
  for (const HoleState &state : operands.drop_front())
    result = join(result, state);
  return result;
}

static HoleState concatenate(ConcatenateOp op, ArrayRef<HoleState> operands, const HoleVal &retile) {
  HoleState all = joinAll(operands);
  TiledAxis axis = tiledAxis(op.getResult(), op.getAxis());
  if (axis == TiledAxis::None)
    return all;
  for (Value piece : op.getOperands().drop_back()) {
    MatrixShape shape(piece);
    if (!isAligned(axis == TiledAxis::Rows ? shape.height : shape.width))
      return everywhere(retile);
  }
  return all;
}

// A fill of the tail writes items where holes were; whether it reaches the other tail is up to the kernel.
static HoleState pad(PadOp op, const HoleState &state, const HoleVal &retile) {
  ArrayRef<int64_t> pads = op.getPad();
  auto fits = [](int64_t before, int64_t after) {
    return llvm::alignTo(before, Tile().height) == llvm::alignTo(after, Tile().height);
  };
  MatrixShape from(op.getOperandA()), to(op.getResult());
  bool atEnd = pads[0] == 0 && (pads.size() == 2 || pads[2] == 0);
  if (op.getMode() == "reflect" || op.getChannelLast() || !atEnd || !fits(from.height, to.height) ||
      !fits(from.width, to.width))
    return everywhere(retile);
  HoleVal value = op.getMode() == "constant" ? HoleVal::of(op.getValue().convertToDouble()) : HoleVal::undef();
  HoleVal corner = join(state.corner, value);
  return {join(state.rows, corner), join(state.cols, corner), corner};
}

HoleState forge::detail::transferHoles(Operation *op, HoleRow row, ArrayRef<HoleState> operands,
                                       const HoleVal &retile) {
  HoleState state = everywhere(HoleVal::undef());
  switch (row) {
  case HoleRow::Elementwise:
  case HoleRow::IntegerDivision: state = elementwise(op, operands); break;
  case HoleRow::View: state = view(op, operands[0], retile); break;
  case HoleRow::Transpose: state = transpose(cast<TransposeOp>(op), operands[0], retile); break;
  case HoleRow::Index: state = index(cast<IndexOp>(op), operands[0], retile); break;
  case HoleRow::Concatenate: state = concatenate(cast<ConcatenateOp>(op), operands, retile); break;
  case HoleRow::Stack: {
    bool keepsMatrix = MatrixShape(op->getOperand(0)) == MatrixShape(op->getResult(0)) &&
                       tiledAxis(op->getResult(0), cast<StackOp>(op).getAxis()) == TiledAxis::None;
    state = keepsMatrix ? joinAll(operands) : everywhere(retile);
    break;
  }
  case HoleRow::Repeat: {
    bool keepsMatrix = MatrixShape(op->getOperand(0)) == MatrixShape(op->getResult(0));
    state = keepsMatrix ? operands[0] : everywhere(retile);
    break;
  }
  case HoleRow::Pad: state = pad(cast<PadOp>(op), operands[0], retile); break;
  case HoleRow::Retile: state = everywhere(retile); break;
  case HoleRow::Sum:
  case HoleRow::Mean:
  case HoleRow::CumSum: state = reduced(op, operands[0], /*keepsExtremes=*/false); break;
  case HoleRow::Max: state = reduced(op, operands[0], /*keepsExtremes=*/true); break;
  case HoleRow::Softmax: state = softmax(op, operands[0]); break;
  case HoleRow::Matmul: state = matmul(cast<MatmulOp>(op), operands); break;
  case HoleRow::ArgMax:
  case HoleRow::LogSoftmax:
  case HoleRow::LayerNorm:
  case HoleRow::CacheWrite:
  case HoleRow::Opaque: break;
  }
  // No integer is infinite or NaN, and a shape without a tail has no hole there.
  bool isInteger = isa<IntegerType>(tensorType(op->getResult(0)).getElementType());
  HoleState exists = HoleState::all(HoleVal::undef(), shapeOf(op->getResult(0)));
  auto settle = [&](HoleVal &value, const HoleVal &existing) {
    if (existing.kind == HoleVal::None)
      value = HoleVal::none();
    else if (value.kind == HoleVal::None) // The operand had no such hole; nothing is known.
      value.kind = HoleVal::Undef;
    if (isInteger && value.kind == HoleVal::Undef)
      value.kind = HoleVal::Finite;
  };
  settle(state.rows, exists.rows);
  settle(state.cols, exists.cols);
  settle(state.corner, exists.corner);
  return state;
}

HoleState forge::holesOf(OpResult result, ArrayRef<HoleState> operands, const TargetProfile &target) {
  Operation *op = result.getOwner();
  auto everywhere = [&](HoleVal value) { return HoleState::all(value, shapeOf(result)); };
  auto reader = dyn_cast<HoleOpInterface>(op);
  if (!reader)
    return everywhere(isa<ConstantOp, ParameterOp>(op) ? target.host : HoleVal::undef());
  bool skipsHoles = op->getNumOperands() > 0 && reader.backendHandlesHoles(target);
  return skipsHoles ? everywhere(HoleVal::undef()) : reader.transferHoles(operands, target.retile);
}

llvm::DenseMap<Value, HoleState> forge::predictHoles(func::FuncOp func, const TargetProfile &target) {
  llvm::DenseMap<Value, HoleState> states;
  states.reserve(func.getNumArguments() + func.front().getOperations().size());
  auto isTensor = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape();
  };
  for (BlockArgument argument : func.getArguments())
    if (isTensor(argument))
      states[argument] = HoleState::all(target.host, shapeOf(argument));
  for (Operation &op : func.front()) {
    SmallVector<HoleState> operands;
    for (Value operand : op.getOperands()) {
      auto found = states.find(operand);
      operands.push_back(found != states.end() ? found->second : HoleState());
    }
    for (OpResult result : op.getResults())
      if (isTensor(result))
        states[result] = holesOf(result, operands, target);
  }
  return states;
}
