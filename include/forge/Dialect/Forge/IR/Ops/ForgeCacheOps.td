//===- ForgeCacheOps.td - key/value caches ------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGECACHEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGECACHEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

// The device writes into the cache in place. The write is a memory effect, so that it is not removed, merged or moved.
// Later users of the cache read the result.
defvar Forge_WritesCache = [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>];

def Forge_FillCacheOp : Forge_CallOp<"fill_cache", "FillCache", "FillCacheOp", [DestinationStyleOpInterface],
                                     Forge_WritesCache> {
  let summary = "write of keys or values into a cache, from position 0 on; the result is the cache";
  let description = [{
    The axes of `cache` and `input` are batch rows, heads, positions and the elements of a head. `input` is written to
    the batch rows of the cache from `batch_offset` on.

    - (C1) `cache` and `input` have rank 4 and one element type.
    - (C2) They have equal numbers of heads, and equal head sizes.
    - (C3) `batch_offset` is at least 0. `batch_offset` plus the batch rows of `input` is at most the batch rows of
      `cache`. `input` has at most as many positions as `cache`.

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
  let summary = "write of one token for each batch row into a cache, at given positions; the result is the cache";
  let description = [{
    The axes of `cache` and `input` are batch rows, heads, positions and the elements of a head. Batch row i of `input`
    is written to batch row batch_offset + i of `cache`, at position update_index[i].

    - (C1) `cache` and `input` have rank 4 and one element type.
    - (C2) They have equal numbers of heads, and equal head sizes.
    - (C3) `input` has one position. `batch_offset` is at least 0. `batch_offset` plus the batch rows of `input` is at
      most the batch rows of `cache`. Indices known at compile time are in [0, number of positions of `cache`).
    - (C4) `update_index` has rank 1, and one integer for each batch row of `input`.

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
