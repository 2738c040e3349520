//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeNormalizeImportPass : Pass<"forge-normalize-import", "::mlir::ModuleOp"> {
  let summary = "bring the IR of torch-mlir's own importer into the form that forge-mlir's has";
  let description = [{
    Calls of functions are inlined; nodes keep the opset of the function that they come from. Nodes, inputs and outputs
    without a name get one from their op and place, constants the key of their blob. Blobs (`dense_resource`) of at most
    1 KiB become dense elements, so that shapes, axes and scales are known; larger dense elements become blobs in functions
    that say no ONNX names, which are not of forge-mlir's importer. Arguments and results say their ONNX types.
    Functions without torch types or ops stay as they are.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::forge::torch::TorchDialect"];
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
    Option<"foldLimit", "fold-limit", "int64_t", "1 << 20", "as for convert-onnx-to-forge">,
    Option<"allowRounding", "allow-rounding", "bool", "false", "as for convert-onnx-to-forge">,
    ListOption<"cpuOps", "cpu-ops", "std::string", "ONNX op types or node names that run on the CPU; %XX is the byte XX">,
    ListOption<"deviceOps", "device-ops", "std::string", "ONNX op types or node names that must run on the device; %XX is the byte XX">,
  ];
}

def ForgePartitionPass : Pass<"forge-partition", "::mlir::ModuleOp"> {
  let summary = "group ONNX nodes into device and CPU functions, run by a driver";
  let description = [{
    Runs after --forge-assign-devices. Regions alternate between the device and the CPU, and are as few as the order of
    the nodes allows. Cheap nodes that only move data join the side that saves bytes between the two, a small device
    region between two CPU regions joins them, and a node whose results are needed later than they are made waits when
    less crosses then. Constants are repeated in every region that uses them; a module keeps one copy of their data.
    A function without a CPU node stays as it is.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::forge::torch::TorchDialect"];
  let options = [
    Option<"maxRegions", "max-regions", "int64_t", "0", "most regions a model may need; 0 for any number">,
  ];
}

def ConvertOnnxToForgePass : Pass<"convert-onnx-to-forge", "::mlir::ModuleOp"> {
  let summary = "convert torch.operator \"onnx.*\" to the forge dialect";
  let description = [{
    Walks every function in order and converts each node with the newest converter that is not above the opset of the
    node's domain. Shapes and element types are computed from the operands and then compared with the importer's. Ops on
    small constants are evaluated on the way, so shape arithmetic folds away.

    All refused nodes are reported in one run, each with its name, op, opset, operand types and reason; the module is then
    left as it was.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "1 << 20",
           "bytes of the largest constant that folding may make (a splat counts as one element)">,
    Option<"allowRounding", "allow-rounding", "bool", "false",
           "accept ops whose results agree with ONNX only up to rounding, such as a softmax in bfloat16">,
  ];
}

#endif
