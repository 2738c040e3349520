//===- ForgePoolOps.td - pooling -------------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEPOOLOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEPOOLOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_MaxPool1dOp : Forge_CallOp<"max_pool1d", "MaxPool1d", ""> {
  let summary = "1-D max pooling; the device's compiler has no lowering for it, use forge.max_pool2d";
  let description = [{
    - (C1) The rank is 3 or more.
    - (C2) `kernel_size` and `stride` are positive, and `padding` is at least 0. `dilation` is 1. `ceil_mode` and
      `return_indices` are false.
    - (C3) The window fits into the padded axis.

    ```mlir
    %y = forge.max_pool1d %x kernel_size 2 stride 2 padding 0 : (tensor<1x3x8xf32>) -> tensor<1x3x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$activations, Forge_IntAttr:$kernel_size, Forge_IntAttr:$stride, Forge_IntAttr:$padding,
                       Forge_Unless<Forge_IntAttr, "1">:$dilation, BoolAttr:$ceil_mode, BoolAttr:$return_indices);
  let range = "operands[0]";
}

def Forge_MaxPool2dOp : Forge_CallOp<"max_pool2d", "MaxPool2d", "MaxPool2dOp"> {
  let summary = "2-D max pooling; padding is [left, right, top, bottom]";
  let description = [{
    - (C1) `activations` is floating point and has rank 4.
    - (C2) `kernel_size` and `stride` have 2 positive values. `padding` has 4 values of at least 0.
    - (C3) `padding` is symmetric: left == right, and top == bottom.
    - (C4) `dilation` is 1, and `return_indices` is false.
    - (C5) The window fits into the padded input. With `ceil_mode`, every window starts before the right or bottom
      padding.

    ```mlir
    %y = forge.max_pool2d %x kernel_size [3, 3] stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x3x32x32xf32>) -> tensor<1x3x16x16xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$activations, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$stride,
                       DenseI64ArrayAttr:$padding, Forge_Unless<Forge_IntAttr, "1">:$dilation, BoolAttr:$ceil_mode,
                       BoolAttr:$return_indices, BoolAttr:$channel_last);
  let kernels = 3;
  let tuples = ["kernel_size"];
  let range = "operands[0]";
}

def Forge_AvgPool1dOp : Forge_CallOp<"avg_pool1d", "AvgPool1d", "decomposed"> {
  let summary = "global 1-D average pooling: the window is the whole axis";
  let description = [{
    - (C1) `activations` is floating point and has rank 3.
    - (C2) `kernel_size` is the size of the last axis, because the device's compiler does not lower other windows.
    - (C3) `padding` is 0, `ceil_mode` is false, and `stride` is positive.

    ```mlir
    %y = forge.avg_pool1d %x kernel_size 8 stride 8 padding 0 count_include_pad : (tensor<1x3x8xf32>) -> tensor<1x3x1xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$activations, Forge_IntAttr:$kernel_size, Forge_IntAttr:$stride, Forge_IntAttr:$padding,
                       BoolAttr:$ceil_mode, BoolAttr:$count_include_pad);
  let padding = "Mean";
  let range = "rounded(unite({operands[0], Interval::number(0)}), getOperation())";
}

def Forge_AvgPool2dOp : Forge_CallOp<"avg_pool2d", "AvgPool2d", "decomposed"> {
  let summary = "2-D average pooling; padding is [left, right, top, bottom]";
  let description = [{
    - (C1) `activations` is floating point and has rank 4.
    - (C2) `kernel_size` and `stride` have 2 positive values. `padding` has 4 values of at least 0.
    - (C3) All four pads are equal, because Forge exchanges the pads of height and width.
    - (C4) The window fits into the padded input. With `ceil_mode`, every window starts before the right or bottom
      padding.
    - (C5) A pad is at most half the height and half the width of the window.

    ```mlir
    %y = forge.avg_pool2d %x kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] count_include_pad : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$activations, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$stride,
                       DenseI64ArrayAttr:$padding, BoolAttr:$ceil_mode, BoolAttr:$count_include_pad,
                       BoolAttr:$channel_last);
  let kernels = 3;
  let range = "rounded(unite({operands[0], Interval::number(0)}), getOperation())";
}

#endif
