//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeNormalizeImportPass : Pass<"forge-normalize-import", "::mlir::ModuleOp"> {
  let summary = "give the IR of torch-mlir's importer the form of the IR of forge-mlir's importer";
  let description = [{
    - Calls of functions are inlined. The inlined nodes keep the opset of their function.
    - Nodes, inputs and outputs without a name are named after their op and position. A constant without a name is named
      after the key of its blob, which is the `dense_resource` attribute with its data.
    - A blob becomes dense elements if it has at most 1 KiB, so that shapes, axes, scales and indices are known. For
      booleans and for signed integers of 32 or 64 bits, the limit is 1 MiB. A blob of at most 64 KiB whose elements are
      all equal becomes dense elements, too.
    - In functions of other importers, larger dense elements become blobs. These functions have no ONNX names of inputs
      and outputs.
    - Arguments and results get their ONNX types as attributes.

    Functions without torch types and ops are unchanged.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::forge::torch::TorchDialect"];
}

def ConvertOnnxToForgePass : Pass<"convert-onnx-to-forge", "::mlir::ModuleOp"> {
  let summary = "convert torch.operator \"onnx.*\" to the forge dialect";
  let description = [{
    Converts the nodes of each function in order. A node is converted by the newest converter whose since-version is not
    above the opset of the node's domain. Shapes and element types are inferred from the operands, and compared with
    those of the importer. Ops on small constants are evaluated, so that shape arithmetic is folded.

    If nodes are refused, one run reports all of them. Each error has the name, op, opset and operand types of the node,
    and the reason. The module is then unchanged.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit",
           "largest constant that folding may create, in bytes (a splat counts as one element)">,
    Option<"allowRounding", "allow-rounding", "bool", "false",
           "accept ops whose results agree with ONNX only up to rounding, such as an inverse DFT">,
  ];
}

#endif
