//===- SplitWeights.cpp - smaller matmuls instead of slices ---------------===//
//
// Rewrites (x W + b)[:, i:j] to x W[:, i:j] + b[i:j], if the weight and the bias are constants and all users of the
// product are slices. Heads of whole tiles remain one product, for which tt-mlir has a kernel.
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Layout/Rewrites.h"
#include "Layout/Weights/Projection.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/IR/Inference.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"

using namespace mlir;
using namespace forge;

// The users that reshape [..., H * D] to [..., H, D], with H > 1.
SmallVector<int64_t> forge::headSizes(Value slice) {
  int64_t columns = shapeOf(slice).back();
  SmallVector<int64_t> sizes;
  for (Operation *user : slice.getUsers())
    if (auto reshape = dyn_cast<ReshapeOp>(user); reshape && reshape.getType().getRank() > 0)
      if (int64_t size = reshape.getShape().back(); size > 0 && size < columns && columns % size == 0)
        sizes.push_back(size);
  return sizes;
}

bool forge::isHeadSplit(Value slice) {
  return llvm::any_of(headSizes(slice), [](int64_t size) { return size % kTile == 0; });
}

// The tiles that `projection` would read and write if it had `columns` columns only: the input, the weight and the bias
// are read, the product is written, and its reshape, if any, may move tiles.
static int64_t trafficOf(const Projection &projection, int64_t columns, const DeviceLayout &layout) {
  const WeightProduct &product = projection.product;
  auto withColumns = [&](Value value) { return withDim(value, tensorType(value).getRank() - 1, columns); };
  RankedTensorType result = withColumns(product.op()->getResult(0));
  int64_t total = addCounts(layout.tiles(tensorType(product.x->get())), layout.tiles(result));
  total = addCounts(total, layout.tiles(withColumns(product.weights->get())));
  if (product.bias)
    total = addCounts(total, layout.tiles(result.clone({columns})));
  if (ReshapeOp reshape = projection.reshape)
    total = addCounts(total, layout.moveTraffic(reshape, result, withColumns(reshape)));
  return total;
}

// Replaces the product and the slices of its result by a product for each slice, if that moves fewer tiles: all that
// the products and the slices read and write. For more than a few products, one of the slices also must not be aligned
// to tiles: aligned ones are cheap, and each product is a kernel.
static void splitWeight(Projection projection, const RewriteContext &context) {
  constexpr size_t kFewProducts = 4, kMostProducts = 64;
  SmallVector<AxisSlice> slices = projection.slices();
  if (slices.empty() || slices.size() > kMostProducts ||
      llvm::any_of(projection.result.getUsers(), [](Operation *user) { return isHeadSplit(user->getResult(0)); }))
    return;
  const DeviceLayout &layout = context.layout;
  int64_t before = trafficOf(projection, projection.features(), layout), after = 0;
  bool isAnyMisaligned = false;
  for (const AxisSlice &slice : slices) {
    std::optional<itd::SliceTraffic> traffic = layout.traffic(slice);
    if (!traffic)
      return;
    isAnyMisaligned |= traffic->view != 0; // An aligned slice is a view, which moves no tiles.
    before = addCounts(before, traffic->windowed);
    after = addCounts(after, trafficOf(projection, slice.range.length(), layout));
  }
  if ((slices.size() > kFewProducts && !isAnyMisaligned) ||
      !context.mayRewrite(projection.product.op(), "split-weights",
                          Twine(slices.size()) + " matmuls with parts of the weight, and no slice", before, after))
    return;
  // The products are built before the first slice, in the order of the slices, because uses are in no order.
  SmallVector<Operation *> users(projection.result.getUsers());
  llvm::sort(users, isBefore);
  OpBuilder builder(users.front());
  for (Operation *user : users) {
    itd::SliceSpec range = AxisSlice::of(user->getResult(0))->range;
    int64_t size = range.length();
    Value part =
        projection.build(builder, {/*axis=*/0, range.begin, range.end, /*block=*/size, /*padded=*/size}); // no zeros
    takeTrace(part, user->getResult(0));
    user->getResult(0).replaceAllUsesWith(part);
  }
}

void forge::splitWeights(Block &block, const RewriteContext &context) {
  for (MatmulOp op : llvm::to_vector(block.getOps<MatmulOp>()))
    if (std::optional<Projection> projection = Projection::of(op))
      splitWeight(*projection, context);
}
