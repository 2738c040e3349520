//===- Passes.td - passes on imported ONNX nodes ------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeApplyPatternsPass : Pass<"forge-apply-patterns", "::mlir::ModuleOp"> {
  let summary = "rewrite ONNX nodes with PDL patterns from files";
  let description = [{
    Each file is a module of `pdl.pattern` ops, which match `torch.operator` by its name and attributes and replace it by
    others: a custom op by nodes of ONNX, without a rebuild. The new nodes carry the name of the one that was replaced.
    Patterns apply until none matches; of several for one node that with the highest benefit wins. A node whose attribute
    `torch.onnx.*` no pattern names is not replaced in silence: that is an error, as for the converters. Functions written
    in C++ (`pdl.apply_native_constraint`, `pdl.apply_native_rewrite`) are refused, because a file cannot bring them.
  }];
  let dependentDialects = ["::forge::torch::TorchDialect", "::mlir::pdl::PDLDialect",
                           "::mlir::pdl_interp::PDLInterpDialect"];
  let options = [
    ListOption<"files", "files", "std::string", "MLIR files with the patterns; %XX is the byte XX">,
  ];
}

def ForgeAssignDevicesPass : Pass<"forge-assign-devices", "::mlir::func::FuncOp"> {
  let summary = "mark the ONNX nodes that cannot, or shall not, run on the device";
  let description = [{
    Tries the conversion of every node of an imported function. A node that is refused gets the attribute `forge.cpu`
    with the reason. Results get the types that the trial computed, results that are known become constants, and nodes
    with multiply-adds say how many.
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
  let summary = "group ONNX nodes into device and CPU functions, run by a driver";
  let description = [{
    Runs after --forge-assign-devices. Partitions alternate between the device and the CPU, and are as few as the order of
    the nodes allows. Cheap nodes that only move data join the side that saves bytes between the two, a small device
    partition between two CPU partitions joins them, and a node whose results are needed later than they are made waits when
    less crosses then. Constants are repeated in every partition that uses them; a module keeps one copy of their data.
    A function without a CPU node stays as it is.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"maxPartitions", "max-partitions", "int64_t", "0", "most partitions a model may need; 0 for any number">,
  ];
}

#endif
