//===- Reduce.cpp - ONNX reductions over any axes -------------------------===//

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

using namespace mlir;
using namespace forge;

// The axes to reduce: an attribute, then an input (ReduceSum since 13, the others since 18). All axes when none are named,
// or none at all with noop_with_empty_axes.
static std::optional<SmallVector<int64_t>> reducedAxes(OnnxNode &n, int64_t rank, int64_t inputSince) {
  std::optional<SmallVector<int64_t>> axes;
  bool noop = false;
  if (n.since() < inputSince) {
    if (n.hasAttr("axes"))
      axes = n.intsAttr("axes");
  } else {
    noop = n.flagAttr("noop_with_empty_axes", false);
    if (n.hasInput(1))
      axes = n.constantInts(1, "axes");
  }
  if (n.failed())
    return std::nullopt;
  if (axes && !axes->empty())
    return n.axes(*axes, rank);
  return noop ? SmallVector<int64_t>() : llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

// ReduceSum, ReduceMean, ReduceMax. `axes` became an input at `InputSince`.
template <typename OpTy, int64_t InputSince>
static Values convertReduce(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool keepDims = n.flagAttr("keepdims", true);
  if (!x)
    return {};
  auto axes = reducedAxes(n, tensorType(x).getRank(), InputSince);
  if (n.failed())
    return {};
  Type element = tensorType(x).getElementType();
  if (std::is_same_v<OpTy, ReduceAvgOp> && !isa<FloatType>(element))
    n.refuse("the mean of integers truncates, which the device cannot do");
  if (llvm::any_of(*axes, [&](int64_t axis) { return shapeOf(x)[axis] == 0; }))
    n.refuse("a reduction over an empty axis is not supported");
  if (n.failed())
    return {};
  return {b.reduce<OpTy>(x, *axes, keepDims)};
}

// ArgMax (since 1, 11, 12, 13): the first maximum, as int64.
static Values convertArgMax(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = n.intAttr("axis", 0);
  bool keepDims = n.flagAttr("keepdims", true);
  if (n.since() >= 12 && n.flagAttr("select_last_index", false))
    n.refuse("select_last_index = 1 is not supported");
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  axis = n.axis(axis, rank);
  if (!n.failed() && shapeOf(x)[axis] == 0)
    n.refuse("a reduction over an empty axis is not supported");
  if (n.failed())
    return {};
  Value index = b.create<ArgmaxOp>(x, b.getBuilder().getI64IntegerAttr(axis - rank), b.getBuilder().getBoolAttr(keepDims));
  return {b.cast(index, b.getBuilder().getI64Type())};
}

void forge::registerReductionOps(OnnxRegistry &r) {
  r.add("ReduceSum", {1, 11, 13}, convertReduce<ReduceSumOp, 13>);
  r.add("ReduceMean", {1, 11, 13, 18}, convertReduce<ReduceAvgOp, 18>);
  r.add("ReduceMax", {1, 11, 12, 13, 18, 20}, convertReduce<ReduceMaxOp, 18>);
  r.add("ArgMax", {1, 11, 12, 13}, convertArgMax);
}
