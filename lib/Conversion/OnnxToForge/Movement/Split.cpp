//===- Split.cpp - ONNX Split ---------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// The sizes: an attribute, an input since 13, either in version 1. nullopt if absent.
static std::optional<SmallVector<int64_t>> givenSizes(OnnxNode &n) {
  if (n.since() < 13 && n.hasAttr("split"))
    return n.intsAttr("split");
  if ((n.since() >= 13 || n.since() == 1) && n.hasInput(1))
    return n.constantInts(1, "split");
  return std::nullopt;
}

// Equal sizes. With `num_outputs` (since 18) the last one may be smaller; before, the size must be divisible.
static SmallVector<int64_t> equalSizes(OnnxNode &n, int64_t size) {
  int64_t count = n.numOutputs();
  if (n.since() >= 18 && n.intAttr("num_outputs") != count)
    n.refuse(Code::AttributeMismatch, "attribute 'num_outputs' is " + Twine(n.intAttr("num_outputs")) +
                                          ", but the node has " + Twine(count) + " outputs");
  if (count == 0)
    n.refuse(Code::Arity, "the node has no outputs");
  if (n.failed())
    return {};
  if (n.since() < 18 && size % count != 0)
    n.refuse(Code::DoesNotDivide,
             "axis of size " + Twine(size) + " does not divide into " + Twine(count) + " equal outputs");
  int64_t chunk = (size + count - 1) / count;
  SmallVector<int64_t> sizes(count, chunk);
  sizes.back() = size - chunk * (count - 1);
  if (sizes.back() < 0)
    n.refuse(Code::DoesNotDivide, "axis of size " + Twine(size) + " cannot be split into " + Twine(count) +
                                      " outputs of size " + Twine(chunk));
  return sizes;
}

// Split (since 1, 2, 11, 13, 18): splits one axis by given sizes, or equally.
Values forge::convertSplit(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> sizes = givenSizes(n);
  int64_t axis = n.axisAttr(x, 0);
  if (n.failed())
    return {};
  if (sizes && n.since() >= 18 && n.hasAttr("num_outputs"))
    n.refuse(Code::AttributeMismatch, "both 'split' and 'num_outputs' are given");
  if (!sizes)
    sizes = equalSizes(n, shapeOf(x)[axis]);
  else if (sizes->size() != n.numOutputs())
    n.refuse(Code::SizeInvalid,
             "there are " + Twine(sizes->size()) + " sizes for " + Twine(n.numOutputs()) + " outputs");
  if (n.failed())
    return {};
  return b.split(x, axis - rankOf(x), *sizes);
}
