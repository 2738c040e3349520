//===- Passes.td - passes on imported ONNX nodes ------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeApplyPatternsPass : Pass<"forge-apply-patterns", "::mlir::ModuleOp"> {
  let summary = "rewrite ONNX nodes by PDL patterns from files";
  let description = [{
    Each file is a module of `pdl.pattern` ops. They match `torch.operator` by its name and attributes, and replace
    it by other ops, for instance a custom op by ONNX nodes. The new nodes have the name of the node that was
    replaced. Patterns are applied until none matches; if several match, the one with the highest benefit is
    applied. If a replaced node has an attribute `torch.onnx.*` that the pattern does not mention, that is an error,
    as for converters. Patterns with functions in C++ (`pdl.apply_native_constraint`, `pdl.apply_native_rewrite`)
    are refused, because a file cannot define these.
  }];
  let dependentDialects = ["::forge::torch::TorchDialect", "::mlir::pdl::PDLDialect",
                           "::mlir::pdl_interp::PDLInterpDialect"];
  let options = [
    ListOption<"files", "files", "std::string", "MLIR files with the patterns; %XX is the byte XX">,
  ];
}

def ForgeAssignDevicesPass : Pass<"forge-assign-devices", "::mlir::func::FuncOp"> {
  let summary = "mark the ONNX nodes that run on the CPU";
  let description = [{
    Tries the conversion of each node of an imported function. A node that is refused gets the attribute `forge.cpu`
    with the reason. Results get the types that the trial computed, known results become constants, and nodes with
    multiply-adds get their number.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit", "as for convert-onnx-to-forge">,
    Option<"allowRounding", "allow-rounding", "bool", "false", "as for convert-onnx-to-forge">,
    ListOption<"cpuOps", "cpu-ops", "std::string", "ONNX op types or node names that run on the CPU; %XX is the byte XX">,
    ListOption<"deviceOps", "device-ops", "std::string", "ONNX op types or node names that must run on the device; %XX is the byte XX">,
  ];
}

def ForgePartitionPass : Pass<"forge-partition", "::mlir::ModuleOp"> {
  let summary = "group ONNX nodes into device and CPU functions with a driver";
  let description = [{
    Runs after --forge-assign-devices. Partitions alternate between the device and the CPU; there are as few as the
    dependences between the nodes allow. Three rules reduce the transfers between them: cheap nodes that only move
    data are assigned to the side that saves bytes; a small device partition between two CPU partitions is merged
    with them; and a node whose results are needed much later is delayed if fewer bytes are transferred then.
    Constants are repeated in every partition that uses them, and stored once. A function without CPU nodes is
    unchanged.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"maxPartitions", "max-partitions", "int64_t", "0", "largest number of partitions; 0: no limit">,
  ];
}

#endif
