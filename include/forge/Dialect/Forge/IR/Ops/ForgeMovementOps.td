//===- ForgeMovementOps.td - shapes change, values do not ---------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEMOVEMENTOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEMOVEMENTOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_TransposeOp : Forge_CallOp<"transpose", "Transpose", "TransposeOp", [Forge_Evaluates]> {
  let summary = "exchange of two axes";
  let description = [{
    (C1) both dims lie inside the rank. (C2) they are two different axes.

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
  let summary = "the same elements in row-major order, with another shape";
  let description = [{
    (C1) every dim is positive: Forge supports neither a copied (0) dim nor a tuple with an inferred (-1) dim.
    (C2) the number of elements stays the same.

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

def Forge_PadMode : Forge_Enum<"PadMode", "what padding is made of", [
  I32EnumCase<"Constant", 0, "constant">, I32EnumCase<"Replicate", 1, "replicate">,
  I32EnumCase<"Reflect", 2, "reflect">]>;

def Forge_PadOp : Forge_CallOp<"pad", "Pad", "decomposed"> {
  let summary = "padding of the last axis, [left, right], or of the last two, [left, right, top, bottom]";
  let description = [{
    (C1) pad has 2 or 4 values, none negative. (C2) the tensor has at least as many axes as are padded, and one more with
    channel_last, which is then the last axis and is not padded.
    (C3) replicate and reflect: rank 2 or 3 with 2 values, rank 3 or 4 with 4.
    (C4) reflect: each pad is smaller than its axis.
    (C5), checked by `--forge-verify-emittable`: the users of a constant pad are not all conv2d. The device's compiler
    would fuse such a pad into the convolutions, and an assertion of it fails; `--forge-convolution-pads` replaces these
    pads. (C6) if the elements are integers, the value of a constant pad is exact in their type.

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
  let summary = "constant padding of all axes, which raises in every call, because Forge's C++ bindings lack it; use forge.pad or a concatenation";
  let description = [{
    (C1) padding has two values per axis, none negative.

    ```mlir
    %y = forge.constant_pad %x padding [1, 0, 0, 2] value 0.000000e+00 : (tensor<2x3xf32>) -> tensor<3x5xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$padding, F32Attr:$value);
  let padding = "Retile";
  let range = "unite({operands[0], Interval::number(getValue().convertToDouble())})";
}

def Forge_BroadcastOp : Forge_CallOp<"broadcast", "Broadcast", "", [AxisOpInterface]> {
  let summary = "expansion of an axis of size 1; the device's compiler drops this call, so that a user gets the unexpanded tensor: use forge.repeat";
  let description = [{
    (C1) dim lies inside the rank. (C2) the axis has size 1 or `shape`.

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
    (C1) repeats has at least one value per axis; additional values make new leading axes. All are positive.

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
    (C1) dim lies inside the rank. (C2) repeats is positive.

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
    (C1) -(rank + 1) <= dim <= rank.

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
    (C1) dim lies inside the rank. (C2) that axis has size 1.

    ```mlir
    %y = forge.squeeze %x dim 0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim);
  let padding = "View";
  let range = "operands[0]";
}

def Forge_PixelShuffleOp : Forge_CallOp<"pixel_shuffle", "PixelShuffle", "decomposed"> {
  let summary = "pixel shuffle: (..., C*r*r, H, W) to (..., C, H*r, W*r), in the mode CRD of ONNX's DepthToSpace";
  let description = [{
    (C1) rank >= 3. (C2) r*r divides the number of channels, where r is `upscale_factor`.

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
    (C1) at least one operand, all of one element type and rank. (C2) axis lies inside the rank.
    (C3) all other dims agree. (C4) no operand is empty along the axis.

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
    (C1) at least one operand, all of one type. (C2) -(rank + 1) <= axis <= rank.

    ```mlir
    %y = forge.stack %a, %b axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Forge_Tensor>:$operands, Forge_IntAttr:$axis);
  let padding = "Stack";
  let range = "unite(operands)";
}

#endif
