//===- Pool.cpp - ONNX MaxPool, AveragePool and the global pools ----------===//

#include "NN.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include <limits>

using namespace mlir;
using namespace forge;

namespace {
// A pool over two spatial axes. Forge's pools want equal pads on both sides and count ceil_mode's windows differently, so
// `padEnd` also holds what ceil_mode adds; `padEndDeclared` is what the node says.
struct Pool {
  Value x;
  Window window;
  SmallVector<int64_t> padEndDeclared;
  int64_t rank; // of the ONNX operand
};
} // namespace

// Windows along one axis: with ceil_mode the last one may stick out, but must start inside the input or its left pad.
static int64_t windowCount(int64_t size, int64_t begin, int64_t end, int64_t span, int64_t stride, bool ceilMode) {
  int64_t room = size + begin + end - span;
  if (room < 0)
    return 0;
  int64_t count = room / stride + 1;
  if (ceilMode && room % stride != 0 && count * stride < size + begin)
    ++count;
  return count;
}

// Reads the node and raises one spatial axis to two.
static std::optional<Pool> readPool(OnnxNode &n, ForgeBuilder &b) {
  Pool pool;
  pool.x = n.input(0);
  bool ceilMode = n.since() >= 10 && n.flagAttr("ceil_mode", false);
  if (n.failed())
    return std::nullopt;
  pool.rank = tensorType(pool.x).getRank();
  if (pool.rank < 3) {
    n.refuse("the operand must have rank 3 or more");
    return std::nullopt;
  }
  pool.window = readWindow(n, shapeOf(pool.x).drop_front(2), {});
  if (n.failed())
    return std::nullopt;
  if (pool.rank > 4) {
    n.refuse("pools over " + Twine(pool.rank - 2) + " spatial axes are not supported on the device");
    return std::nullopt;
  }
  Window &window = pool.window;
  if (pool.rank == 3) {
    ArrayRef<int64_t> s = shapeOf(pool.x);
    pool.x = b.reshape(pool.x, {s[0], s[1], 1, s[2]});
    for (auto *list : {&window.kernel, &window.strides, &window.dilations})
      list->insert(list->begin(), 1);
    for (auto *list : {&window.padBegin, &window.padEnd})
      list->insert(list->begin(), 0);
  }
  if (llvm::any_of(window.dilations, [](int64_t dilation) { return dilation != 1; }))
    n.refuse("dilated pools are not supported on the device");
  pool.padEndDeclared = window.padEnd;
  for (size_t i : {0, 1}) {
    int64_t size = shapeOf(pool.x)[2 + i];
    int64_t count = windowCount(size, window.padBegin[i], window.padEnd[i], window.kernel[i], window.strides[i], ceilMode);
    if (count < 1)
      n.refuse("the window does not fit into the padded input");
    // What the windows really cover: ceil_mode reaches further, other windows may leave a rest.
    int64_t needed = (count - 1) * window.strides[i] + window.kernel[i] - size - window.padBegin[i];
    window.padEnd[i] = std::max(window.padEnd[i], needed);
  }
  if (n.failed())
    return std::nullopt;
  return pool;
}

static Value lowered(ForgeBuilder &b, Value result, int64_t rank) {
  if (!result || rank == 4)
    return result;
  ArrayRef<int64_t> s = shapeOf(result);
  return b.reshape(result, {s[0], s[1], s[3]});
}

// Pads height and width of the operand with `value`.
static Value padded(ForgeBuilder &b, const Pool &pool, double value) {
  const Window &w = pool.window;
  return b.pad(pool.x, {0, 0, w.padBegin[0], w.padBegin[1]}, {0, 0, w.padEnd[0], w.padEnd[1]}, value);
}

// MaxPool (since 1, 8, 10, 11, 12, 22).
static Values convertMaxPool(OnnxNode &n, ForgeBuilder &b) {
  if (n.usesOutput(1))
    n.refuse("output 'Indices' is not supported on the device");
  n.ignoreAttr("storage_order"); // Only the order of the indices.
  std::optional<Pool> pool = readPool(n, b);
  if (!pool)
    return {};
  const Window &w = pool->window;
  SmallVector<int64_t> padding{w.padBegin[1], w.padEnd[1], w.padBegin[0], w.padEnd[0]};
  Value x = pool->x;
  if (padding[0] != padding[1] || padding[2] != padding[3]) {
    x = padded(b, *pool, -std::numeric_limits<double>::infinity());
    padding.assign(4, 0);
  }
  Value result = b.create<MaxPool2dOp>(x, ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(padding), /*dilation=*/1,
                                       /*ceil_mode=*/false, /*return_indices=*/false, /*channel_last=*/false);
  return {lowered(b, result, pool->rank)};
}

// How many elements each window averages: those of the input, or also those of the declared pads.
static HostTensor windowSizes(const Pool &pool, ArrayRef<int64_t> resultShape, bool countPads, Type element) {
  const Window &w = pool.window;
  HostTensor sizes{RankedTensorType::get({1, 1, resultShape[2], resultShape[3]}, element), {}, {}};
  auto covered = [&](size_t axis, int64_t index) {
    int64_t size = shapeOf(pool.x)[2 + axis], start = index * w.strides[axis] - w.padBegin[axis];
    int64_t low = countPads ? -w.padBegin[axis] : 0, high = countPads ? size + pool.padEndDeclared[axis] : size;
    return std::min(start + w.kernel[axis], high) - std::max(start, low);
  };
  for (int64_t i = 0; i < resultShape[2]; ++i)
    for (int64_t j = 0; j < resultShape[3]; ++j)
      sizes.floats.push_back(static_cast<double>(covered(0, i) * covered(1, j)));
  return sizes;
}

// AveragePool (since 1, 7, 10, 11, 19, 22): pads are zeros that an average counts or not. Forge averages whole windows,
// so where a window counts fewer elements its average is scaled by kernel size over count, known here.
static Values convertAveragePool(OnnxNode &n, ForgeBuilder &b) {
  bool countPads = n.since() >= 7 && n.flagAttr("count_include_pad", false);
  std::optional<Pool> pool = readPool(n, b);
  if (!pool)
    return {};
  const Window &w = pool->window;
  SmallVector<int64_t> none(4, 0);
  Value result = b.create<AvgPool2dOp>(padded(b, *pool, 0), ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(none),
                                       /*ceil_mode=*/false, /*count_include_pad=*/true, /*channel_last=*/false);
  if (!result)
    return {};
  bool isPadded = llvm::any_of(llvm::concat<const int64_t>(w.padBegin, w.padEnd), [](int64_t pad) { return pad != 0; });
  if (!isPadded)
    return {lowered(b, result, pool->rank)};
  constexpr int64_t kMost = 1 << 24;
  if (tensorType(result).getNumElements() > kMost) {
    n.refuse("a padded average of more than " + Twine(kMost) + " windows is not supported");
    return {};
  }
  HostTensor scale = windowSizes(*pool, shapeOf(result), countPads, tensorType(result).getElementType());
  double whole = static_cast<double>(w.kernel[0] * w.kernel[1]);
  bool uniform = llvm::all_of(scale.floats, [&](double size) { return size == whole; });
  if (llvm::any_of(scale.floats, [](double size) { return size < 1; })) {
    n.refuse("a window lies entirely in the padding");
    return {};
  }
  for (double &size : scale.floats)
    size = whole / size;
  if (!uniform)
    result = b.create<MultiplyOp>(result, b.constant(scale.toAttr()));
  return {lowered(b, result, pool->rank)};
}

// GlobalAveragePool and GlobalMaxPool (since 1, 22) reduce every spatial axis.
template <typename OpTy>
static Values convertGlobalPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  if (llvm::is_contained(shapeOf(x).drop_front(std::min<int64_t>(2, tensorType(x).getRank())), 0)) {
    n.refuse("a pool over an empty axis is not supported");
    return {};
  }
  return {b.reduce<OpTy>(x, llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(2, tensorType(x).getRank()))), true)};
}

void forge::registerPoolOps(OnnxRegistry &r) {
  r.add("MaxPool", {1, 8, 10, 11, 12, 22}, convertMaxPool);
  r.add("AveragePool", {1, 7, 10, 11, 19, 22}, convertAveragePool);
  r.add("GlobalAveragePool", {1, 22}, convertGlobalPool<ReduceAvgOp>);
  r.add("GlobalMaxPool", {1, 22}, convertGlobalPool<ReduceMaxOp>);
}
