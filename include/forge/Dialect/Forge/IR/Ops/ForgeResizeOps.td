//===- ForgeResizeOps.td - resampling --------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGERESIZEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGERESIZEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_Resize1dMode : Forge_Enum<"Resize1dMode", "the interpolation of `forge.resize1d`", [
  I32EnumCase<"Nearest", 0, "nearest">, I32EnumCase<"Linear", 1, "linear">]>;
def Forge_Resize2dMode : Forge_Enum<"Resize2dMode", "the interpolation of `forge.resize2d`, `forge.upsample2d` and `forge.downsample2d`", [
  I32EnumCase<"Nearest", 0, "nearest">, I32EnumCase<"Bilinear", 1, "bilinear">]>;

def Forge_Resize1dOp : Forge_CallOp<"resize1d", "Resize1d", "decomposed"> {
  let summary = "resampling of the width";
  let description = [{
    The axes of the operand are (N, C, W) or, with `channel_last`, (N, W, C). Mode nearest is that of `forge.resize2d`.
    Mode linear is mode bilinear of `forge.resize2d`, applied to one axis.

    - (C1) The operand is floating point and has rank 3, and `size` is positive.
    - (C2) In mode linear, `align_corners` is false and `size` is a multiple of the width, because the device computes
      no other case.

    ```mlir
    %y = forge.resize1d %x size 16 mode linear : (tensor<1x3x8xf32>) -> tensor<1x3x16xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$size, Forge_EnumAttr<Forge_Resize1dMode>:$mode,
                       BoolAttr:$align_corners, BoolAttr:$channel_last);
  let range = "rounded(operands[0], getOperation())";
}

def Forge_Resize2dOp : Forge_CallOp<"resize2d", "Resize2d", "decomposed"> {
  let summary = "resampling of height and width";
  let description = [{
    In mode nearest, element i of the result is element floor(i * in / out) of the operand, where in and out are the
    sizes of the axis. Mode bilinear uses the half-pixel coordinates of ONNX's Resize.

    - (C1) The operand is floating point and has rank 4, and `sizes` has 2 positive values.
    - (C2) In mode bilinear, `align_corners` is false and `sizes` are multiples of height and width, because the device
      computes no other case.

    ```mlir
    %y = forge.resize2d %x sizes [16, 16] mode bilinear : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$sizes, Forge_EnumAttr<Forge_Resize2dMode>:$mode,
                       BoolAttr:$align_corners, BoolAttr:$channel_last);
  let range = "rounded(operands[0], getOperation())";
}

class Forge_ScaleOp<string opMnemonic, string function, string lowering>
    : Forge_CallOp<opMnemonic, function, lowering> {
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$scale_factor,
                       Forge_EnumAttr<Forge_Resize2dMode>:$mode, BoolAttr:$channel_last);
  let range = "rounded(operands[0], getOperation())";
}

def Forge_Upsample2dOp : Forge_ScaleOp<"upsample2d", "Upsample2d", "Upsample2dOp"> {
  let summary = "upsampling of height and width by integer factors";
  let description = [{
    The modes are those of `forge.resize2d`.

    - (C1) The operand is floating point and has rank 4, and `scale_factor` has 2 positive values.

    ```mlir
    %y = forge.upsample2d %x scale_factor [2, 2] mode nearest : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32>
    ```
  }];
}

def Forge_Downsample2dOp : Forge_ScaleOp<"downsample2d", "Downsample2d", ""> {
  let summary = "downsampling of height and width by integer factors; every call raises an error, because Forge does not implement it";
  let description = [{
    - (C1) The operand is floating point and has rank 4, and `scale_factor` has 2 positive values that divide height and width.

    ```mlir
    %y = forge.downsample2d %x scale_factor [2, 2] mode nearest : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    ```
  }];
}

#endif
