//===- ForgeCacheOps.td - key/value caches ------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGECACHEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGECACHEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_FillCacheOp : Forge_CallOp<"fill_cache", "FillCache", "FillCacheOp"> {
  let summary = "cache with input written from batch row batch_offset and sequence position 0";
  let description = [{
    (C1) both have rank 4 and one element type. (C2) heads and head size agree. (C3) the input fits into the cache.
  }];
  let arguments = (ins Forge_Tensor:$cache, Forge_Tensor:$input, Forge_Unless<Forge_IntAttr, "0">:$batch_offset);
  let padding = "CacheWrite";
  let range = "unite({operands[0], operands[1]})";
}

def Forge_UpdateCacheOp : Forge_CallOp<"update_cache", "UpdateCache", "UpdateCacheOp"> {
  let summary = "cache with one token per batch row written at update_index";
  let description = [{
    (C1) both have rank 4 and one element type. (C2) heads and head size agree. (C3) the input holds one token and fits.
    (C4) update_index is an integer per batch row of the input.
  }];
  let arguments = (ins Forge_Tensor:$cache, Forge_Tensor:$input, Forge_Tensor:$update_index,
                       Forge_Unless<Forge_IntAttr, "0">:$batch_offset);
  let padding = "CacheWrite";
  let range = "unite({operands[0], operands[1]})";
}

#endif
