//===- Passes.td - from ONNX nodes to the forge dialect -----------*- tablegen -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeNormalizeImportPass : Pass<"forge-normalize-import", "::mlir::ModuleOp"> {
  let summary = "normalize IR of torch-mlir's importer to the form that forge-mlir's importer writes";
  let description = [{
    This pass changes only functions with torch types and ops:

    - Calls of functions are inlined. The inlined nodes keep the opset of their function.
    - Nodes, inputs, outputs and constants without a name get one, such as `Add_3` or `input_0`.
    - Small `dense_resource` constants become dense elements, so that shapes, axes and scales are known.
    - Large dense elements become `dense_resource` constants. This is not done in IR of forge-mlir's importer, whose
      constants are meant to be folded. The pass recognises this IR by the ONNX names of its inputs or outputs.
    - The ONNX types of arguments and results are stored as attributes.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::forge::torch::TorchDialect"];
}

def ConvertOnnxToForgePass : Pass<"convert-onnx-to-forge", "::mlir::ModuleOp"> {
  let summary = "convert torch.operator \"onnx.*\" to the forge dialect";
  let description = [{
    Converts the nodes of each function in order. If an op has several converters, they are for different opsets. The
    pass uses the newest converter whose since-version, the first opset that it is for, is not above the opset of the
    node's domain. Shapes and element types are inferred from the operands, and compared with those of the importer. Ops
    on small constants are evaluated, so that shape arithmetic is folded.

    If a node is refused, the module is unchanged. For each refused node, an error has its name, op, opset, operand
    types, and the reason.
  }];
  let dependentDialects = ["::forge::ForgeDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "::forge::ConversionOptions().foldLimit",
           "the size in bytes of the largest constant that folding may create; a splat counts as one element">,
    Option<"allowRounding", "allow-rounding", "bool", "false",
           "permit conversions that round differently from ONNX: float16 Softmax and LogSoftmax become fewer ops, and nodes for which a lowering in Python calls `node.refuse_rounding` are converted instead of refused">,
  ];
}

#endif
