//===- TestPasses.td - what analyses find, as remarks ---------*- tablegen -*-===//
//
// Only forge-opt has them: for lit tests of analyses, and to ask one about a program.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_TOOLS_FORGE_OPT_TESTPASSES
#define FORGE_TOOLS_FORGE_OPT_TESTPASSES

include "mlir/Pass/PassBase.td"

def ForgeTestComputedWeightsPass : Pass<"forge-test-computed-weights", "::mlir::func::FuncOp"> {
  let summary = "say of each op whether the weights file holds it, and in which shape";
}

def ForgeTestRealFactsPass : Pass<"forge-test-real-facts", "::mlir::func::FuncOp"> {
  let summary = "say of each op what is known of the elements of its results";
}

def ForgeTestChannelOrdersPass : Pass<"forge-test-channel-orders", "::mlir::func::FuncOp"> {
  let summary = "say of each op what it does with the order of channels, and which one its result has";
}

#endif // FORGE_TOOLS_FORGE_OPT_TESTPASSES
