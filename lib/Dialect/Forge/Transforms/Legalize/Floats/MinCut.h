//===- MinCut.h - the cheapest separation of two nodes ----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace forge {

/// A directed graph with capacities, of which the nodes are put on the side of a source or of a sink so that the edges
/// from the first side to the second have the least capacity. By Dinic's algorithm; the same graph gives the same
/// sides.
class MinCut {
public:
  static constexpr int kSource = 0, kSink = 1;
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max() / 4;

  int addNode() {
    edgesOf.emplace_back();
    return static_cast<int>(edgesOf.size()) - 1;
  }
  void addEdge(int from, int to, int64_t capacity);
  /// Computes the sides; each node is asked for its own afterwards. Nodes that may be on either are the sink's.
  void solve();
  bool isOfSource(int node) const { return level[node] >= 0; }

private:
  struct Edge {
    int to;
    int64_t capacity; ///< that is left; the edge with the other direction is next to it
  };
  bool findLevels();
  void saturate();

  std::vector<llvm::SmallVector<int, 4>> edgesOf = std::vector<llvm::SmallVector<int, 4>>(2);
  std::vector<Edge> edges;
  std::vector<int> level; ///< distance from the source; -1 if it is not reached
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
