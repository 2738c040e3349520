//===- Indexing.cpp - the table of gathers and scatters -------------------===//

#include "Indexing.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerIndexingOps(OnnxRegistry &registry) {
  registry.add({
      {"Gather", {1, 11, 13}, convertGather},
      {"GatherElements", {11, 13}, convertGatherElements},
      {"GatherND", {11, 12, 13}, convertGatherND},
      {"Scatter", {9, 11}, convertScatterElements},
      {"ScatterElements", {11, 13, 16, 18}, convertScatterElements},
      {"ScatterND", {11, 13, 16, 18}, convertScatterND},
      {"TensorScatter", {24}, convertTensorScatter},
      {"OneHot", {9, 11, 28}, convertOneHot},
      {"Compress", {9, 11, 28}, convertCompress},
      {"NonZero", {9, 13}, convertNonZero},
      {"Unique", {11, 28}, convertUnique},
  });
}
