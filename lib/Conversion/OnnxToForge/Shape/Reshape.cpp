//===- Reshape.cpp - ONNX ops that only rename dims -----------------------===//

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

using namespace mlir;
using namespace forge;

static Values convertIdentity(OnnxNode &n, ForgeBuilder &) { return {n.input(0)}; }

// Reshape (since 1, 5, 13, 14, 19, 21, 23, 24, 25): 0 copies a dim unless allowzero, one -1 is inferred.
static Values convertReshape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.since() < 5 ? n.intsAttr("shape", ArrayRef<int64_t>()) : n.constantInts(1, "shape");
  n.ignoreAttr("consumed_inputs");
  bool allowZero = n.since() >= 14 && n.flagAttr("allowzero", false);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  int64_t inferred = -1, known = 1;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (size == 0 && !allowZero) {
      if (static_cast<int64_t>(i) >= type.getRank()) {
        n.refuse("shape copies dim " + Twine(i) + " of an operand of rank " + Twine(type.getRank()));
        return {};
      }
      size = type.getDimSize(i);
    }
    if (size == -1 && inferred < 0) {
      inferred = i;
    } else if (size < 0 || llvm::MulOverflow(known, size, known)) {
      n.refuse("shape has a negative size, a second -1, or too many elements");
      return {};
    }
  }
  int64_t elements = type.getNumElements();
  if (inferred >= 0) {
    if (known == 0 || elements % known != 0) {
      n.refuse("the -1 of the shape cannot be inferred from " + Twine(elements) + " elements");
      return {};
    }
    shape[inferred] = elements / known;
  } else if (known != elements) {
    n.refuse("shape has " + Twine(known) + " elements, but the operand has " + Twine(elements));
    return {};
  }
  return {b.reshape(x, shape)};
}

// Flatten (since 1, 9, 11, 13, 21, 23, 24, 25): the dims before and from `axis`, which may equal the rank.
static Values convertFlatten(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = n.intAttr("axis", 1);
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  if (axis < -rank || axis > rank || (axis < 0 && n.since() < 11)) {
    n.refuse("attribute 'axis' " + Twine(axis) + " is outside rank " + Twine(rank));
    return {};
  }
  axis = axis < 0 ? axis + rank : axis;
  auto product = [](ArrayRef<int64_t> sizes) {
    int64_t result = 1;
    for (int64_t size : sizes)
      result *= size;
    return result;
  };
  return {b.reshape(x, {product(shapeOf(x).take_front(axis)), product(shapeOf(x).drop_front(axis))})};
}

// The axes of Squeeze and Unsqueeze: an attribute, since 13 an input. Nothing when absent.
static std::optional<SmallVector<int64_t>> axesOf(OnnxNode &n) {
  if (n.since() < 13)
    return n.hasAttr("axes") ? std::optional(n.intsAttr("axes")) : std::nullopt;
  return n.hasInput(1) ? std::optional(n.constantInts(1, "axes")) : std::nullopt;
}

static Values convertSqueeze(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> axes = axesOf(n);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  SmallVector<int64_t> dropped = axes ? n.axes(*axes, type.getRank()) : SmallVector<int64_t>();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    bool drop = axes ? llvm::is_contained(dropped, static_cast<int64_t>(i)) : size == 1;
    if (drop && size != 1)
      n.refuse("axis " + Twine(i) + " has size " + Twine(size) + ", so it cannot be squeezed");
    if (!drop)
      shape.push_back(size);
  }
  if (n.failed())
    return {};
  return {b.reshape(x, shape)};
}

static Values convertUnsqueeze(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> axes = axesOf(n);
  if (!axes)
    n.refuse("axes are missing");
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank() + axes->size();
  SmallVector<int64_t> added = n.axes(*axes, rank);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape;
  auto next = shapeOf(x).begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(added, i) ? 1 : *next++);
  return {b.reshape(x, shape)};
}

// Transpose (since 1, 13, 21, 23, 24, 25): all axes reversed without `perm`.
static Values convertTranspose(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  SmallVector<int64_t> perm = n.intsAttr("perm", ArrayRef(reversed));
  if (static_cast<int64_t>(perm.size()) != rank)
    n.refuse("attribute 'perm' has " + Twine(perm.size()) + " axes for an operand of rank " + Twine(rank));
  perm = n.axes(perm, rank, "perm");
  return {n.failed() ? Value() : b.transpose(x, perm)};
}

// Concat (since 1, 4, 11, 13).
static Values convertConcat(OnnxNode &n, ForgeBuilder &b) {
  Values operands = n.inputs();
  int64_t axis = n.since() < 4 ? n.intAttr("axis", 1) : n.intAttr("axis");
  if (operands.empty())
    n.refuse("there are no inputs");
  if (n.failed())
    return {};
  axis = n.axis(axis, tensorType(operands.front()).getRank());
  for (Value operand : operands)
    if (tensorType(operand).getRank() != tensorType(operands.front()).getRank())
      n.refuse("the inputs differ in rank");
  return {n.failed() ? Value() : b.concatenate(operands, axis)};
}

void forge::registerShapeOps(OnnxRegistry &r) {
  r.add("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, convertIdentity);
  r.add("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, convertReshape);
  r.add("Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, convertFlatten);
  r.add("Squeeze", {1, 11, 13, 21, 23, 24, 25}, convertSqueeze);
  r.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, convertUnsqueeze);
  r.add("Transpose", {1, 13, 21, 23, 24, 25}, convertTranspose);
  r.add("Concat", {1, 4, 11, 13}, convertConcat);
}
