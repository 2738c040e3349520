//===- ForgeResizeOps.td - resampling --------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGERESIZEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGERESIZEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_Resize1dMode : Forge_Enum<"Resize1dMode", "how a line is resampled", [
  I32EnumCase<"Nearest", 0, "nearest">, I32EnumCase<"Linear", 1, "linear">]>;
def Forge_Resize2dMode : Forge_Enum<"Resize2dMode", "how an image is resampled", [
  I32EnumCase<"Nearest", 0, "nearest">, I32EnumCase<"Bilinear", 1, "bilinear">]>;

def Forge_Resize1dOp : Forge_CallOp<"resize1d", "Resize1d", "decomposed"> {
  let summary = "resampling of the width of N,C,W";
  let description = [{
    (C1) rank 3; size is positive. (C2) in mode linear, align_corners is false and size is a multiple of the
    width: the device computes no other case.

    ```mlir
    %y = forge.resize1d %x size 16 mode linear : (tensor<1x3x8xf32>) -> tensor<1x3x16xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$size, Forge_EnumAttr<Forge_Resize1dMode>:$mode,
                       BoolAttr:$align_corners, BoolAttr:$channel_last);
  let range = "rounded(operands[0], getOperation())";
}

def Forge_Resize2dOp : Forge_CallOp<"resize2d", "Resize2d", "decomposed"> {
  let summary = "resampling of height and width; nearest reads element floor(i*in/out), bilinear has half-pixel centres";
  let description = [{
    (C1) rank 4; sizes has 2 positive values. (C2) in mode bilinear, align_corners is false and sizes are
    multiples of height and width: the device computes no other case.

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
    (C1) rank 4; scale_factor has 2 positive values.

    ```mlir
    %y = forge.upsample2d %x scale_factor [2, 2] mode nearest : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32>
    ```
  }];
}

def Forge_Downsample2dOp : Forge_ScaleOp<"downsample2d", "Downsample2d", ""> {
  let summary = "downsampling by integer factors, which Forge does not implement: every call raises";
  let description = [{
    (C1) rank 4; scale_factor has 2 positive values that divide height and width.

    ```mlir
    %y = forge.downsample2d %x scale_factor [2, 2] mode nearest : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    ```
  }];
}

#endif
