//===- TensorDomain.h - the layout of a tensor in its buffer ----*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_TENSORDOMAIN_H
#define FORGE_ITERDOMAIN_TENSORDOMAIN_H

#include "forge/IterDomain/IterGraph.h"

namespace forge::itd {

/// Rows and columns of a hardware tile.
struct Tile {
  int64_t height = 32;
  int64_t width = 32;
};
/// Fails unless both sizes are from 1 to 65536.
llvm::Error checkTile(Tile tile);

/// The order of padding and of collapsing the leading axes into rows. The results differ unless the tile height divides
/// the rows or there is one matrix. TTNN's code pads first; its documentation collapses first.
enum class PadConvention { PadThenCollapse, CollapseThenPad };

/// A schedule: maps the axes of a tensor to the axes of its buffer. A *position* is a tuple of in-bounds indices of the
/// `allocation` IDs. It is *padding* (a hole, in nvFuser's term) if some ID of the schedule is out of bounds there;
/// otherwise it holds the element at its root indices.
///
/// The arguments of scheduling functions are indices into `allocation`. The outputs of an expression replace its first
/// input. A call that fails changes nothing.
struct TensorDomain {
  IterGraph graph;
  llvm::SmallVector<IdRef> root;       ///< the axes that the producer computes
  llvm::SmallVector<IdRef> allocation; ///< the leaves in memory order

  /// A domain with one root per axis.
  static llvm::Expected<TensorDomain> create(llvm::ArrayRef<Extent> shape);
  /// The tile layout of a shape: allocation axes ..., Ht, Wt, height, width. A rank-1 shape gets a leading axis.
  static llvm::Expected<TensorDomain> tiled(llvm::ArrayRef<Extent> shape, Tile tile = {},
                                            PadConvention convention = PadConvention::PadThenCollapse);

  llvm::Error split(size_t leaf, int64_t factor, bool inner = true);
  /// Merges leaves `leaf` (outer) and `leaf + 1` (inner).
  llvm::Error merge(size_t leaf);
  llvm::Error resize(size_t leaf, int64_t left, int64_t right);
  llvm::Error swizzle(size_t leafX, size_t leafY, SwizzleKind kind);
  /// Permutes the leaves: new leaf i is the current leaf `permutation[i]`.
  llvm::Error reorder(llvm::ArrayRef<size_t> permutation);

  llvm::SmallVector<Extent> extents(llvm::ArrayRef<IdRef> ids) const;
  bool isStatic() const;

private:
  llvm::Error checkLeaf(size_t leaf) const;
};

/// "2x3x4"; "scalar" for no extents.
std::string shapeString(llvm::ArrayRef<Extent> extents);

/// The number of positions. Fails for a dynamic extent and beyond 64 bits.
llvm::Expected<int64_t> allocationSize(const TensorDomain &domain);
/// The number of elements: the product of the root extents.
llvm::Expected<int64_t> logicalSize(const TensorDomain &domain);
/// The number of padding positions. With a resize that drops elements the positions are enumerated, which fails for a
/// buffer that is too large.
llvm::Expected<int64_t> paddingCount(const TensorDomain &domain);
/// Allocation per element: allocationSize / logicalSize; NaN or infinity for an empty tensor.
llvm::Expected<double> overAllocation(const TensorDomain &domain);
/// Whether there is no padding: every split is divisible and no resize grows.
Tri isPaddingFree(const TensorDomain &domain);
/// The inputs of all expressions that create padding, in ID order.
llvm::SmallVector<IdRef> paddingCreating(const TensorDomain &domain);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_TENSORDOMAIN_H
