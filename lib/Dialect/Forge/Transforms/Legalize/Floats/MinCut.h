//===- MinCut.h - minimum cut of a graph ------------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace forge {

/// A directed graph with capacities, and its minimum cut between a source and a sink by Dinic's algorithm.
/// Deterministic.
class MinCut {
public:
  static constexpr int kSource = 0, kSink = 1;
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max() / 4;

  int addNode() {
    edgesOf.emplace_back();
    return static_cast<int>(edgesOf.size()) - 1;
  }
  void addEdge(int from, int to, int64_t capacity);
  /// Computes the cut, after which isOfSource() is valid. Nodes that may be on either side are on that of the sink.
  void solve();
  bool isOfSource(int node) const { return level[node] >= 0; }

private:
  struct Edge {
    int to;
    int64_t capacity; ///< the residual capacity; the reverse edge is adjacent in `edges`
  };
  bool findLevels();
  void saturate();

  std::vector<llvm::SmallVector<int, 4>> edgesOf = std::vector<llvm::SmallVector<int, 4>>(2);
  std::vector<Edge> edges;
  std::vector<int> level; ///< distance from the source; -1 if it is not reached
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
