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

def ForgeTestZeroSignsPass : Pass<"forge-test-zero-signs", "::mlir::func::FuncOp"> {
  let summary = "say of each op whether the sign of a zero of its results matters";
}

def ForgeTestChannelOrdersPass : Pass<"forge-test-channel-orders", "::mlir::func::FuncOp"> {
  let summary = "say of each op what it does with the order of channels, and which one its result has";
}

def ForgeTestIntegerRangesPass : Pass<"forge-test-integer-ranges", "::mlir::func::FuncOp"> {
  let summary = "print the interval of the elements of each integer result, and the ops that may overflow";
}

def ForgeTestPaddingStatesPass : Pass<"forge-test-padding-states", "::mlir::func::FuncOp"> {
  let summary = "print what the tile padding of each result contains";
  let options = [Option<"target", "target", "std::string", "\"ttnn-conservative\"", "the profile of the backend">];
}

def ForgeTestAffineRegionPass : Pass<"forge-test-affine-region", "::mlir::func::FuncOp"> {
  let summary = "print into which weights the scale of an op could be folded";
  let description = [{
    An op with the attribute `test.sources` has its first operand scaled, and one with `test.readers` its result; with
    an integer as the value, by one factor per index of that axis. Each weight that changes is printed.
  }];
}

#endif // FORGE_TOOLS_FORGE_OPT_TESTPASSES
