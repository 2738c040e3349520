//===- MinCut.h - minimum cut of a graph ------------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace forge {

/// A directed graph with capacities, and its minimum cut between a source and a sink by the push-relabel algorithm
/// (Goldberg and Tarjan): highest distance first, with the gap heuristic. Augmenting paths would take quadratic time if
/// they have all lengths, as in a chain of ops after each of which the cut may be. Deterministic.
///
/// The algorithm runs on the reversed graph: excess flow moves from the sink towards the source, backwards along edges.
/// In the end, the nodes from which it cannot reach the source are all those that may be on the side of the sink.
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
    excess.assign(edgesOf.size(), 0);
    for (int edge : edgesOf[kSink]) // Saturates the edges to the sink.
      push(edge, edges[edge ^ 1].capacity);
    findDistances();
    while (highest > 0) {
      if (active[highest].empty()) {
        --highest;
        continue;
      }
      int node = active[highest].back();
      active[highest].pop_back();
      if (isOfSource(node) && !discharge(node))
        relabel(node);
    }
    findDistances();
  }

  /// Whether `node` is on the side of the source; during solve(), whether its excess may still reach the source.
  bool isOfSource(int node) const { return distance[node] < edgesOf.size(); }

private:
  /// Computes the distance of each node from the source along edges with residual capacity, breadth first.
  void findDistances() {
    distance.assign(edgesOf.size(), edgesOf.size());
    next.assign(edgesOf.size(), 0);
    nodesAt.assign(edgesOf.size(), {});
    countAt.assign(edgesOf.size(), 0);
    active.assign(edgesOf.size(), {});
    highest = 0;
    setDistance(kSource, 0);
    std::vector<int> reached{kSource};
    for (size_t at = 0; at < reached.size(); ++at)
      for (int edge : edgesOf[reached[at]])
        if (int to = edges[edge].to; edges[edge].capacity > 0 && !isOfSource(to)) {
          setDistance(to, distance[reached[at]] + 1);
          reached.push_back(to);
        }
  }

  /// Sets the distance of `node`, and adds it to the lists of this distance.
  void setDistance(int node, size_t value) {
    distance[node] = value;
    nodesAt[value].push_back(node);
    ++countAt[value];
    highest = std::max(highest, value);
    if (excess[node] > 0)
      active[value].push_back(node);
  }

  /// Moves `flow` to the node to which `edge` leads, backwards along the reverse edge, which has the capacity for it.
  void push(int edge, int64_t flow) {
    edges[edge ^ 1].capacity -= flow;
    edges[edge].capacity += flow;
    excess[edges[edge].to] += flow;
  }

  /// Pushes the excess of `node` to nodes that are nearer to the source by 1. Returns whether nothing is left.
  bool discharge(int node) {
    for (size_t &at = next[node]; at < edgesOf[node].size(); ++at) {
      int edge = edgesOf[node][at], to = edges[edge].to;
      int64_t flow = std::min(excess[node], edges[edge ^ 1].capacity);
      if (flow == 0 || distance[to] + 1 != distance[node])
        continue;
      if (excess[to] == 0)
        active[distance[to]].push_back(to);
      push(edge, flow);
      excess[node] -= flow;
      if (excess[node] == 0)
        return true;
    }
    return false;
  }

  /// Increases the distance of `node`, whose edges were all tried, so that it can push to the nearest of the nodes to
  /// which it has residual capacity. If `node` was the last one of its distance, it and all nodes that are farther away
  /// are cut off from the source (the gap heuristic).
  void relabel(int node) {
    size_t nearest = edgesOf.size(), before = distance[node];
    for (int edge : edgesOf[node])
      if (edges[edge ^ 1].capacity > 0)
        nearest = std::min(nearest, distance[edges[edge].to] + 1);
    distance[node] = edgesOf.size();
    next[node] = 0;
    if (--countAt[before] == 0)
      cutOffBeyond(before);
    else if (nearest < edgesOf.size())
      setDistance(node, nearest);
  }

  /// Marks all nodes that are farther away than `gap`, a distance that no node has, as cut off from the source.
  void cutOffBeyond(size_t gap) {
    for (size_t value = gap + 1; value < nodesAt.size() && !nodesAt[value].empty(); ++value) {
      for (int node : nodesAt[value])
        if (distance[node] == value)
          distance[node] = edgesOf.size();
      nodesAt[value].clear();
      countAt[value] = 0;
    }
  }

  struct Edge {
    int to;
    int64_t capacity; ///< the residual capacity; the reverse edge is adjacent in `edges`
  };
  std::vector<llvm::SmallVector<int, 4>> edgesOf = std::vector<llvm::SmallVector<int, 4>>(2);
  std::vector<Edge> edges;
  std::vector<size_t> distance;          ///< at most that from the source; the number of nodes if it is cut off
  std::vector<int64_t> excess;           ///< the flow that has reached a node and was not pushed yet
  std::vector<size_t> next;              ///< the edge of a node along which it pushes next
  std::vector<std::vector<int>> nodesAt; ///< by distance, the nodes that have it or had it
  std::vector<int> countAt;              ///< by distance, how many nodes have it
  std::vector<std::vector<int>> active;  ///< by distance, the nodes with an excess; also some that were cut off
  size_t highest = 0;                    ///< at least the largest distance of an active node
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_MINCUT_H
