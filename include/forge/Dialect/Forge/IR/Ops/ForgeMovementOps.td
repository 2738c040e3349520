//===- ForgeMovementOps.td - shapes change, values do not ---------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEMOVEMENTOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEMOVEMENTOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_TransposeOp : Forge_CallOp<"transpose", "Transpose", "TransposeOp", [Forge_Evaluates]> {
  let summary = "exchange of two axes";
  let description = [{
    - (C1) `dim0` and `dim1` are in [-rank, rank).
    - (C2) They are two different axes.

    ```mlir
    %y = forge.transpose %x dims 1, 2 : (tensor<1x3x4xf32>) -> tensor<1x4x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim0, Forge_IntAttr:$dim1);
  let attributesText = "`dims` $dim0 `,` $dim1 ";
  let padding = "Transpose";
  let hasCanonicalizer = 1;
  let range = "operands[0]";
}

def Forge_ReshapeOp : Forge_CallOp<"reshape", "Reshape", "ReshapeOp", [Forge_KeepsElements]> {
  let summary = "the elements of the operand in row-major order, with another shape";
  let description = [{
    - (C1) All values of `shape` are positive. Unlike in ONNX, 0 and -1 have no special meaning.
    - (C2) The number of elements is unchanged.

    ```mlir
    %y = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$shape);
  let tuples = ["shape"];
  let hasCanonicalizer = 1;
  let padding = "View";
  let range = "operands[0]";
}

def Forge_PadMode : Forge_Enum<"PadMode", "the elements that `forge.pad` adds: a constant, copies of the edge, or a reflection", [
  I32EnumCase<"Constant", 0, "constant">, I32EnumCase<"Replicate", 1, "replicate">,
  I32EnumCase<"Reflect", 2, "reflect">]>;

def Forge_PadOp : Forge_CallOp<"pad", "Pad", "decomposed"> {
  let summary = "padding of the last one or two axes";
  let description = [{
    `pad` is [left, right] for the last axis, or [left, right, top, bottom] for the last two axes. With `channel_last`,
    the last axis has the channels, and is not padded. Then `pad` applies to the axes before it.

    - (C1) `pad` has 2 or 4 values of at least 0.
    - (C2) The rank is at least the number of padded axes. With `channel_last`, the rank is larger than that number.
    - (C3) In modes replicate and reflect, the rank is 2 or 3 if `pad` has 2 values, and 3 or 4 if it has 4.
    - (C4) In mode reflect, each pad is smaller than its axis.
    - (C5) In mode constant, at least one user is not a `forge.conv2d`. Otherwise the device's compiler fuses the pad
      into the convolutions, and stops at a failed assertion. Only `--forge-verify-emittable` checks this constraint.
      `--forge-convolution-pads` establishes it.
    - (C6) In mode constant, the element type can represent `value`. If it is an integer type, it represents `value`
      exactly. If it is a floating-point type, `value` does not overflow.

    ```mlir
    %y = forge.pad %x pad [1, 2] mode constant value 0.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x3x7xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$pad,
                       Forge_EnumAttr<Forge_PadMode>:$mode, F32Attr:$value, BoolAttr:$channel_last);
  let tuples = ["pad"];
  let hasVerifier = 1;
  let padding = "Pad";
  let range = "unite({operands[0], Interval::number(getValue().convertToDouble())})";
}

def Forge_ConstantPadOp : Forge_CallOp<"constant_pad", "ConstantPad", ""> {
  let summary = "constant padding of all axes; every call raises an error, because Forge's C++ bindings lack it: use forge.pad or a concatenation";
  let description = [{
    - (C1) `padding` has two values of at least 0 for each axis: the numbers of elements before and after it.

    ```mlir
    %y = forge.constant_pad %x padding [1, 0, 0, 2] value 0.000000e+00 : (tensor<2x3xf32>) -> tensor<3x5xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$padding, F32Attr:$value);
  let padding = "Retile";
  let range = "unite({operands[0], Interval::number(getValue().convertToDouble())})";
}

def Forge_BroadcastOp : Forge_CallOp<"broadcast", "Broadcast", "", [AxisOpInterface]> {
  let summary = "expansion of an axis of size 1; the device's compiler drops this op, so that users get the unexpanded tensor: use forge.repeat";
  let description = [{
    - (C1) `dim` is in [-rank, rank).
    - (C2) `shape` is positive. The axis has size 1 or size `shape`.

    ```mlir
    %y = forge.broadcast %x dim 1 shape 5 : (tensor<2x1x4xf32>) -> tensor<2x5x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, Forge_IntAttr:$shape);
  let padding = "Retile";
  let range = "operands[0]";
}

def Forge_RepeatOp : Forge_CallOp<"repeat", "Repeat", "RepeatOp", [Forge_Evaluates]> {
  let summary = "repetition of the whole tensor along every axis, as numpy.tile";
  let description = [{
    - (C1) `repeats` has at least one value for each axis, and all values are positive. If there are more values than
      axes, the first values are for new leading axes.

    ```mlir
    %y = forge.repeat %x repeats [4, 1, 2] : (tensor<2x3xf32>) -> tensor<4x2x6xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$repeats);
  let padding = "Repeat";
  let range = "operands[0]";
}

def Forge_RepeatInterleaveOp : Forge_CallOp<"repeat_interleave", "RepeatInterleave", "RepeatInterleaveOp",
                                            [AxisOpInterface, Forge_Evaluates]> {
  let summary = "repetition of each element along one axis";
  let description = [{
    - (C1) `dim` is in [-rank, rank).
    - (C2) `repeats` is positive.

    ```mlir
    %y = forge.repeat_interleave %x repeats 2 dim -1 : (tensor<2x3xf32>) -> tensor<2x6xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$repeats, Forge_IntAttr:$dim);
  let padding = "Retile";
  let range = "operands[0]";
}

def Forge_UnsqueezeOp : Forge_CallOp<"unsqueeze", "Unsqueeze", "UnsqueezeOp", [Forge_KeepsElements]> {
  let summary = "insertion of one axis of size 1";
  let description = [{
    - (C1) `dim` is in [-(rank + 1), rank].

    ```mlir
    %y = forge.unsqueeze %x dim 0 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim);
  let padding = "View";
  let range = "operands[0]";
}

def Forge_SqueezeOp : Forge_CallOp<"squeeze", "Squeeze", "SqueezeOp", [Forge_KeepsElements]> {
  let summary = "removal of one axis of size 1";
  let description = [{
    - (C1) `dim` is in [-rank, rank).
    - (C2) This axis has size 1.

    ```mlir
    %y = forge.squeeze %x dim 0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim);
  let padding = "View";
  let range = "operands[0]";
}

def Forge_PixelShuffleOp : Forge_CallOp<"pixel_shuffle", "PixelShuffle", "decomposed"> {
  let summary = "pixel shuffle as ONNX's DepthToSpace in mode CRD: from (..., C*r*r, H, W) to (..., C, H*r, W*r)";
  let description = [{
    - (C1) The rank is 3 or more.
    - (C2) `upscale_factor`, r, is positive, and r * r divides the number of channels.

    ```mlir
    %y = forge.pixel_shuffle %x upscale_factor 2 : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$upscale_factor);
  let padding = "Retile";
  let range = "operands[0]";
}

def Forge_ConcatenateOp : Forge_CallOp<"concatenate", "Concatenate", "ConcatOp", [AxisOpInterface, Forge_Evaluates]> {
  let summary = "concatenation along one axis";
  let description = [{
    - (C1) There is at least one operand. All operands have one element type and one rank.
    - (C2) `axis` is in [-rank, rank).
    - (C3) The operands have equal sizes along all other axes.
    - (C4) The size of each operand along the axis is positive.

    ```mlir
    %y = forge.concatenate %a, %b axis -1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Variadic<Forge_Tensor>:$operands, Forge_IntAttr:$axis);
  let extraClassDeclaration = declareInferType # declareRange # declareCall # [{
    // For AxisOpInterface, which calls the axis `dim`.
    int64_t getDim() { return getAxis(); }
    void setDim(int64_t dim) { setAxis(dim); }
  }];
  let kernels = 3;
  let padding = "Concatenate";
  let range = "unite(operands)";
}

def Forge_StackOp : Forge_CallOp<"stack", "Stack", "decomposed"> {
  let summary = "concatenation along a new axis";
  let description = [{
    - (C1) There is at least one operand. All operands have one type.
    - (C2) `axis` is in [-(rank + 1), rank].

    ```mlir
    %y = forge.stack %a, %b axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Forge_Tensor>:$operands, Forge_IntAttr:$axis);
  let padding = "Stack";
  let range = "unite(operands)";
}

#endif
