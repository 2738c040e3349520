//===- ForgeCacheOps.td - key/value caches ------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGECACHEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGECACHEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

// The device writes into the cache in place. The write is a memory effect, so that it is not removed, merged or moved.
// Later users of the cache read the result.
defvar Forge_WritesCache = [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>];

def Forge_FillCacheOp : Forge_CallOp<"fill_cache", "FillCache", "FillCacheOp", [DestinationStyleOpInterface],
                                     Forge_WritesCache> {
  let summary = "a write of input into a cache, from batch row batch_offset and position 0; the result is the cache";
  let description = [{
    (C1) cache and input have rank 4 and one element type. (C2) heads and head size agree. (C3) batch_offset plus the
    batch rows of the input are at most those of the cache, and the positions of the input are at most those of the cache.

    ```mlir
    %y = forge.fill_cache %cache, %keys : (tensor<1x12x128x64xf32>, tensor<1x12x16x64xf32>) -> tensor<1x12x128x64xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$cache, Forge_Tensor:$input, Forge_Unless<Forge_IntAttr, "0">:$batch_offset);
  let extraClassDeclaration = declareInferType # declareRange # declareCall # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCacheMutable(); }
  }];
  let padding = "CacheWrite";
  let range = "unite({operands[0], operands[1]})";
}

def Forge_UpdateCacheOp : Forge_CallOp<"update_cache", "UpdateCache", "UpdateCacheOp", [DestinationStyleOpInterface],
                                     Forge_WritesCache> {
  let summary = "a write of one token per batch row into a cache, at the positions update_index; the result is the cache";
  let description = [{
    The token of batch row i of the input is written to batch row batch_offset + i of the cache.
    (C1) cache and input have rank 4 and one element type. (C2) heads and head size agree. (C3) the input has one token,
    and batch_offset plus the batch rows of the input are at most those of the cache. (C4) update_index has rank 1, and an
    integer for each batch row of the input.

    ```mlir
    %y = forge.update_cache %cache, %key, %place : (tensor<1x12x128x64xf32>, tensor<1x12x1x64xf32>, tensor<1xi32>) -> tensor<1x12x128x64xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$cache, Forge_Tensor:$input, Forge_Tensor:$update_index,
                       Forge_Unless<Forge_IntAttr, "0">:$batch_offset);
  let extraClassDeclaration = declareInferType # declareRange # declareCall # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCacheMutable(); }
  }];
  let padding = "CacheWrite";
  let range = "unite({operands[0], operands[1]})";
}

#endif
