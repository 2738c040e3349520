//===- PositionCursor.cpp - iterates over the positions of a buffer -------===//

#include "forge/IterDomain/PositionCursor.h"

#include "Arithmetic.h"
#include "forge/IterDomain/Rules.h"

namespace forge::itd {

PositionCursor::PositionCursor(const TensorDomain &domain) : domain(domain) {
  for (IdRef id = 0; id < domain.graph.size(); ++id)
    extents.push_back(domain.graph.extent(id).value);
  indices.assign(extents.size(), 0);
  for (IdRef id : domain.allocation)
    done |= extents[id] == 0;
  if (!done)
    decode();
}

void PositionCursor::next() {
  for (IdRef id : llvm::reverse(domain.allocation)) {
    if (++indices[id] < extents[id])
      return decode();
    indices[id] = 0;
  }
  done = true;
}

int64_t PositionCursor::element() const {
  if (padding)
    return -1;
  int64_t result = 0;
  for (IdRef id : domain.root)
    result = result * extents[id] + indices[id];
  return result;
}

namespace {

/// Computes the inputs of one expression from its outputs.
struct BackwardMap {
  llvm::ArrayRef<int64_t> extents;
  llvm::MutableArrayRef<int64_t> indices;
  bool padding = false, overflow = false;

  void set(IdRef id, int64_t index) {
    indices[id] = index;
    padding |= index < 0 || index >= extents[id];
  }
  void set(IdRef id, std::optional<int64_t> index) {
    overflow |= !index;
    set(id, index.value_or(-1));
  }

  void operator()(const Split &split) {
    set(split.in,
        rules::splitIndex(indices[split.outer], indices[split.inner], extents[split.outer], extents[split.inner]));
  }
  void operator()(const Merge &merge) {
    int64_t index = indices[merge.out], width = extents[merge.inner];
    // No index of `out` is in bounds if the axis is empty; the indices of the inputs at padding are arbitrary.
    if (width == 0)
      padding = true;
    set(merge.outer, width == 0 ? index : static_cast<int64_t>(rules::mergeOuter(index, width)));
    set(merge.inner, width == 0 ? 0 : floorMod(index, width));
  }
  void operator()(const Resize &resize) { set(resize.in, rules::resizeIndex(indices[resize.out], resize.left)); }
  void operator()(const Swizzle &swizzle) {
    int64_t x = indices[swizzle.outX];
    set(swizzle.inX, x);
    set(swizzle.inY, rules::swizzled(swizzle.kind, x, indices[swizzle.outY], extents[swizzle.inY]));
  }
};

} // namespace

void PositionCursor::decode() {
  BackwardMap map{extents, indices};
  for (const Expr &expr : llvm::reverse(domain.graph.exprs()))
    std::visit(map, expr);
  padding = map.padding;
  overflow = map.overflow;
}

int64_t PositionCursor::cost(const TensorDomain &domain) {
  return static_cast<int64_t>(domain.graph.exprs().size() + domain.root.size() + 1);
}

llvm::Error PositionCursor::enumerable(const TensorDomain &domain, int64_t limit) {
  FORGE_ASSIGN_OR_RETURN(int64_t positions, allocationSize(domain));
  if (positions > limit / cost(domain))
    return error(llvm::Twine(positions) + " positions are too many to look at one by one");
  // Row-major indices of elements must fit 64 bits.
  return logicalSize(domain).takeError();
}

llvm::Expected<std::string> bufferMap(const TensorDomain &domain) {
  FORGE_RETURN_IF_ERROR(PositionCursor::enumerable(domain));
  std::string text;
  // The current run: its first element (-1 for padding) and length.
  int64_t first = 0, length = 0;
  auto flush = [&] {
    if (length == 0)
      return;
    if (!text.empty())
      text += ' ';
    if (first < 0)
      text += "_x" + std::to_string(length);
    else if (length == 1)
      text += std::to_string(first);
    else
      text += std::to_string(first) + ".." + std::to_string(first + length - 1);
  };
  for (PositionCursor cursor(domain); cursor; cursor.next()) {
    int64_t element = cursor.element();
    bool continues = length > 0 && (first < 0 ? element < 0 : element == first + length);
    if (!continues) {
      flush();
      first = element;
      length = 0;
    }
    ++length;
  }
  flush();
  return text;
}

} // namespace forge::itd
