//===- TileLayout.cpp - shapes in tile layout -----------------------------===//

#include "forge/IterDomain/TileLayout.h"

#include "Arithmetic.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace forge::itd {

//===----------------------------------------------------------------------===//
// Element formats
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

llvm::Expected<LayoutReport> layoutReport(llvm::ArrayRef<int64_t> shape, const ElementFormat &format, Tile tile) {
  // Computed from the domain, which also checks the shape.
  llvm::SmallVector<Extent> extents(shape.begin(), shape.end());
  llvm::Expected<TensorDomain> domain = TensorDomain::tiled(extents, tile);
  if (!domain)
    return domain.takeError();
  llvm::Expected<int64_t> allocated = allocationSize(*domain);
  if (!allocated)
    return allocated.takeError();
  llvm::Expected<int64_t> logical = logicalSize(*domain);
  if (!logical)
    return logical.takeError();

  LayoutReport report;
  size_t leading = domain->root.size() - 2;
  for (IdRef id : llvm::ArrayRef(domain->root).take_front(leading))
    report.padded.push_back(domain->graph.extent(id).value);
  for (auto [axis, edge] : {std::pair(leading, tile.height), std::pair(leading + 1, tile.width)}) {
    int64_t count = domain->graph.extent(domain->allocation[axis]).value;
    std::optional<int64_t> padded = llvm::checkedMul(count, edge);
    if (!padded)
      return error("the padded shape exceeds 64 bits");
    report.padded.push_back(*padded);
  }
  report.allocated = *allocated;
  report.logical = *logical;
  report.padding = *allocated - *logical;
  report.tiles = *allocated / (tile.height * tile.width);
  std::optional<int64_t> bytes = llvm::checkedMul(report.tiles, format.tileBytes(tile));
  if (!bytes)
    return error("the layout's bytes exceed 64 bits");
  report.bytes = *bytes;
  auto allocatedReal = static_cast<double>(report.allocated);
  report.paddingPercent = 100.0 * static_cast<double>(report.padding) / allocatedReal;
  report.ratio = allocatedReal / static_cast<double>(report.logical);
  return report;
}

llvm::Expected<HeadAlignment> headAlignment(int64_t size, Tile tile) {
  if (llvm::Error failed = checkTile(tile))
    return failed;
  if (size < 1)
    return error("expected a positive head size, but got " + llvm::Twine(size));
  std::optional<int64_t> padded = llvm::checkedMul(ceilDiv(size, tile.width), tile.width);
  if (!padded)
    return error("the padded head size exceeds 64 bits");
  return HeadAlignment{tile.width / std::gcd(size, tile.width), *padded,
                       static_cast<double>(*padded) / static_cast<double>(size)};
}

} // namespace forge::itd
