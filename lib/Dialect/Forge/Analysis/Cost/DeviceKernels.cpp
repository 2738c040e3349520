//===- DeviceKernels.cpp - the kernels of an op on the device -------------===//
//
// The kernels to which Tenstorrent's compiler lowers an op in its context (their number for the call alone is in the
// record of the op), what they read and write, and in which layout. docs/lean-programs.md has the observed bytes.
//
//===----------------------------------------------------------------------===//

#include "DeviceFusions.h"

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

int64_t forge::kernelsOf(Operation *op) {
  if (isFused(op))
    return 0;
  // A product reads its operand transposed, if that swaps the two trailing axes. A transpose that is merged into this
  // one swaps other axes, too.
  if (auto transpose = dyn_cast<TransposeOp>(op); transpose && isa_and_nonnull<MatmulOp>(onlyUser(transpose))) {
    auto [dim0, dim1] = swapOf(transpose);
    bool isRead = std::min(dim0, dim1) == transpose.getType().getRank() - 2 &&
                  !isDeferred(transpose.getOperandA().getDefiningOp());
    return isRead ? 0 : 1;
  }
  auto call = dyn_cast<ForgeCallOpInterface>(op);
  int64_t kernels = call ? call.getKernels() : 1;
  // The kernel of a product has a bias per column; any other addend is a separate kernel.
  if (auto matmul = dyn_cast<MatmulOp>(op); matmul && matmul.getBias())
    return kernels + (tensorType(matmul.getBias()).getNumElements() != MatrixShape(matmul).width);
  // With channels first the device transposes the operand and the result.
  return channelsLast(op) == false ? kernels + 2 : kernels;
}

// The weights of the convolution with one filter per channel that computes averages.
static RankedTensorType averagingWeights(AvgPool2dOp pool) {
  ArrayRef<int64_t> kernel = pool.getKernelSize();
  return pool.getType().clone({pool.getType().getShape().back(), 1, kernel[0], kernel[1]});
}

namespace {
/// A tensor that a kernel reads or writes, in whole tiles or in rows.
struct Access {
  RankedTensorType type;
  bool isInRows = false;
};

/// Adds the kernels of one op.
class Kernels {
public:
  Kernels(Operation *op, const DeviceLayout &layout) : op(op), layout(layout) {}

  OpCost count() {
    cost.calls = 1;
    int64_t kernels = kernelsOf(op);
    readArguments();
    if (kernels == 0 || isDeferred(op))
      return cost;
    llvm::TypeSwitch<Operation *>(op)
        .Case<Conv2dOp, Conv2dTransposeOp>(
            [&](auto conv) { window(conv.getActivations(), tensorType(conv.getWeights()), conv.getBias()); })
        .Case([&](MaxPool2dOp pool) { window(pool->getOperand(0), {}, Value()); })
        .Case([&](AvgPool2dOp pool) {
          if (channelsLast(pool) == false)
            return others(kernels);
          if (!isMeanOfImage(pool))
            return window(pool.getActivations(), averagingWeights(pool), Value());
          add({{asPixels(tensorType(pool.getActivations()))}, {pool.getType()}}, /*moves=*/false);
        })
        .Case([&](ConcatenateOp concat) { concatenate(concat); })
        .Case([&](PadOp pad) { this->pad(pad, kernels); })
        .Case([&](EmbeddingOp embedding) { embed(embedding); })
        .Case([&](FillCacheOp op) { fill(tensorType(op->getOperand(1))); })
        .Case([&](UpdateCacheOp op) { update(op); })
        .Case<Resize2dOp, Upsample2dOp>([&](auto op) {
          if (op.getMode() == Resize2dMode::Bilinear && !op.getChannelLast())
            return others(kernels);
          resize(tensorType(op.getOperandA()), op.getType(), op.getMode());
        })
        .Case([&](ReshapeOp reshape) {
          if (!isFreeReshape(reshape))
            move({reshapedFrom(reshape)}, {reshapedTo(reshape)});
        })
        .Case([&](IndexOp index) {
          auto [sliced, source] = beforeDeferred(index.getType(), index.getOperandA());
          move({tensorType(source)}, {sliced});
          if (source != index.getOperandA())
            move({sliced}, {index.getType()});
        })
        .Default([&](Operation *) { others(kernels); });
    return cost;
  }

private:
  // Adds a kernel that reads and writes `accesses`. With `moves` its bytes count as moved, as those of movement ops do.
  void add(ArrayRef<Access> accesses, bool moves, int64_t multiplyAdds = 0) {
    int64_t bytes = 0;
    for (const Access &access : accesses) {
      std::optional<itd::LayoutReport> report = layout.report(access.type);
      if (!report) {
        bytes = cost.padding = INT64_MAX;
        break;
      }
      // The bytes without padding.
      int64_t elements = access.type.getNumElements();
      int64_t data = report->allocated
                         ? static_cast<int64_t>(static_cast<double>(report->bytes) * static_cast<double>(elements) /
                                                static_cast<double>(report->allocated))
                         : 0;
      bytes = addCounts(bytes, access.isInRows ? data : report->bytes);
      cost.padding = addCounts(cost.padding, access.isInRows ? 0 : report->bytes - data);
    }
    if (moves)
      cost.moved = addCounts(cost.moved, bytes);
    cost.addKernels(1, bytes, multiplyAdds, layout);
  }

  void move(Access from, Access to) { add({from, to}, /*moves=*/true); }

  // Inputs are in rows. Integer inputs are tilized for each user. Caches remain on the device, in tiles.
  void readArguments() {
    llvm::SmallPtrSet<Value, 4> seen;
    for (Value value : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(value);
      bool isCache = isa<FillCacheOp, UpdateCacheOp>(op) && value == op->getOperand(0);
      if (!argument || isCache || !seen.insert(value).second)
        continue;
      bool isFirst = llvm::none_of(value.getUsers(), [&](Operation *user) {
        return user != op && user->getBlock() == op->getBlock() && user->isBeforeInBlock(op);
      });
      RankedTensorType type = tensorType(value);
      if (isFirst || !isa<FloatType>(type.getElementType()))
        move({type, /*isInRows=*/true}, {type});
    }
  }

  // A convolution or pool, which the device computes on rows of pixels: it transposes an image with channels first, and
  // reshapes an image to rows of pixels, unless these are known. Only a maximum pool has no weights.
  void window(Value activations, RankedTensorType weights, Value bias) {
    RankedTensorType result = tensorType(op->getResult(0)), image = tensorType(activations), resultImage = result;
    bool hasChannelsFirst = channelsLast(op) == false;
    if (hasChannelsFirst) {
      auto withChannelsLast = [](RankedTensorType type) {
        ArrayRef<int64_t> shape = type.getShape();
        return shape.size() == 4 ? type.clone({shape[0], shape[2], shape[3], shape[1]}) : type;
      };
      image = withChannelsLast(image);
      resultImage = withChannelsLast(result);
      move({tensorType(activations)}, {image});
    }
    RankedTensorType from = asPixels(image), to = asPixels(resultImage);
    bool isReshaped = activations.getDefiningOp<ReshapeOp>() != nullptr;
    bool isMoved =
        image.getShape() != from.getShape() && (hasChannelsFirst || (!isOfWindow(activations) && !isReshaped));
    if (isMoved && isFirstReader(activations))
      move({image}, {from});
    bool isRead = hasChannelsFirst || isMoved || !isInRows(activations); // Converted from tiles to rows.
    if (!weights) {
      pool(from, to, isRead);
    } else {
      if (isRead && isFirstReader(activations))
        move({from}, {from, /*isInRows=*/true});
      SmallVector<Access> accesses = {{from, true}, {weights, true}, {to}};
      if (bias)
        accesses.push_back({tensorType(bias), true});
      add(accesses, /*moves=*/false, multiplyAdds(op));
    }
    if (hasChannelsFirst || (resultImage.getShape() != to.getShape() && !allReadPixels(op->getResult(0))))
      move({to}, {resultImage});
    if (hasChannelsFirst)
      move({resultImage}, {result});
  }

  // Whether elements are in Float32 on the device, and the type in which kernels without Float32 compute them.
  bool isWide(RankedTensorType type) const { return !layout.floats && type.getElementType().isF32(); }
  RankedTensorType narrow(RankedTensorType type) const {
    return isWide(type) ? type.clone(BFloat16Type::get(type.getContext())) : type;
  }

  // Maximum pools are computed in 16 bits, and in rows. With `isRead`, the operand is in tiles.
  void pool(RankedTensorType from, RankedTensorType to, bool isRead) {
    bool isOfPool = isa_and_nonnull<MaxPool2dOp>(op->getOperand(0).getDefiningOp());
    if (isWide(from) && !isOfPool)
      move({from, !isRead}, {narrow(from), !isRead});
    if (isRead)
      move({narrow(from)}, {narrow(from), /*isInRows=*/true});
    add({{narrow(from), true}, {narrow(to), true}}, /*moves=*/false);
    Value result = op->getResult(0);
    auto readsWideRows = [&](Operation *user) { return readsRows(user, result) && !isa<MaxPool2dOp>(user); };
    if (isWide(from) && channelsLast(op) == true && llvm::any_of(op->getUsers(), readsWideRows))
      move({narrow(to), true}, {to, true});
    if (channelsLast(op) == false || !allReadRows(result))
      move({narrow(to), true}, {to});
  }

  void concatenate(ConcatenateOp concatenate) {
    bool areRows = concatenatesRows(concatenate);
    SmallVector<Access> accesses;
    for (Value operand : concatenate.getOperands()) {
      RankedTensorType type = tensorType(operand);
      if (areRows && !isInRows(operand))
        move({type}, {type, true});
      accesses.push_back({type, areRows});
    }
    accesses.push_back({concatenate.getType(), areRows});
    add(accesses, /*moves=*/true);
    if (areRows && !allReadRows(concatenate))
      move({concatenate.getType(), true}, {concatenate.getType()});
  }

  // A constant pad is a concatenation with constants along each padded axis, the last one first.
  void pad(PadOp pad, int64_t kernels) {
    if (pad.getMode() != PadMode::Constant)
      return others(kernels);
    RankedTensorType from = tensorType(pad->getOperand(0)), to = tensorType(pad->getResult(0));
    auto withSize = [](RankedTensorType type, int64_t axis, int64_t size) {
      SmallVector<int64_t> shape(type.getShape());
      shape[axis] = size;
      return type.clone(shape);
    };
    for (int64_t axis = to.getRank() - 1; axis >= 0; --axis) {
      int64_t size = from.getDimSize(axis), padded = to.getDimSize(axis);
      if (size == padded)
        continue;
      RankedTensorType result = withSize(from, axis, padded), constant = withSize(from, axis, padded - size);
      bool areRows = axis == to.getRank() - 1 && (size % kTile != 0 || padded % kTile != 0);
      if (areRows)
        move({from}, {from, true});
      add({{from, areRows}, {constant, areRows}, {result, areRows}}, /*moves=*/true);
      if (areRows)
        move({result, true}, {result});
      from = result;
    }
  }

  // An embedding. The whole table counts as read.
  void embed(EmbeddingOp embedding) {
    RankedTensorType indices = tensorType(embedding.getIndices()), result = embedding.getType();
    int64_t columns = result.getShape().back();
    RankedTensorType flat = result.clone({1, columns == 0 ? 0 : result.getNumElements() / columns, columns});
    move({indices}, {indices, true});
    add({{tensorType(embedding.getEmbeddingTable()), true}, {indices, true}, {flat, true}}, /*moves=*/false);
    move({flat, true}, {flat});
    if (result.getRank() != 3 || result.getShape().front() != 1)
      move({flat}, {result});
  }

  void fill(RankedTensorType update) { add({{update}, {update}}, /*moves=*/false); }

  // A token [N, heads, 1, D] is written as rows of heads, [N, 1, heads, D]. A reshape that computes the token computes
  // these.
  void update(UpdateCacheOp op) {
    RankedTensorType token = tensorType(op->getOperand(1)), rows = asRowsOfHeads(token);
    auto reshape = op->getOperand(1).getDefiningOp<ReshapeOp>();
    if (token != rows && !(reshape && reshapedTo(reshape) == rows))
      move({token}, {rows});
    fill(rows);
  }

  // Mode nearest is a repeat of each axis that becomes larger. Mode bilinear is computed in 16 bits, in rows, and on
  // channels in whole tiles.
  void resize(RankedTensorType from, RankedTensorType to, Resize2dMode mode) {
    SmallVector<int64_t> shape(from.getShape());
    if (mode == Resize2dMode::Bilinear) {
      int64_t channels = shape.back(), padded = llvm::alignTo(channels, kTile);
      auto padChannels = [&](RankedTensorType type) {
        SmallVector<int64_t> shape(type.getShape());
        shape.back() = padded;
        return type.clone(shape);
      };
      RankedTensorType source = padChannels(from), result = padChannels(to);
      if (padded != channels)
        move({from}, {source});
      if (isWide(source))
        move({source}, {narrow(source)});
      move({narrow(source)}, {narrow(source), /*isInRows=*/true});
      add({{narrow(source), true}, {narrow(result), true}}, /*moves=*/false);
      move({narrow(result), true}, {result});
      if (padded != channels)
        move({result}, {to});
      return;
    }
    for (auto [axis, size] : llvm::enumerate(to.getShape())) {
      if (shape[axis] == size)
        continue;
      RankedTensorType before = from.clone(shape);
      shape[axis] = size;
      move({before}, {from.clone(shape)});
    }
  }

  // Any other op: the first kernel reads the operands and writes the result; each further one reads and writes the
  // result. An elementwise op of one operand computes on rows of pixels, if that has these.
  void others(int64_t kernels) {
    auto typeOf = [](Value value) {
      RankedTensorType type = tensorType(value);
      return isOfWindow(value) ? asPixels(type) : type;
    };
    Value changed = changedByElement(op);
    SmallVector<Access> accesses;
    for (Value operand : op->getOperands())
      accesses.push_back(
          {operand == changed ? typeOf(operand) : tensorType(beforeDeferred(tensorType(operand), operand).second)});
    RankedTensorType result = changed ? typeOf(op->getResult(0)) : tensorType(op->getResult(0));
    if (Operation *user = onlyUser(op->getResult(0)); isFusedCast(user))
      result = result.clone(tensorType(user->getResult(0)).getElementType());
    accesses.push_back({result});
    bool moves = isa<ReshapeOp, TransposeOp, IndexOp, StridedSliceOp, StackOp, RepeatOp, RepeatInterleaveOp,
                     BroadcastOp, CastOp, PadOp>(op);
    add(accesses, moves, multiplyAdds(op));
    for (int64_t more = 1; more < kernels; ++more)
      add({{result}, {result}}, moves);
  }

  // Whether this op is the first user of `value` that reads it in rows, for which it is converted. Means read tiles.
  bool isFirstReader(Value value) const {
    return llvm::none_of(value.getUsers(), [&](Operation *user) {
      return user != op && isOnPixelRows(user) && !isMeanOfImage(user) && user->getBlock() == op->getBlock() &&
             user->isBeforeInBlock(op);
    });
  }

  Operation *op;
  const DeviceLayout &layout;
  OpCost cost;
};
} // namespace

OpCost forge::costOf(Operation *op, const DeviceLayout &layout) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ParameterOp, ScalarConstantOp>(op) || op->getNumResults() != 1)
    return {};
  return Kernels(op, layout).count();
}
