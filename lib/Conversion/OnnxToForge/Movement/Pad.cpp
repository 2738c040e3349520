//===- Pad.cpp - ONNX Pad -------------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// The element of an axis that is at `position` of the padded axis; `position` may be out of bounds.
static int64_t sourceOf(int64_t position, int64_t size, StringRef mode) {
  if (mode == "edge" || size == 1)
    return std::clamp<int64_t>(position, 0, size - 1);
  auto modulo = [](int64_t value, int64_t by) { return (value % by + by) % by; };
  if (mode == "wrap")
    return modulo(position, size);
  // A triangle wave, which does not repeat the ends.
  int64_t folded = modulo(position, 2 * (size - 1));
  return std::min(folded, 2 * (size - 1) - folded);
}

// The source elements of an axis that is padded or cropped at both ends. If one end is padded and the other cropped,
// ONNX does not define the order: nullopt if that matters.
static std::optional<SmallVector<int64_t>> padded(int64_t before, int64_t after, int64_t size, StringRef mode) {
  bool isMixed = (before < 0) != (after < 0) && before != 0 && after != 0;
  // What a crop keeps: `kept` elements from `first` on.
  int64_t first = std::max<int64_t>(-before, 0), kept = size + std::min<int64_t>(after, 0) - first;
  SmallVector<int64_t> indices;
  for (int64_t i = -before; i < size + after; ++i) {
    int64_t padFirst = sourceOf(i, size, mode);
    if (isMixed && (kept < 1 || first + sourceOf(i - first, kept, mode) != padFirst))
      return std::nullopt;
    indices.push_back(padFirst);
  }
  return indices;
}

// Pad modes that repeat elements of the operand, one axis at a time.
static Value padFromOperand(OnnxNode &n, ForgeBuilder &b, Value x, ArrayRef<int64_t> pads, StringRef mode) {
  int64_t rank = rankOf(x);
  for (int64_t axis = 0; axis < rank && x; ++axis) {
    int64_t before = pads[axis], after = pads[rank + axis], size = shapeOf(x)[axis];
    if (before == 0 && after == 0)
      continue;
    if (size + before + after < 0 || size + before + after > (1 << 24) || size == 0)
      return n.refuse(Code::SizeInvalid, "the pads do not fit axis " + Twine(axis) + " of size " + Twine(size));
    std::optional<SmallVector<int64_t>> indices = padded(before, after, size, mode);
    if (!indices)
      return n.refuse(Code::ResultUndefined,
                      "mode '" + mode + "' with a pad and a crop on one axis has no defined order");
    x = b.take(x, axis, *indices);
  }
  return x;
}

// Pad (since 1, 2, 11, 13, 18, 19, 21, 23, 24, 25): attributes before 11, inputs since; `axes` since 18, wrap since 19.
// Negative pads crop.
Values forge::convertPad(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), fill;
  static constexpr StringRef kModes[] = {"constant", "edge", "reflect", "wrap"};
  StringRef mode = n.choiceAttr("mode", ArrayRef(kModes).take_front(n.since() >= 19 ? 4 : 3));
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> given, axes = allAxes(rank);
  if (n.since() < 11) {
    given = n.intsAttr(n.since() < 2 ? "paddings" : "pads");
    fill = b.scalarLike(x, n.floatAttr("value", 0));
  } else {
    given = n.constantInts(1, "pads");
    fill = n.hasInput(2) ? n.input(2) : b.scalarLike(x, 0);
    if (n.since() >= 18 && n.hasInput(3))
      axes = n.axes(n.constantInts(3, "axes"), rank);
  }
  if (n.failed())
    return {};
  size_t count = axes.size();
  if (given.size() != 2 * count || llvm::any_of(given, [](int64_t pad) { return !llvm::isInt<32>(pad); }))
    return n.refuse(Code::SizeInvalid, "there are " + Twine(given.size()) + " pads for " + Twine(count) +
                                           " axes, or one is beyond 32 bits");
  SmallVector<int64_t> pads(2 * rank, 0);
  for (size_t i = 0; i < count; ++i) {
    pads[axes[i]] = given[i];
    pads[rank + axes[i]] = given[count + i];
  }
  if (mode == "constant") {
    if (numElements(fill) != 1)
      n.refuse(Code::ElementCount, "the constant value must have one element");
    return {n.failed() ? Value() : b.window(x, ArrayRef(pads).take_front(rank), ArrayRef(pads).drop_front(rank), fill)};
  }
  return {padFromOperand(n, b, x, pads, mode)};
}
