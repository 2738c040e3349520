//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeNormalizeImportPass : Pass<"forge-normalize-import", "::mlir::ModuleOp"> {
  let summary = "bring the IR of torch-mlir's own importer into the form that forge-mlir's has";
  let description = [{
    Calls of functions are inlined; nodes keep the opset of the function that they come from. Nodes, inputs and outputs
    without a name get one from their op and place, constants the key of their blob. Blobs (`dense_resource`) of at most
    1 KiB (1 MiB of booleans and of signed 32 or 64 bits) become dense elements, so that shapes, axes, scales and indices
    are known; larger dense elements become blobs in functions
    that say no ONNX names, which are not of forge-mlir's importer. Arguments and results say their ONNX types.
    Functions without torch types or ops stay as they are.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::forge::torch::TorchDialect"];
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
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit",
           "bytes of the largest constant that folding may make (a splat counts as one element)">,
    Option<"allowRounding", "allow-rounding", "bool", "false",
           "accept ops whose results agree with ONNX only up to rounding, such as an inverse DFT">,
  ];
}

#endif
