//===- Reduction.cpp - the table of its ops -------------------------------===//

#include "Reduction.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerReductionOps(OnnxRegistry &registry) {
  registry.add({
      {"ReduceSum", {1, 11, 13}, convertReduceSum},
      {"ReduceMean", {1, 11, 13, 18}, convertReduceMean},
      {"ReduceMax", {1, 11, 12, 13, 18, 20}, convertReduceMax},
      {"ReduceMin", {1, 11, 12, 13, 18, 20}, convertReduceMin},
      {"ReduceProd", {1, 11, 13, 18}, convertReduceProd},
      {"ReduceL1", {1, 11, 13, 18}, convertReduceL1},
      {"ReduceL2", {1, 11, 13, 18}, convertReduceL2},
      {"ReduceSumSquare", {1, 11, 13, 18}, convertReduceSumSquare},
      {"ReduceLogSum", {1, 11, 13, 18, 28}, convertReduceLogSum},
      {"ReduceLogSumExp", {1, 11, 13, 18, 28}, convertReduceLogSumExp},
      {"ArgMax", {1, 11, 12, 13}, convertArgMax},
      {"ArgMin", {1, 11, 12, 13}, convertArgMin},
      {"Hardmax", {1, 11, 13}, convertHardmax},
      {"CumSum", {11, 14}, convertCumSum},
      {"CumProd", {26}, convertCumProd},
      {"TopK", {1, 10, 11, 24}, convertTopK},
      {"Einsum", {12, 28}, convertEinsum},
  });
}
