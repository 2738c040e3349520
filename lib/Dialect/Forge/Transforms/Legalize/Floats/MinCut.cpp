//===- MinCut.cpp - minimum cut of a graph --------------------------------===//

#include "MinCut.h"

#include <algorithm>

using namespace forge;

void MinCut::addEdge(int from, int to, int64_t capacity) {
  edgesOf[from].push_back(static_cast<int>(edges.size()));
  edges.push_back({to, capacity});
  edgesOf[to].push_back(static_cast<int>(edges.size()));
  edges.push_back({from, 0});
}

// Computes the distance of each node from the source along edges with residual capacity. Returns whether the sink is
// reached.
bool MinCut::findLevels() {
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

// Computes a blocking flow: saturates all shortest paths.
void MinCut::saturate() {
  std::vector<size_t> next(edgesOf.size(), 0);
  std::vector<int> path;
  int node = kSource;
  auto start = [&](int edge) { return edges[edge ^ 1].to; };
  while (true) {
    if (node == kSink) {
      int64_t most = kUnlimited;
      for (int edge : path)
        most = std::min(most, edges[edge].capacity);
      for (int edge : path) {
        edges[edge].capacity -= most;
        edges[edge ^ 1].capacity += most;
      }
      path.clear();
      node = kSource;
      continue;
    }
    auto leads = [&](int edge) { return edges[edge].capacity > 0 && level[edges[edge].to] == level[node] + 1; };
    while (next[node] < edgesOf[node].size() && !leads(edgesOf[node][next[node]]))
      ++next[node];
    if (next[node] < edgesOf[node].size()) {
      path.push_back(edgesOf[node][next[node]]);
      node = edges[path.back()].to;
    } else if (path.empty()) {
      return;
    } else {
      level[node] = -1;
      node = start(path.back());
      path.pop_back();
    }
  }
}

void MinCut::solve() {
  while (findLevels())
    saturate();
}
