//===- IndexMap.cpp - the algebra of movement ops -------------------------===//

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

AxisSwap forge::swapOf(TransposeOp op) {
  int64_t rank = op.getType().getRank();
  return {fromFront(op.getDim0(), rank), fromFront(op.getDim1(), rank)};
}

int64_t forge::transposedAxis(TransposeOp op, int64_t axis) {
  auto [dim0, dim1] = swapOf(op);
  return axis == dim0 ? dim1 : axis == dim1 ? dim0 : axis;
}

bool forge::isReshape(Operation *op) { return isa_and_nonnull<ReshapeOp, SqueezeOp, UnsqueezeOp>(op); }

int64_t IndexMap::elementsOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return 0;
  return count;
}

void IndexMap::setDigits(ArrayRef<Digit> made) {
  digits.clear();
  for (Digit digit : made) {
    if (digit.size == 1)
      continue;
    if (!digits.empty() && digits.back().stride == digit.size * digit.stride)
      digits.back() = {digits.back().size * digit.size, digit.stride};
    else
      digits.push_back(digit);
  }
}

void IndexMap::setAxes(ArrayRef<Digits> made) {
  Digits all;
  for (ArrayRef<Digit> axis : made)
    all.append(axis.begin(), axis.end());
  setDigits(all);
}

bool IndexMap::isReshapeOf(ArrayRef<int64_t> from) const {
  IndexMap map(from);
  return map.reshape(sizes) && map == *this;
}

std::optional<SmallVector<IndexMap::Digits>> IndexMap::axes() const {
  if (elementsOf(sizes) == 0)
    return std::nullopt;
  Digits left(digits.rbegin(), digits.rend());
  SmallVector<Digits> made;
  for (int64_t size : sizes) {
    Digits &axis = made.emplace_back();
    while (size != 1) {
      Digit digit = left.pop_back_val();
      if (digit.size > size && digit.size % size == 0) {
        // Its outer part belongs to this axis, and its inner part to the next ones.
        int64_t inner = digit.size / size;
        left.push_back({inner, digit.stride});
        digit = {size, digit.stride * inner};
      }
      if (size % digit.size != 0)
        return std::nullopt;
      axis.push_back(digit);
      size /= digit.size;
    }
  }
  return made;
}

bool IndexMap::reshape(ArrayRef<int64_t> to) {
  if (elementsOf(to) != elementsOf(sizes))
    return false;
  sizes.assign(to.begin(), to.end());
  return true;
}

bool IndexMap::permute(ArrayRef<int64_t> order) {
  std::optional<SmallVector<Digits>> made = axes();
  if (!made)
    return false;
  sizes = llvm::map_to_vector(order, [&](int64_t axis) { return sizes[axis]; });
  setAxes(llvm::map_to_vector(order, [&](int64_t axis) { return (*made)[axis]; }));
  return true;
}

bool IndexMap::transpose(AxisSwap swap) {
  SmallVector<int64_t> order(llvm::to_vector(llvm::seq<int64_t>(sizes.size())));
  std::swap(order[swap.first], order[swap.second]);
  return permute(order);
}

bool IndexMap::slice(AxisSliceRange slice) {
  std::optional<SmallVector<Digits>> made = axes();
  int64_t all = slice.range.count();
  if (!made || all == 0 || (slice.range.stride < 1 && all > 1))
    return false;
  // Slices the digits of the axis from the outermost to the innermost. The indices begin, begin + step, ... are left,
  // `count` of them. For each value of a digit, the digits within it have `inner` indices.
  int64_t inner = sizes[slice.axis], begin = slice.range.start, count = all, step = all == 1 ? 1 : slice.range.stride;
  Digits kept;
  for (Digit digit : (*made)[slice.axis]) {
    inner /= digit.size;
    int64_t first = begin / inner, last = (begin + (count - 1) * step) / inner; // the values of the digit
    base += first * digit.stride;
    begin -= first * inner;
    if (first == last)
      continue;
    if (step % inner == 0) { // Each step changes this digit, and none within it.
      kept.push_back({count, digit.stride * (step / inner)});
      count = step = 1;
    } else if (inner % step == 0 && begin < step && count % (inner / step) == 0) {
      // For each value of this digit, the slice selects the same inner / step indices.
      kept.push_back({count / (inner / step), digit.stride});
      count = inner / step;
    } else {
      return false;
    }
  }
  (*made)[slice.axis] = kept;
  sizes[slice.axis] = all;
  setAxes(*made);
  return true;
}

bool IndexMap::repeat(int64_t axis, int64_t count, bool wholes) {
  std::optional<SmallVector<Digits>> made = axes();
  if (!made)
    return false;
  Digits &axisDigits = (*made)[axis];
  axisDigits.insert(wholes ? axisDigits.begin() : axisDigits.end(), {count, 0});
  sizes[axis] *= count;
  setAxes(*made);
  return true;
}

bool IndexMap::broadcast(ArrayRef<int64_t> to) {
  if (sizes.size() > to.size())
    return false;
  Shape whole(to.size() - sizes.size(), 1);
  llvm::append_range(whole, sizes);
  return reshape(whole) && llvm::all_of(llvm::enumerate(to), [&](auto each) {
           auto [axis, size] = each;
           return whole[axis] == size || (whole[axis] == 1 && repeat(axis, size, /*wholes=*/true));
         });
}

bool IndexMap::move(Operation *op, ArrayRef<int64_t> to) {
  if (auto transposed = dyn_cast<TransposeOp>(op))
    return transpose(swapOf(transposed)) && ArrayRef(sizes) == to;
  return isReshape(op) && reshape(to);
}

bool IndexMap::apply(Operation *op) {
  auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  if (!type || !type.hasStaticShape() || elementsOf(type.getShape()) == 0)
    return false;
  int64_t rank = type.getRank();
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp>([&](Operation *) { return move(op, type.getShape()); })
      .Case([&](IndexOp index) {
        return slice({fromFront(index.getDim(), rank), {index.getStart(), index.getStop(), index.getStride()}});
      })
      .Case([&](StridedSliceOp slices) {
        return llvm::all_of(slices.getRanges(), [&](AxisSliceRange each) { return slice(each); });
      })
      .Case([&](BroadcastOp) { return broadcast(type.getShape()); })
      .Case([&](RepeatInterleaveOp repeated) {
        return repeat(fromFront(repeated.getDim(), rank), repeated.getRepeats(), /*wholes=*/false);
      })
      .Case([&](RepeatOp repeated) {
        Shape whole(rank - sizes.size(), 1);
        llvm::append_range(whole, sizes);
        return reshape(whole) && llvm::all_of(llvm::enumerate(repeated.getRepeats()), [&](auto each) {
                 return repeat(each.index(), each.value(), /*wholes=*/true);
               });
      })
      .Default([](Operation *) { return false; });
}

std::optional<IndexMap> IndexMap::of(ArrayRef<Operation *> ops) {
  RankedTensorType source = tensorType(ops.back()->getOperand(0));
  if (!source.hasStaticShape() || elementsOf(source.getShape()) == 0)
    return std::nullopt;
  IndexMap map(source.getShape());
  bool isMap = llvm::all_of(llvm::reverse(ops), [&](Operation *op) { return map.apply(op); });
  return isMap ? std::optional(map) : std::nullopt;
}

std::optional<IndexMap> IndexMap::inverse(ArrayRef<int64_t> from) const {
  // The digits of the value, sorted by their stride in the source, each with its stride in the value.
  SmallVector<std::pair<Digit, int64_t>> sorted;
  int64_t remaining = elementsOf(sizes), expected = elementsOf(from);
  if (base != 0 || remaining != expected)
    return std::nullopt;
  for (Digit digit : digits)
    sorted.push_back({digit, remaining /= digit.size});
  llvm::sort(sorted, [](const auto &a, const auto &b) { return a.first.stride > b.first.stride; });
  Digits made;
  for (auto [digit, stride] : sorted) {
    if (digit.stride * digit.size != expected)
      return std::nullopt;
    expected = digit.stride;
    made.push_back({digit.size, stride});
  }
  return IndexMap(from, made);
}

namespace {
/// `size` elements along one axis of the source, `step` apart.
struct Part {
  int64_t axis, size, step;
};
} // namespace

// The digits in the order of the value, split at the axes of the source: of a source [4, 6], the digit of size 24 and
// stride 1 has the part of size 4 of axis 0 and that of size 6 of axis 1. None if a digit repeats elements (stride 0),
// or is not divisible in this way.
static std::optional<SmallVector<Part>> partsOf(ArrayRef<IndexMap::Digit> digits, ArrayRef<int64_t> from) {
  SmallVector<Part> parts;
  for (IndexMap::Digit digit : digits) {
    if (digit.stride == 0)
      return std::nullopt;
    SmallVector<Part> reversed; // from the trailing axis of the source
    int64_t inner = 1;
    for (int64_t axis = from.size() - 1; axis >= 0 && digit.size > 1; inner *= from[axis--]) {
      if (digit.stride >= inner * from[axis])
        continue; // The digit is along an earlier axis.
      if (digit.stride % inner != 0)
        return std::nullopt;
      int64_t step = digit.stride / inner, size = digit.size;
      if (size * step > from[axis] && from[axis] % step == 0 && size % (from[axis] / step) == 0)
        size = from[axis] / step; // The rest of the digit is along earlier axes.
      reversed.push_back({axis, size, step});
      digit = {digit.size / size, digit.stride * size};
    }
    if (digit.size > 1)
      return std::nullopt;
    parts.append(reversed.rbegin(), reversed.rend());
  }
  return parts;
}

std::optional<SmallVector<SliceRange>> IndexMap::slices(ArrayRef<int64_t> from, IndexMap *rest) const {
  // Along each axis, the slice starts at the index of the first element of the value.
  SmallVector<SliceRange> ranges;
  int64_t left = base, inner = elementsOf(from);
  for (int64_t size : from) {
    inner /= size;
    ranges.push_back({left / inner, left / inner + 1, 1});
    left %= inner;
  }
  std::optional<SmallVector<Part>> parts = partsOf(digits, from);
  if (!parts)
    return std::nullopt;
  // Sorted by step, the parts of an axis have to be one range: each continues where those before it end.
  SmallVector<Part> sorted(*parts);
  llvm::stable_sort(sorted, [](const Part &a, const Part &b) { return a.step < b.step; });
  Shape counts(from.size(), 1);
  for (const Part &part : sorted) {
    SliceRange &range = ranges[part.axis];
    if (counts[part.axis] == 1)
      range.stride = part.step;
    else if (part.step != range.stride * counts[part.axis])
      return std::nullopt;
    counts[part.axis] *= part.size;
    range.stop = range.start + (counts[part.axis] - 1) * range.stride + 1;
    if (range.stop > from[part.axis])
      return std::nullopt;
  }
  if (rest) { // In the slice, the elements of an axis are neighbours, and axes have the sizes `counts`.
    Digits made;
    for (const Part &part : *parts)
      made.push_back(
          {part.size, part.step / ranges[part.axis].stride * elementsOf(ArrayRef(counts).drop_front(part.axis + 1))});
    *rest = IndexMap(sizes, made);
  }
  return ranges;
}

std::optional<Shape> IndexMap::broadcastShape(ArrayRef<int64_t> from, ArrayRef<int64_t> whole, ArrayRef<int64_t> to) {
  if (elementsOf(whole) == 0)
    return std::nullopt;
  IndexMap map(from), unchanged(from);
  if (!map.broadcast(whole) || !map.reshape(to))
    return std::nullopt;
  if (unchanged.broadcast(to) && unchanged == map)
    return Shape(from);
  std::optional<SmallVector<Digits>> axes = map.axes();
  if (!axes)
    return std::nullopt;
  // Axes of `to` along which the elements repeat, because all digits have stride 0, have size 1.
  Shape shape;
  for (auto [axis, size] : llvm::zip_equal(*axes, to))
    shape.push_back(llvm::all_of(axis, [](Digit digit) { return digit.stride == 0; }) ? 1 : size);
  if (elementsOf(shape) != elementsOf(from))
    return std::nullopt;
  IndexMap moved(shape);
  return moved.broadcast(to) && moved == map ? std::optional(shape) : std::nullopt;
}
