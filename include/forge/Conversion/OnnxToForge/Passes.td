//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeNormalizeImportPass : Pass<"forge-normalize-import", "::mlir::ModuleOp"> {
  let summary = "give IR of torch-mlir's importer the form of IR of forge-mlir's importer";
  let description = [{
    Inlines function calls; the inlined nodes keep the opset of their function. Nodes, inputs and outputs without a
    name are named after their op and position, constants after the key of their blob. Blobs (`dense_resource`) of at
    most 1 KiB (1 MiB for booleans and for signed integers of 32 or 64 bits) become dense elements, so that shapes,
    axes, scales and indices are known. In functions without ONNX names, which are not from forge-mlir's importer,
    larger dense elements become blobs. Arguments and results get their ONNX types as attributes. Functions without
    torch types and ops are unchanged.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::forge::torch::TorchDialect"];
}

def ConvertOnnxToForgePass : Pass<"convert-onnx-to-forge", "::mlir::ModuleOp"> {
  let summary = "convert torch.operator \"onnx.*\" to the forge dialect";
  let description = [{
    Walks every function in order, and converts each node by the newest converter whose since-version is not above
    the opset of the node's domain. Shapes and element types are inferred from the operands and compared with those
    of the importer. Ops on small constants are evaluated, so that shape arithmetic folds.

    One run reports all refused nodes, each with its name, op, opset, operand types and reason. The module is then
    unchanged.
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
