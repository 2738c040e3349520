//===- BulkAccess.cpp - contiguous boxes over merged axes -----------------===//

#include "forge/IterDomain/BulkAccess.h"

#include "Arithmetic.h"

namespace forge::itd {

llvm::Expected<BulkVerdict> canBulkAccess(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> strides,
                                          int64_t width) {
  if (extents.size() != strides.size())
    return error("expected a stride for each of " + llvm::Twine(extents.size()) + " axes, but got " +
                 llvm::Twine(strides.size()));
  if (width < 1)
    return error("expected a positive box width, but got " + llvm::Twine(width));
  FORGE_RETURN_IF_ERROR(checkShape(extents));
  if (llvm::is_contained(extents, 0))
    return BulkVerdict{BulkVerdict::Legal};

  // The number of contiguous elements, starting at the innermost axis. An axis with another stride starts a new run at
  // each of its indices, so that no box may cross into the next run. Axes outside of that one are irrelevant then.
  int64_t run = 1, remainder = 1 % width;
  bool gap = false;
  for (auto [extent, stride] : llvm::reverse(llvm::zip_equal(extents, strides))) {
    remainder = static_cast<int64_t>(static_cast<__int128>(remainder) * (extent % width) % width);
    if (extent == 1 || gap)
      continue;
    if (stride == run) {
      FORGE_ASSIGN_OR_RETURN(run, product({run, extent}, "the extent of the merged axes"));
      continue;
    }
    gap = true;
    if (run % width != 0)
      return BulkVerdict{BulkVerdict::Illegal, run / width, run};
  }
  return BulkVerdict{remainder == 0 ? BulkVerdict::Legal : BulkVerdict::LegalWithTail};
}

namespace {

/// The axes that an ID consists of, outermost first. A divisible split of a root gives two axes; a merge concatenates.
struct Axes {
  const TensorDomain &domain;
  llvm::ArrayRef<int64_t> rootStrides;
  llvm::SmallVector<int64_t> extents, strides;

  llvm::Error collect(IdRef leaf) {
    llvm::SmallVector<IdRef> pending{leaf};
    while (!pending.empty()) {
      IdRef id = pending.pop_back_val();
      std::optional<ExprRef> definition = domain.graph.definition(id);
      const Merge *merge = definition ? std::get_if<Merge>(&domain.graph.exprs()[*definition]) : nullptr;
      if (merge) {
        pending.push_back(merge->inner);
        pending.push_back(merge->outer);
        continue;
      }
      FORGE_ASSIGN_OR_RETURN(int64_t stride, strideOf(id));
      if (!domain.graph.extent(id).isStatic())
        return error("I" + llvm::Twine(id) + " is dynamic");
      extents.push_back(domain.graph.extent(id).value);
      strides.push_back(stride);
    }
    return llvm::Error::success();
  }

  /// The stride of a root, or of an ID that is derived from a root by divisible splits.
  llvm::Expected<int64_t> strideOf(IdRef id) {
    __int128 scale = 1;
    while (std::optional<ExprRef> definition = domain.graph.definition(id)) {
      const auto *split = std::get_if<Split>(&domain.graph.exprs()[*definition]);
      if (!split || isDivisible(domain.graph, *split) != Tri::Yes)
        return error("I" + llvm::Twine(id) + " is neither a root nor from merges and divisible splits of roots");
      Extent inner = domain.graph.extent(split->inner);
      if (id == split->outer) {
        if (!inner.isStatic())
          return error("I" + llvm::Twine(split->inner) + " is dynamic");
        scale *= inner.value;
      }
      if (scale > std::numeric_limits<int64_t>::max())
        return error("the stride of I" + llvm::Twine(id) + " exceeds 64 bits");
      id = split->in;
    }
    if (id >= rootStrides.size())
      return error("expected a stride for each of " + llvm::Twine(domain.root.size()) + " roots, but got " +
                   llvm::Twine(rootStrides.size()));
    if (std::optional<int64_t> stride = llvm::checkedMul(rootStrides[id], static_cast<int64_t>(scale)))
      return *stride;
    return error("the stride of I" + llvm::Twine(id) + " exceeds 64 bits");
  }
};

} // namespace

llvm::Expected<BulkVerdict> canBulkAccess(const TensorDomain &domain, IdRef leaf, int64_t width,
                                          llvm::ArrayRef<int64_t> strides) {
  if (leaf >= domain.graph.size())
    return error("there is no iteration domain I" + llvm::Twine(leaf));
  Axes axes{domain, strides, {}, {}};
  FORGE_RETURN_IF_ERROR(axes.collect(leaf));
  return canBulkAccess(axes.extents, axes.strides, width);
}

} // namespace forge::itd
