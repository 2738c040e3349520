//===- Passes.td - passes on imported ONNX nodes ------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeApplyPatternsPass : Pass<"forge-apply-patterns", "::mlir::ModuleOp"> {
  let summary = "rewrite ONNX nodes by PDL patterns from files";
  let description = [{
    Each file is a module of `pdl.pattern` ops. A pattern matches `torch.operator` ops by name and attributes, and
    replaces them. For example, it replaces a custom op by ONNX nodes. The new nodes get the name of the replaced node.
    Patterns are applied until none matches. If several patterns match an op, the one with the highest benefit is
    applied.

    The pass checks that a pattern loses no part of the model. It checks each node that the pattern replaces or erases,
    and each node whose result the replacement no longer reads. These cases are errors:

    - The node has an attribute `torch.onnx.*` that the pattern does not match.
    - The node has subgraphs, which no pattern can match.

    A pattern that uses functions in C++ (`pdl.apply_native_constraint`, `pdl.apply_native_rewrite`) is also an error.
  }];
  let dependentDialects = ["::forge::torch::TorchDialect", "::mlir::pdl::PDLDialect",
                           "::mlir::pdl_interp::PDLInterpDialect"];
  let options = [
    ListOption<"files", "files", "std::string", "the MLIR files with the patterns; %XX in a name stands for the byte 0xXX">,
  ];
}

def ForgeAssignDevicesPass : Pass<"forge-assign-devices", "::mlir::func::FuncOp"> {
  let summary = "mark the ONNX nodes that run on the CPU";
  let description = [{
    For each node, the pass tries the conversion to the forge dialect:

    - If the conversion fails, the node gets the attribute `forge.cpu`, whose value is the reason.
    - If it succeeds, the results get the types that the conversion computed. Results that the conversion evaluated
      become constants.

    A node that computes multiply-adds gets an attribute with their number.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit", "as for --convert-onnx-to-forge">,
    Option<"allowRounding", "allow-rounding", "bool", "false", "as for --convert-onnx-to-forge">,
    ListOption<"cpuOps", "cpu-ops", "std::string", "op types or names of ONNX nodes that run on the CPU; %XX stands for the byte 0xXX">,
    ListOption<"deviceOps", "device-ops", "std::string", "op types or names of ONNX nodes that must run on the device; %XX stands for the byte 0xXX">,
  ];
}

def ForgePartitionPass : Pass<"forge-partition", "::mlir::ModuleOp"> {
  let summary = "group ONNX nodes into functions for the device and the CPU";
  let description = [{
    Runs after --forge-assign-devices. If a function has nodes on the CPU, its nodes are divided into several functions,
    the *partitions*. The *driver*, which is another function, calls the partitions in order. Partitions alternate
    between the device and the CPU. Their number is the smallest that the dependences between nodes permit.

    These rules reduce the transfers between partitions:

    - A node that only moves data runs on the CPU if this transfers fewer bytes.
    - A device partition without multiply-adds and with small results is merged with the CPU partitions next to it.
    - A node is moved to a later partition if only later partitions use its results, and if its operands are smaller
      than its results.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"maxPartitions", "max-partitions", "int64_t", "0", "the largest permitted number of partitions; 0 (the default) means no limit">,
  ];
}

#endif
