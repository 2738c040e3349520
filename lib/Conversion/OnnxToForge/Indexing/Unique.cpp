//===- Unique.cpp - ONNX Unique -------------------------------------------===//

#include "Indexing.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Unique (since 11, 28): distinct slices along `axis`, or distinct elements.
Values forge::convertUnique(OnnxNode &n, ForgeBuilder &b) {
  DenseElementsAttr attr = n.constant(0, "the operand");
  bool sorted = n.flagAttr("sorted", true), hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed())
    return {};
  Value x = hasAxis ? n.input(0) : b.reshape(n.input(0), {attr.getNumElements()});
  axis = n.axis(axis, rankOf(x));
  HostTensor host = HostTensor::fromAttr(attr);
  if (llvm::any_of(host.floats, [](double value) { return std::isnan(value); }))
    n.refuse(Code::ResultUndefined, "the operand holds NaN, which has no order");
  if (n.failed())
    return {};
  int64_t count = shapeOf(x)[axis], stride = stridesOf(shapeOf(x))[axis];
  int64_t outer = llvm::product_of(shapeOf(x).take_front(axis));
  bool isUnsigned = elementOf(x).isUnsignedInteger();
  auto isLess = [&](int64_t p, int64_t q) {
    if (host.isFloat())
      return host.floats[p] < host.floats[q];
    int64_t a = host.ints[p], c = host.ints[q]; // An ui64 of 2^63 or more is negative.
    return isUnsigned ? static_cast<uint64_t>(a) < static_cast<uint64_t>(c) : a < c;
  };
  // -1, 0 or 1 as slice i comes before, equals or follows slice j.
  auto order = [&](int64_t i, int64_t j) {
    for (int64_t block = 0; block < outer; ++block)
      for (int64_t k = 0; k < stride; ++k) {
        int64_t p = (block * count + i) * stride + k, q = (block * count + j) * stride + k;
        if (isLess(p, q) || isLess(q, p))
          return isLess(p, q) ? -1 : 1;
      }
    return 0;
  };
  SmallVector<int64_t> slices = llvm::to_vector(llvm::seq<int64_t>(0, count)), first, inverse(count), counts;
  llvm::stable_sort(slices, [&](int64_t i, int64_t j) { return order(i, j) < 0; });
  SmallVector<SmallVector<int64_t>> groups;
  for (int64_t slice : slices) {
    if (groups.empty() || order(groups.back().front(), slice) != 0)
      groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (!sorted)
    llvm::sort(groups, [](const auto &a, const auto &c) { return a.front() < c.front(); });
  for (auto [i, group] : llvm::enumerate(groups)) {
    first.push_back(group.front());
    counts.push_back(group.size());
    for (int64_t slice : group)
      inverse[slice] = i;
  }
  return {b.take(x, axis, first), b.ints(first), b.ints(inverse), b.ints(counts)};
}
