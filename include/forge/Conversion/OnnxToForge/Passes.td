//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeNormalizeImportPass : Pass<"forge-normalize-import", "::mlir::ModuleOp"> {
  let summary = "bring the IR of torch-mlir's importer into the form of the IR of forge-mlir's importer";
  let description = [{
    - Calls of functions are inlined. The inlined nodes keep the opset of their function.
    - Nodes, inputs and outputs without a name get one, such as `Add_3` or `input_0`. A constant without a name gets
      that of its *blob*, the `dense_resource` with its data.
    - Small blobs become dense elements, so that shapes, axes and scales are known. A blob is small if it has at most
      1 KiB. For booleans and for signed integers of 32 or 64 bits, the limit is 1 MiB. For blobs of other types whose
      elements are all equal, the limit is 64 KiB.
    - Larger dense elements become blobs, unless an input or output of the function has an ONNX name. Only forge-mlir's
      importer gives these names.
    - The ONNX types of arguments and results are stored as attributes.

    Functions without torch types and ops are unchanged.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::forge::torch::TorchDialect"];
}

def ConvertOnnxToForgePass : Pass<"convert-onnx-to-forge", "::mlir::ModuleOp"> {
  let summary = "convert torch.operator \"onnx.*\" to the forge dialect";
  let description = [{
    Converts the nodes of each function in order. For each node, the converter is the newest one whose since-version is
    at most the opset of the node's domain. Shapes and element types are inferred from the operands, and compared with
    those of the importer. Ops on small constants are evaluated, so that shape arithmetic is folded.

    If nodes are refused, the module is unchanged, and the errors of one run name all of them. Each error has the name,
    op, opset and operand types of the node, and the reason.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit",
           "the size in bytes of the largest constant that folding may create; a splat counts as one element">,
    Option<"allowRounding", "allow-rounding", "bool", "false",
           "compute a float16 Softmax or LogSoftmax in one call, which rounds differently; convert nodes for which a lowering in Python calls refuse_rounding">,
  ];
}

#endif
