//===- MinCut.h - minimum cut of a graph ------------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
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

  /// Adds an edge, and its reverse edge without capacity, which gets the capacity that a path takes.
  void addEdge(int from, int to, int64_t capacity) {
    edgesOf[from].push_back(static_cast<int>(edges.size()));
    edges.push_back({to, capacity});
    edgesOf[to].push_back(static_cast<int>(edges.size()));
    edges.push_back({from, 0});
  }

  /// Computes the cut, after which isOfSource() is valid. Nodes that may be on either side are on that of the sink.
  void solve() {
    while (findLevels())
      saturate();
  }

  /// Whether the cut leaves `node` on the side of the source.
  bool isOfSource(int node) const { return level[node] >= 0; }

private:
  /// Computes the distance of each node from the source along edges with residual capacity. Returns whether the sink is
  /// reached.
  bool findLevels() {
    level.assign(edgesOf.size(), -1);
    level[kSource] = 0;
    std::vector<int> reached{kSource};
    for (size_t at = 0; at < reached.size(); ++at)
      for (int edge : edgesOf[reached[at]])
        if (int to = edges[edge].to; edges[edge].capacity > 0 && level[to] < 0) {
          level[to] = level[reached[at]] + 1;
          reached.push_back(to);
        }
    return level[kSink] >= 0;
  }

  /// Computes a blocking flow: saturates all shortest paths. Tries the edges of each node once, in order.
  void saturate() {
    std::vector<size_t> next(edgesOf.size(), 0);
    std::vector<int> path;
    while (true) {
      int node = path.empty() ? kSource : edges[path.back()].to;
      if (node == kSink) {
        int64_t most = kUnlimited;
        for (int edge : path)
          most = std::min(most, edges[edge].capacity);
        for (int edge : path) {
          edges[edge].capacity -= most;
          edges[edge ^ 1].capacity += most;
        }
        path.clear();
      } else if (next[node] < edgesOf[node].size()) {
        int edge = edgesOf[node][next[node]];
        if (edges[edge].capacity > 0 && level[edges[edge].to] == level[node] + 1)
          path.push_back(edge);
        else
          ++next[node];
      } else if (path.empty()) {
        return;
      } else {
        level[node] = -1; // No path to the sink is left.
        path.pop_back();
      }
    }
  }

  struct Edge {
    int to;
    int64_t capacity; ///< the residual capacity; the reverse edge is adjacent in `edges`
  };
  std::vector<llvm::SmallVector<int, 4>> edgesOf = std::vector<llvm::SmallVector<int, 4>>(2);
  std::vector<Edge> edges;
  std::vector<int> level; ///< distance from the source; -1 if it is not reached
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
