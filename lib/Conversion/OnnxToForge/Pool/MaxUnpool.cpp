//===- MaxUnpool.cpp - ONNX MaxUnpool -------------------------------------===//

#include "Pool.h"

#include "forge/Conversion/OnnxToForge/Import/ImpliedDomain.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"

using namespace mlir;
using namespace forge;

// Whether the indices are those of a MaxPool with this window, of an operand of this shape: each of them is then a
// position within its own window.
static bool areOfMaxPool(OnnxNode &n, const Window &w, ArrayRef<int64_t> shape) {
  auto result = dyn_cast<OpResult>(n.getOp().getOperand(1));
  auto pool = result ? dyn_cast<torch::OperatorOp>(result.getOwner()) : torch::OperatorOp();
  if (!pool || result.getResultNumber() != 1 || pool.getName() != "onnx.MaxPool" ||
      !domainOf(pool, pool->getParentOfType<func::FuncOp>()).domain.empty())
    return false;
  auto attr = [&](StringRef name) { return pool->getDiscardableAttr((torch::kAttrPrefix + name).str()); };
  auto has = [&](StringRef name, ArrayRef<int64_t> expected, int64_t fallback) {
    Attribute given = attr(name);
    auto list = dyn_cast_or_null<ArrayAttr>(given);
    if (!list)
      return !given && llvm::all_of(expected, [&](int64_t number) { return number == fallback; });
    return llvm::equal(list, expected, [](Attribute entry, int64_t number) {
      auto integer = dyn_cast<IntegerAttr>(entry);
      return integer && integer.getInt() == number;
    });
  };
  auto storage = dyn_cast_or_null<IntegerAttr>(attr("storage_order"));
  auto pooled = dyn_cast<torch::ValueTensorType>(pool.getOperand(0).getType());
  return !attr("auto_pad") && (!attr("storage_order") || (storage && storage.getInt() == 0)) &&
         has("kernel_shape", w.kernel, -1) && has("strides", w.strides, 1) && has("dilations", w.dilations, 1) &&
         has("pads", concatShapes(w.padBegin, w.padEnd), 0) && pooled && pooled.getSizes() == shape;
}

// Unpools `x` to `shape` at `indices`, each of which is a position within its own window. The windows at distance d
// before the last one of each position are spread over the positions at once, in ascending order: as in ONNX's
// reference, the last of equal indices wins.
static Value unpoolWindows(ForgeBuilder &b, Value x, Value indices, const Window &w, ArrayRef<int64_t> shape) {
  size_t spatial = w.rank();
  // Positions within an image.
  ArrayRef<int64_t> image = shape.drop_front(2);
  SmallVector<int64_t> counts, strides = stridesOf(image);
  auto images = [&](ArrayRef<int64_t> at) { return (at[0] * shape[1] + at[1]) * ShapedType::getNumElements(image); };
  SmallVector<int64_t> ones(spatial, 1);
  indices =
      b.create<SubtractOp>(indices, b.tabulate(concatShapes(shape.take_front(2), ones), elementOf(indices), images));
  auto position = [&](ArrayRef<int64_t> at) {
    return std::inner_product(strides.begin(), strides.end(), at.begin() + 2, int64_t(0));
  };
  Value own = b.tabulate(concatShapes({1, 1}, image), elementOf(indices), position);
  for (size_t i = 0; i < spatial; ++i)
    counts.push_back(llvm::divideCeil(w.kernel[i], w.strides[i]));
  Value result = b.splat(tensorType(x).clone(shape), 0);
  Value none = b.scalarLike(indices, -1), zero = b.scalarLike(x, 0);
  forEachIndex(counts, [&](ArrayRef<int64_t> window) {
    SmallVector<int64_t> before(shape.size(), 0), after(shape.size(), 0);
    auto spread = [&](Value value, Value fill) {
      for (size_t i = 0; i < spatial; ++i) {
        int64_t size = shapeOf(indices)[2 + i], stride = w.strides[i];
        SmallVector<int64_t> repeats;
        for (int64_t at = 0; at < size * stride; ++at)
          repeats.push_back(at / stride);
        value = stride == 1 ? value : b.take(value, 2 + i, repeats);
        before[2 + i] = (counts[i] - 1 - window[i]) * stride - w.padBegin[i];
        after[2 + i] = shape[2 + i] - before[2 + i] - size * stride;
      }
      return b.window(value, before, after, fill);
    };
    Value hit = b.compare<EqualOp>(spread(indices, none), own);
    result = b.create<WhereOp>(hit, spread(x, zero), result);
  });
  return result;
}

// MaxUnpool (since 9, 11, 22): indices are into the result size that the window implies; `output_shape` pads it.
Values forge::convertMaxUnpool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  SmallVector<int64_t> kernel = n.intsAttr("kernel_shape");
  SmallVector<int64_t> ones(kernel.size(), 1), zeros(2 * kernel.size(), 0);
  SmallVector<int64_t> strides = n.intsAttr("strides", ArrayRef(ones)), pads = n.intsAttr("pads", ArrayRef(zeros));
  SmallVector<int64_t> target = n.hasInput(2) ? n.constantInts(2, "output_shape") : SmallVector<int64_t>();
  if (n.failed())
    return {};
  size_t spatial = kernel.size();
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() != spatial + 2 || strides.size() != spatial || pads.size() != 2 * spatial ||
      shapeOf(indices) != shapeOf(x) || (!target.empty() && target.size() != shape.size()))
    return n.refuse(Code::ShapeMismatch, "the operand, the indices and the window do not fit each other");
  SmallVector<int64_t> before(shape.size(), 0), after(shape.size(), 0);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i >= 2)
      shape[i] = (shape[i] - 1) * strides[i - 2] + kernel[i - 2] - pads[i - 2] - pads[spatial + i - 2];
    if (shape[i] < 1 || shape[i] > INT16_MAX || (!target.empty() && target[i] < shape[i]))
      return n.refuse(Code::SizeInvalid, "the result has an axis of size " + Twine(shape[i]) + ", which does not fit");
    after[i] = target.empty() ? 0 : target[i] - shape[i];
  }
  if (!isCountable(shape) || ShapedType::getNumElements(shape) > (1 << 26))
    return n.refuse(Code::TooManyElements, "the result has too many elements");
  Window window{kernel, strides, ones, llvm::to_vector(ArrayRef(pads).take_front(spatial)),
                llvm::to_vector(ArrayRef(pads).drop_front(spatial))};
  if (areOfMaxPool(n, window, shape))
    return {b.window(unpoolWindows(b, x, indices, window, shape), before, after, b.scalarLike(x, 0))};
  int64_t elements = ShapedType::getNumElements(shape), count = numElements(x);
  Value rows = wrappedIndices(n, b, b.reshape(indices, {count}), elements);
  Value flat = b.splat(tensorType(x).clone({elements}), 0);
  Value result = b.reshape(scatterRows(n, b, flat, rows, b.reshape(x, {count}), "none"), shape);
  return {b.window(result, before, after, b.scalarLike(x, 0))};
}
