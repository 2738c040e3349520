//===- ForgeBuilderMovement.cpp - windows and constant gathers ------------===//

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

static bool isZero(Value fill) {
  DenseElementsAttr known = knownValue(fill);
  if (!known || known.getNumElements() != 1)
    return false;
  if (isa<FloatType>(known.getElementType()))
    return (*known.getValues<APFloat>().begin()).isPosZero();
  return isa<IntegerType>(known.getElementType()) && (*known.getValues<APInt>().begin()).isZero();
}

// A tensor of `type` whose elements are that of `fill`.
static Value repeated(ForgeBuilder &b, Value fill, RankedTensorType type) {
  if (DenseElementsAttr known = knownValue(fill); known && !isa<ComplexType>(known.getElementType()))
    return b.constant(DenseElementsAttr::get(type, known.getValues<Attribute>()[0]));
  if (type.getRank() == 0)
    return b.reshape(fill, {});
  return b.expand(b.reshape(fill, SmallVector<int64_t>(type.getRank(), 1)), type.getShape());
}

Value ForgeBuilder::window(Value operand, ArrayRef<int64_t> before, ArrayRef<int64_t> after, Value fill) {
  if (!operand || !fill)
    return {};
  SmallVector<int64_t> shape(shapeOf(operand)), low, high;
  bool overlaps = true;
  int64_t elements = 1;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    int64_t begin = std::max<int64_t>(0, -before[axis]), end = std::min(size, size + after[axis]);
    overlaps &= begin < end;
    size += before[axis] + after[axis];
    if (size < 0 || llvm::MulOverflow(elements, size, elements) || elements > INT32_MAX) {
      error(Code::SizeInvalid, "the pads leave a negative size or too many elements");
      return {};
    }
    low.push_back(std::max<int64_t>(0, before[axis]));
    high.push_back(std::max<int64_t>(0, after[axis]));
  }
  if (!overlaps)
    return repeated(*this, fill, tensorType(operand).clone(shape));
  for (int64_t axis = 0, rank = shape.size(); axis < rank && operand; ++axis) {
    int64_t size = shapeOf(operand)[axis];
    operand = slice(operand, axis, std::max<int64_t>(0, -before[axis]), std::min(size, size + after[axis]));
  }
  // A zero pad can be folded into a convolution later.
  if (isZero(fill))
    return pad(operand, low, high, 0);
  for (int64_t axis = 0, rank = shape.size(); axis < rank && operand; ++axis) {
    auto block = [&](int64_t size) {
      return repeated(*this, fill, tensorType(operand).clone(withSize(shapeOf(operand), axis, size)));
    };
    operand = concatenate({block(low[axis]), operand, block(high[axis])}, axis);
  }
  return operand;
}

Value ForgeBuilder::stridedSlice(Value operand, int64_t axis, int64_t begin, int64_t count, int64_t stride) {
  if (!operand || stride == 1 || count <= 1)
    return slice(operand, axis, begin, begin + count);
  int64_t end = begin + (count - 1) * stride + 1;
  return create<StridedSliceOp>(operand, ArrayRef{axis}, ArrayRef{begin}, ArrayRef{end}, ArrayRef{stride});
}

Value ForgeBuilder::take(Value operand, int64_t axis, ArrayRef<int64_t> indices) {
  if (!operand)
    return {};
  int64_t size = shapeOf(operand)[axis], rank = rankOf(operand), count = indices.size();
  for (int64_t index : indices)
    if (index < 0 || index >= size) {
      error(Code::OutOfRange, "index " + Twine(index) + " is outside an axis of size " + Twine(size));
      return {};
    }
  if (count == 0)
    return slice(operand, axis, 0, 0);
  if (matchPattern(operand, m_Constant()))
    return create<AdvIndexOp>(operand, ints(indices), axis - rank);
  // Each slice is repeated.
  int64_t factor = count / size;
  if (factor > 1 && count % size == 0 &&
      llvm::all_of(llvm::seq<int64_t>(0, count), [&](int64_t i) { return indices[i] == i / factor; }))
    return create<RepeatInterleaveOp>(operand, factor, axis - rank);
  // A few runs of consecutive indices are slices and repeated slices.
  constexpr size_t kMostRuns = 3;
  struct Run {
    int64_t begin, count, stride;
  };
  SmallVector<Run> runs;
  for (int64_t i = 0; i < count && runs.size() <= kMostRuns;) {
    int64_t stride = i + 1 < count ? indices[i + 1] - indices[i] : 1, end = i + 1;
    while (stride >= 0 && end < count && indices[end] - indices[end - 1] == stride)
      ++end;
    runs.push_back({indices[i], end - i, std::max<int64_t>(stride, 0)});
    i = end;
  }
  if (runs.size() > kMostRuns)
    return create<AdvIndexOp>(operand, ints(indices), axis - rank);
  SmallVector<Value> parts;
  for (const Run &run : runs) {
    Value part =
        stridedSlice(operand, axis, run.begin, run.stride == 0 ? 1 : run.count, std::max<int64_t>(run.stride, 1));
    if (run.stride == 0 && part)
      part = expand(part, withSize(shapeOf(part), axis, run.count));
    parts.push_back(part);
  }
  return concatenate(parts, axis);
}

Value ForgeBuilder::tabulate(ArrayRef<int64_t> shape, Type elementType,
                             llvm::function_ref<double(ArrayRef<int64_t>)> numberAt) {
  constexpr int64_t kMostElements = 1 << 26;
  if (!isCountable(shape) || ShapedType::getNumElements(shape) > kMostElements) {
    error(Code::TooManyElements, "a table of more than " + Twine(kMostElements) + " constants is not supported");
    return {};
  }
  HostTensor table{RankedTensorType::get(shape, elementType), {}, {}};
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    double number = numberAt(index);
    table.isFloat() ? table.floats.push_back(number) : table.ints.push_back(static_cast<int64_t>(number));
  });
  return constant(table.toAttr());
}

Value ForgeBuilder::iota(int64_t size, int64_t axis, int64_t rank, Type elementType, int64_t begin) {
  return tabulate(sizesAlong(rank, axis, size), elementType,
                  [&](ArrayRef<int64_t> at) { return static_cast<double>(begin + at[axis]); });
}

Value ForgeBuilder::diagonals(int64_t rows, int64_t columns, llvm::function_ref<bool(int64_t)> holds) {
  return tabulate({rows, columns}, getI1Type(), [&](ArrayRef<int64_t> at) { return holds(at[1] - at[0]) ? 1 : 0; });
}
