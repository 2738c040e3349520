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
/// Edges are 1 to 65536.
llvm::Error checkTile(Tile tile);

/// Which comes first for the axes before the last two; the two differ unless the tile height divides the rows or there
/// is one matrix. TTNN's code pads first, its document collapses first.
enum class PadConvention { PadThenCollapse, CollapseThenPad };

/// A schedule from the axes of a tensor to the axes of its buffer. A *position* is a tuple of in-bound indices of the
/// `allocation` IDs; it is *padding* (a padding, in nvFuser's and forge-itd's words) if some ID of the schedule is out
/// of bound there, otherwise it holds the element with its root indices.
///
/// The scheduling functions take positions in `allocation`; the outputs of an expression stand where its first input
/// stood. A call that fails changes nothing.
struct TensorDomain {
  IterGraph graph;
  llvm::SmallVector<IdRef> root;       ///< what the producer computes
  llvm::SmallVector<IdRef> logical;    ///< the shape of the tensor's type; the roots unless there was a view or slice
  llvm::SmallVector<IdRef> allocation; ///< the leaves in memory order

  /// One root per axis.
  static llvm::Expected<TensorDomain> create(llvm::ArrayRef<Extent> shape);
  /// The tile layout of a shape: allocation axes ..., Ht, Wt, height, width. A shape of one axis gets a leading 1.
  static llvm::Expected<TensorDomain> tiled(llvm::ArrayRef<Extent> shape, Tile tile = {},
                                            PadConvention convention = PadConvention::PadThenCollapse);

  llvm::Error split(size_t leaf, int64_t factor, bool inner = true);
  /// Merges leaves `leaf` (outer) and `leaf + 1` (inner).
  llvm::Error merge(size_t leaf);
  llvm::Error resize(size_t leaf, int64_t left, int64_t right);
  llvm::Error swizzle(size_t leafX, size_t leafY, SwizzleKind kind);
  /// Leaf i becomes the one that is at `permutation[i]` now.
  llvm::Error reorder(llvm::ArrayRef<size_t> permutation);

  llvm::SmallVector<Extent> extents(llvm::ArrayRef<IdRef> ids) const;
  bool isStatic() const;

private:
  llvm::Error checkLeaf(size_t leaf) const;
};

/// "2x3x4"; "scalar" for no extents.
std::string shapeString(llvm::ArrayRef<Extent> extents);

/// Positions of the buffer. Fails on a dynamic extent and beyond 64 bits.
llvm::Expected<int64_t> allocationSize(const TensorDomain &domain);
/// Elements of the tensor: the product of its roots.
llvm::Expected<int64_t> logicalSize(const TensorDomain &domain);
/// Positions that hold no element. With a resize that drops elements they are counted one by one, which fails on a
/// buffer too large for that.
llvm::Expected<int64_t> paddingCount(const TensorDomain &domain);
/// Allocation per element: allocationSize / logicalSize; NaN or infinity for an empty tensor.
llvm::Expected<double> overAllocation(const TensorDomain &domain);
/// Whether every split is divisible and no resize grows, so that no position is padding.
Tri isPaddingFree(const TensorDomain &domain);
/// The inputs of all expressions that create padding, in ID order.
llvm::SmallVector<IdRef> paddingCreating(const TensorDomain &domain);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_TENSORDOMAIN_H
