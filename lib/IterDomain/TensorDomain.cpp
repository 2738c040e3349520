//===- TensorDomain.cpp - the layout of a tensor in its buffer ------------===//

#include "forge/IterDomain/TensorDomain.h"

#include "Arithmetic.h"
#include "forge/IterDomain/PositionCursor.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

namespace forge::itd {

llvm::Expected<TensorDomain> TensorDomain::create(llvm::ArrayRef<Extent> shape) {
  TensorDomain domain;
  for (Extent extent : shape) {
    FORGE_ASSIGN_OR_RETURN(IdRef id, domain.graph.root(extent));
    domain.root.push_back(id);
  }
  domain.allocation = domain.root;
  return domain;
}

llvm::Error checkTile(Tile tile) {
  constexpr int64_t kMaxEdge = 65536;
  for (int64_t edge : {tile.height, tile.width})
    if (edge < 1 || edge > kMaxEdge)
      return error("expected a tile edge in [1, " + llvm::Twine(kMaxEdge) + "], but got " + llvm::Twine(edge));
  return llvm::Error::success();
}

llvm::Expected<TensorDomain> TensorDomain::tiled(llvm::ArrayRef<Extent> shape, Tile tile, PadConvention convention) {
  FORGE_RETURN_IF_ERROR(checkTile(tile));
  llvm::SmallVector<Extent> extents(shape);
  if (extents.size() == 1)
    extents.insert(extents.begin(), 1);
  if (extents.empty())
    return error("expected a shape with an axis");
  FORGE_ASSIGN_OR_RETURN(TensorDomain domain, create(extents));
  if (convention == PadConvention::CollapseThenPad)
    while (domain.allocation.size() > 2)
      FORGE_RETURN_IF_ERROR(domain.merge(0));
  size_t rows = domain.allocation.size() - 2;
  FORGE_RETURN_IF_ERROR(domain.split(rows, tile.height));
  FORGE_RETURN_IF_ERROR(domain.split(rows + 2, tile.width));
  std::swap(domain.allocation[rows + 1], domain.allocation[rows + 2]);
  return domain;
}

llvm::Error TensorDomain::checkLeaf(size_t leaf) const {
  if (leaf < allocation.size())
    return llvm::Error::success();
  return error("expected a leaf below " + llvm::Twine(allocation.size()) + ", but got " + llvm::Twine(leaf));
}

llvm::Error TensorDomain::split(size_t leaf, int64_t factor, bool inner) {
  FORGE_RETURN_IF_ERROR(checkLeaf(leaf));
  FORGE_ASSIGN_OR_RETURN(auto parts, graph.split(allocation[leaf], factor, inner));
  allocation[leaf] = parts.first;
  allocation.insert(allocation.begin() + leaf + 1, parts.second);
  return llvm::Error::success();
}

llvm::Error TensorDomain::merge(size_t leaf) {
  FORGE_RETURN_IF_ERROR(checkLeaf(leaf));
  if (leaf + 1 == allocation.size())
    return error("expected a leaf after leaf " + llvm::Twine(leaf) + ", but it is the last");
  FORGE_ASSIGN_OR_RETURN(IdRef merged, graph.merge(allocation[leaf], allocation[leaf + 1]));
  allocation[leaf] = merged;
  allocation.erase(allocation.begin() + leaf + 1);
  return llvm::Error::success();
}

llvm::Error TensorDomain::resize(size_t leaf, int64_t left, int64_t right) {
  FORGE_RETURN_IF_ERROR(checkLeaf(leaf));
  FORGE_ASSIGN_OR_RETURN(IdRef resized, graph.resize(allocation[leaf], left, right));
  allocation[leaf] = resized;
  return llvm::Error::success();
}

llvm::Error TensorDomain::swizzle(size_t leafX, size_t leafY, SwizzleKind kind) {
  for (size_t leaf : {leafX, leafY})
    FORGE_RETURN_IF_ERROR(checkLeaf(leaf));
  FORGE_ASSIGN_OR_RETURN(auto outputs, graph.swizzle(kind, allocation[leafX], allocation[leafY]));
  allocation[leafX] = outputs.first;
  allocation.erase(allocation.begin() + leafY);
  size_t x = leafX - (leafY < leafX);
  allocation.insert(allocation.begin() + x + 1, outputs.second);
  return llvm::Error::success();
}

llvm::Error TensorDomain::reorder(llvm::ArrayRef<size_t> permutation) {
  size_t count = allocation.size();
  llvm::BitVector seen(count);
  for (size_t leaf : permutation) {
    FORGE_RETURN_IF_ERROR(checkLeaf(leaf));
    if (seen.test(leaf))
      return error("leaf " + llvm::Twine(leaf) + " occurs twice in the order");
    seen.set(leaf);
  }
  if (permutation.size() != count)
    return error("expected an order of " + llvm::Twine(count) + " leaves, but got " + llvm::Twine(permutation.size()));
  allocation = llvm::map_to_vector(permutation, [&](size_t leaf) { return allocation[leaf]; });
  return llvm::Error::success();
}

llvm::SmallVector<Extent> TensorDomain::extents(llvm::ArrayRef<IdRef> ids) const {
  return llvm::map_to_vector(ids, [&](IdRef id) { return graph.extent(id); });
}

bool TensorDomain::isStatic() const {
  return llvm::all_of(root, [&](IdRef id) { return graph.extent(id).isStatic(); });
}

std::string shapeString(llvm::ArrayRef<Extent> extents) {
  if (extents.empty())
    return "scalar";
  return llvm::join(llvm::map_range(extents, [](Extent extent) { return extent.str(); }), "x");
}

static llvm::Expected<int64_t> sizeOf(const TensorDomain &domain, llvm::ArrayRef<IdRef> ids, const llvm::Twine &what) {
  llvm::SmallVector<int64_t> factors;
  for (IdRef id : ids) {
    if (!domain.graph.extent(id).isStatic())
      return error(what + " is not known: I" + llvm::Twine(id) + " is dynamic");
    factors.push_back(domain.graph.extent(id).value);
  }
  return product(factors, what);
}

llvm::Expected<int64_t> allocationSize(const TensorDomain &domain) {
  return sizeOf(domain, domain.allocation, "the allocation size");
}

llvm::Expected<int64_t> logicalSize(const TensorDomain &domain) {
  return sizeOf(domain, domain.root, "the logical size");
}

llvm::Expected<int64_t> paddingCount(const TensorDomain &domain) {
  FORGE_ASSIGN_OR_RETURN(int64_t allocated, allocationSize(domain));
  bool drops = llvm::any_of(domain.graph.exprs(), [](const Expr &expr) {
    const auto *resize = std::get_if<Resize>(&expr);
    return resize && (resize->left < 0 || resize->right < 0);
  });
  if (!drops) {
    FORGE_ASSIGN_OR_RETURN(int64_t elements, logicalSize(domain));
    return allocated - elements;
  }
  FORGE_RETURN_IF_ERROR(PositionCursor::enumerable(domain));
  int64_t padding = 0;
  for (PositionCursor cursor(domain); cursor; cursor.next())
    padding += cursor.isPadding();
  return padding;
}

llvm::Expected<double> overAllocation(const TensorDomain &domain) {
  FORGE_ASSIGN_OR_RETURN(int64_t allocated, allocationSize(domain));
  FORGE_ASSIGN_OR_RETURN(int64_t elements, logicalSize(domain));
  return static_cast<double>(allocated) / static_cast<double>(elements);
}

Tri isPaddingFree(const TensorDomain &domain) {
  Tri answer = Tri::Yes;
  for (const Expr &expr : domain.graph.exprs()) {
    if (!paddingCreatingInput(domain.graph, expr))
      continue;
    const auto *split = std::get_if<Split>(&expr);
    if (!split || isDivisible(domain.graph, *split) == Tri::No)
      return Tri::No;
    answer = Tri::Unknown;
  }
  return answer;
}

llvm::SmallVector<IdRef> paddingCreating(const TensorDomain &domain) {
  llvm::SmallVector<IdRef> inputs;
  for (const Expr &expr : domain.graph.exprs())
    if (std::optional<IdRef> input = paddingCreatingInput(domain.graph, expr))
      inputs.push_back(*input);
  llvm::sort(inputs);
  return inputs;
}

} // namespace forge::itd
