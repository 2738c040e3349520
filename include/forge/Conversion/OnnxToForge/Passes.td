//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

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
           "accept ops whose results agree with ONNX only up to rounding, such as a softmax in bfloat16">,
  ];
}

#endif
