//===- Passes.td - passes on imported ONNX nodes ------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeApplyPatternsPass : Pass<"forge-apply-patterns", "::mlir::ModuleOp"> {
  let summary = "rewrite ONNX nodes by PDL patterns from files";
  let description = [{
    Each file is a module of `pdl.pattern` ops. A pattern matches `torch.operator` ops by name and attributes, and
    replaces them by other ops, for instance a custom op by ONNX nodes. The new nodes get the name of the replaced node.
    Patterns are applied until none matches. If several patterns match an op, the one with the highest benefit is
    applied.

    If a replaced node has an attribute `torch.onnx.*` that no pattern matches, this is an error. Patterns with
    functions in C++ (`pdl.apply_native_constraint`, `pdl.apply_native_rewrite`) are refused, because a file cannot
    define such functions.
  }];
  let dependentDialects = ["::forge::torch::TorchDialect", "::mlir::pdl::PDLDialect",
                           "::mlir::pdl_interp::PDLInterpDialect"];
  let options = [
    ListOption<"files", "files", "std::string", "MLIR files with the patterns; %XX in a name stands for the byte 0xXX">,
  ];
}

def ForgeAssignDevicesPass : Pass<"forge-assign-devices", "::mlir::func::FuncOp"> {
  let summary = "mark the ONNX nodes that run on the CPU";
  let description = [{
    Tries the conversion of each node of an imported function. If the conversion of a node fails, the node gets the
    attribute `forge.cpu` with the reason. Three results of the trials are stored in the IR:

    - Results of nodes get the types that the conversion computed.
    - Results that the conversion evaluated become constants.
    - Nodes with multiply-adds get the number of their multiply-adds as an attribute.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit", "as for --convert-onnx-to-forge">,
    Option<"allowRounding", "allow-rounding", "bool", "false", "as for --convert-onnx-to-forge">,
    ListOption<"cpuOps", "cpu-ops", "std::string", "ONNX op types or node names that run on the CPU; %XX stands for the byte 0xXX">,
    ListOption<"deviceOps", "device-ops", "std::string", "ONNX op types or node names that must run on the device; %XX stands for the byte 0xXX">,
  ];
}

def ForgePartitionPass : Pass<"forge-partition", "::mlir::ModuleOp"> {
  let summary = "group ONNX nodes into functions for the device and the CPU";
  let description = [{
    Runs after --forge-assign-devices. A function with CPU nodes becomes several functions, the partitions, and a
    function that calls them in order, the driver. Partitions alternate between the device and the CPU. Their number is
    the smallest that the dependences between nodes permit. Three rules reduce transfers between partitions:

    - A node that only moves data runs on the CPU if fewer bytes are transferred then.
    - A device partition without multiply-adds and with small results is merged with the CPU partitions next to it.
    - A node whose results are used only by later partitions is computed in a later partition, if its operands are
      smaller than its results.

    Constants are repeated in each partition that uses them, and are stored once. A function without CPU nodes is
    unchanged.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"maxPartitions", "max-partitions", "int64_t", "0", "largest permitted number of partitions; 0: no limit">,
  ];
}

#endif
