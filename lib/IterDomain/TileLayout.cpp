//===- TileLayout.cpp - shapes and slices in tile layout ------------------===//

#include "forge/IterDomain/TileLayout.h"

#include "Arithmetic.h"

#include <numeric>

namespace forge::itd {

llvm::ArrayRef<ElementFormat> elementFormats() {
  static constexpr int64_t kGroup = 16;
  static const ElementFormat formats[] = {
      {"f32", 32},          {"f16", 16},          {"bf16", 16},         {"bfp8", 8, kGroup},
      {"bfp4", 4, kGroup},  {"bfp2", 2, kGroup},  {"i32", 32, 1, true}, {"u32", 32, 1, true},
      {"i16", 16, 1, true}, {"u16", 16, 1, true}, {"i8", 8, 1, true},   {"u8", 8, 1, true},
  };
  return formats;
}

std::optional<ElementFormat> elementFormat(llvm::StringRef name) {
  const auto *found = llvm::find_if(elementFormats(), [&](const ElementFormat &format) { return format.name == name; });
  return found == elementFormats().end() ? std::nullopt : std::optional(*found);
}

int64_t ElementFormat::tileBytes(Tile tile) const {
  int64_t elements = tile.height * tile.width;
  return ceilDiv(elements * bits, 8) + (isBlockFloat() ? ceilDiv(elements, blockSize) : 0);
}

llvm::Expected<LayoutReport> layoutReport(llvm::ArrayRef<int64_t> shape, const ElementFormat &format, Tile tile) {
  // Computed from the domain, which also checks the shape.
  llvm::SmallVector<Extent> extents(shape.begin(), shape.end());
  FORGE_ASSIGN_OR_RETURN(TensorDomain domain, TensorDomain::tiled(extents, tile));
  FORGE_ASSIGN_OR_RETURN(int64_t allocated, allocationSize(domain));
  FORGE_ASSIGN_OR_RETURN(int64_t logical, logicalSize(domain));

  LayoutReport report;
  size_t leading = domain.root.size() - 2;
  for (IdRef id : llvm::ArrayRef(domain.root).take_front(leading))
    report.padded.push_back(domain.graph.extent(id).value);
  for (auto [axis, edge] : {std::pair(leading, tile.height), std::pair(leading + 1, tile.width)}) {
    int64_t count = domain.graph.extent(domain.allocation[axis]).value;
    FORGE_ASSIGN_OR_RETURN(int64_t padded, product({count, edge}, "the padded shape"));
    report.padded.push_back(padded);
  }
  report.allocated = allocated;
  report.logical = logical;
  report.padding = allocated - logical;
  report.tiles = allocated / (tile.height * tile.width);
  std::optional<int64_t> bytes = llvm::checkedMul(report.tiles, format.tileBytes(tile));
  if (!bytes)
    return error("the layout's bytes exceed 64 bits");
  report.bytes = *bytes;
  auto allocatedReal = static_cast<double>(allocated);
  report.paddingPercent = 100.0 * static_cast<double>(report.padding) / allocatedReal;
  report.ratio = allocatedReal / static_cast<double>(logical);
  return report;
}

llvm::Expected<HeadAlignment> headAlignment(int64_t size, Tile tile) {
  FORGE_RETURN_IF_ERROR(checkTile(tile));
  if (size < 1)
    return error("expected a positive head size, but got " + llvm::Twine(size));
  FORGE_ASSIGN_OR_RETURN(int64_t padded, product({ceilDiv(size, tile.width), tile.width}, "the padded head size"));
  return HeadAlignment{tile.width / std::gcd(size, tile.width), padded,
                       static_cast<double>(padded) / static_cast<double>(size)};
}

/// Checks a slice of a shape. Returns its axis as an index in [0, rank).
static llvm::Expected<size_t> checkSlice(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice) {
  auto rank = static_cast<int64_t>(shape.size());
  if (axis < -rank || axis >= rank)
    return error("expected an axis in [" + llvm::Twine(-rank) + ", " + llvm::Twine(rank) + "), but got " +
                 llvm::Twine(axis));
  size_t dim = axis < 0 ? axis + rank : axis;
  if (slice.step < 1)
    return error("expected a positive step, but got " + llvm::Twine(slice.step));
  if (slice.begin < 0 || slice.end < slice.begin || slice.end > shape[dim])
    return error("expected 0 <= begin <= end <= " + llvm::Twine(shape[dim]) + ", but got [" + llvm::Twine(slice.begin) +
                 ", " + llvm::Twine(slice.end) + ")");
  return dim;
}

llvm::StringRef name(SliceClass sliceClass) {
  static constexpr llvm::StringLiteral kNames[] = {"IDENTITY",   "EMPTY",  "TILE_VIEW",     "TILE_VIEW_DIRTY",
                                                   "RETILE_NOC", "RETILE", "RETILE_STRIDED"};
  return kNames[static_cast<size_t>(sliceClass)];
}

/// The alignment of addresses on the network on chip, in bytes.
static constexpr int64_t kNocAlignment = 16;

/// The class of a slice along an axis of `extent` elements that is stored in tiles with `edge` elements.
static SliceClass classify(int64_t extent, SliceSpec slice, int64_t edge, int64_t bits) {
  int64_t length = slice.length();
  if (length == 0)
    return SliceClass::Empty;
  // Normalises the end to right after the last element, and the step of a single element to 1.
  int64_t step = length == 1 ? 1 : slice.step;
  int64_t end = slice.begin + (length - 1) * step + 1;
  if (slice.begin == 0 && step == 1 && end == extent)
    return SliceClass::Identity;
  if (edge == 1)
    return SliceClass::TileView;
  if (step != 1)
    return SliceClass::RetileStrided;
  if (slice.begin % edge == 0)
    return length % edge == 0 || end == extent ? SliceClass::TileView : SliceClass::TileViewDirty;
  int64_t itemsPerUnit = kNocAlignment * 8 / bits;
  return slice.begin % itemsPerUnit == 0 ? SliceClass::RetileNoc : SliceClass::Retile;
}

llvm::Expected<SliceReport> classifySlice(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice,
                                          const ElementFormat &format, Tile tile) {
  FORGE_RETURN_IF_ERROR(checkTile(tile));
  FORGE_RETURN_IF_ERROR(checkShape(shape));
  FORGE_ASSIGN_OR_RETURN(size_t dim, checkSlice(shape, axis, slice));

  SliceReport report{classify(shape[dim], slice, tileEdge(shape.size(), dim, tile), format.bits),
                     llvm::SmallVector<int64_t>(shape), 0};
  report.shape[dim] = slice.length();
  FORGE_ASSIGN_OR_RETURN(LayoutReport layout, layoutReport(report.shape, format, tile));
  report.padding = layout.padding;
  return report;
}

llvm::Expected<std::optional<Box>> intervalAsBox(llvm::ArrayRef<int64_t> shape, int64_t a, int64_t b) {
  FORGE_RETURN_IF_ERROR(checkShape(shape));
  FORGE_ASSIGN_OR_RETURN(int64_t size, product(shape, "the size of the shape"));
  if (a < 0 || a >= b || b > size)
    return error("expected 0 <= begin < end <= " + llvm::Twine(size) + ", but got [" + llvm::Twine(a) + ", " +
                 llvm::Twine(b) + ")");
  if (shape.empty())
    return std::optional(Box());

  // The indices of a box agree in the leading digits, range over an interval in one, and over all values in the
  // trailing.
  Box box{llvm::SmallVector<int64_t>(shape.size(), 0), llvm::SmallVector<int64_t>(shape)};
  int64_t stride = 1;
  for (size_t digit = shape.size(); digit-- > 0; stride *= shape[digit]) {
    if (a % stride != 0 || b % stride != 0)
      return std::nullopt;
    int64_t period = stride * shape[digit];
    if (a / period != (b - 1) / period)
      continue;
    box.lo[digit] = a / stride % shape[digit];
    box.hi[digit] = (b - 1) / stride % shape[digit] + 1;
    int64_t above = a / period;
    for (size_t outer = digit; outer-- > 0; above /= shape[outer]) {
      box.lo[outer] = above % shape[outer];
      box.hi[outer] = box.lo[outer] + 1;
    }
    return std::optional(std::move(box));
  }
  llvm_unreachable("the first digit has one period");
}

llvm::Expected<std::optional<Box>> sliceThroughReshape(llvm::ArrayRef<int64_t> source, int64_t axis, SliceSpec slice,
                                                       llvm::ArrayRef<int64_t> target) {
  for (llvm::ArrayRef<int64_t> shape : {source, target})
    FORGE_RETURN_IF_ERROR(checkShape(shape));
  FORGE_ASSIGN_OR_RETURN(int64_t size, product(source, "the size of the shape"));
  FORGE_ASSIGN_OR_RETURN(int64_t targetSize, product(target, "the size of the shape"));
  if (size != targetSize || size == 0)
    return error("expected a reshape of as many elements, at least one, but got " + llvm::Twine(size) + " and " +
                 llvm::Twine(targetSize));
  FORGE_ASSIGN_OR_RETURN(size_t dim, checkSlice(source, axis, slice));
  if (slice.step != 1 || slice.begin == slice.end)
    return error("expected a slice with step 1 and an element");
  if (slice.length() == source[dim])
    return std::optional(Box{llvm::SmallVector<int64_t>(target.size(), 0), llvm::SmallVector<int64_t>(target)});

  // The slice occurs once per period in memory. It is a box if some trailing axes of the target hold exactly one period
  // and one occurrence is a box of them. Without repetition, those are all axes.
  int64_t inner = llvm::product_of(source.drop_front(dim + 1), int64_t(1)), period = inner * source[dim], suffix = 1;
  size_t first = target.size();
  while (suffix < period && first > 0)
    suffix *= target[--first];
  if (suffix != period)
    return std::nullopt;
  llvm::Expected<std::optional<Box>> piece =
      intervalAsBox(target.drop_front(first), slice.begin * inner, slice.end * inner);
  if (!piece || !*piece)
    return piece;
  Box box{llvm::SmallVector<int64_t>(first, 0), llvm::SmallVector<int64_t>(target.take_front(first))};
  box.lo.append((*piece)->lo);
  box.hi.append((*piece)->hi);
  return std::optional(std::move(box));
}

llvm::Expected<llvm::SmallVector<int64_t>> onnxSplitSizes(int64_t dim, int64_t parts) {
  constexpr int64_t kMaxParts = 65536;
  if (dim < 0)
    return error("expected an extent that is not negative, but got " + llvm::Twine(dim));
  if (parts < 1)
    return error("expected a positive number of chunks, but got " + llvm::Twine(parts));
  int64_t chunk = ceilDiv(dim, parts);
  std::optional<int64_t> before = llvm::checkedMul(parts - 1, chunk);
  if (!before || *before > dim)
    return error(llvm::Twine(parts) + " chunks of " + llvm::Twine(chunk) + " exceed " + llvm::Twine(dim));
  if (parts > kMaxParts)
    return error(llvm::Twine(parts) + " chunks are more than " + llvm::Twine(kMaxParts));
  llvm::SmallVector<int64_t> sizes(parts, chunk);
  sizes.back() = dim - *before;
  return sizes;
}

} // namespace forge::itd
