//===- ForgeConvOps.td - convolutions ----------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGECONVOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGECONVOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_Conv2dOp : Forge_CallOp<"conv2d", "Conv2d", "Conv2dOp"> {
  let summary = "2-D convolution as in ONNX, a cross-correlation; padding is [top, left, bottom, right]";
  let description = [{
    - (C1) `activations` and `weights` have rank 4. All operands have one element type.
    - (C2) `stride` and `dilation` have 2 positive values. `padding` has 4 values of at least 0.
    - (C3) `weights` has shape (Cout, Cin / groups, kH, kW), also with `channel_last`. `groups` is positive, and divides
      Cin and Cout.
    - (C4) `bias` has Cout elements, all along its last axis.
    - (C5) The dilated kernel fits into the padded input. If the result has elements, `weights` has elements, too.

    ```mlir
    %y = forge.conv2d %x, %w stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x3x32x32xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
    %z = forge.conv2d %y, %d stride [1, 1] padding [2, 2, 2, 2] dilation [2, 2] groups 8 : (tensor<1x8x16x16xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x16x16xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$activations, Forge_Tensor:$weights, Optional<Forge_Tensor>:$bias,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
                       Forge_Unless<DenseI64ArrayAttr, "{1, 1}">:$dilation, Forge_Unless<Forge_IntAttr, "1">:$groups,
                       BoolAttr:$channel_last);
  let kernels = 3;
  let range = [{
    rounded(sums(operands[0] * operands[1], ::mlir::ShapedType::getNumElements(shapeOf(getWeights()).drop_front())) +
            (getBias() ? operands[2] : Interval::number(0)), getOperation())
  }];
}

def Forge_Conv2dTransposeOp : Forge_CallOp<"conv2d_transpose", "Conv2dTranspose", "ConvTranspose2dOp"> {
  let summary = "2-D transposed convolution; padding is [height, width]";
  let description = [{
    - (C1) `activations` and `weights` have rank 4. All operands have one element type.
    - (C2) `stride` and `dilation` have 2 positive values. `padding` and `output_padding` have 2 values of at least 0.
        On each axis, `output_padding` is less than the larger of `stride` and `dilation`.
    - (C3) `weights` has shape (Cin, Cout / groups, kH, kW). `groups` is positive, and divides Cin.
    - (C4) `bias` has Cout elements, all along its last axis.
    - (C5) The height and the width of the result are positive. If the result has elements, the operands have elements,
      too.

    ```mlir
    %y = forge.conv2d_transpose %x, %w stride [2, 2] padding [0, 0] : (tensor<1x8x16x16xf32>, tensor<8x3x2x2xf32>) -> tensor<1x3x32x32xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$activations, Forge_Tensor:$weights, Optional<Forge_Tensor>:$bias,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
                       Forge_Unless<DenseI64ArrayAttr, "{1, 1}">:$dilation, Forge_Unless<Forge_IntAttr, "1">:$groups,
                       BoolAttr:$channel_last, Forge_Unless<DenseI64ArrayAttr, "{0, 0}">:$output_padding);
  let kernels = 3;
}

#endif
