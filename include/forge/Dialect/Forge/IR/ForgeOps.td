//===- ForgeOps.td - every op of the forge dialect ----------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEOPS_TD
#define FORGE_DIALECT_FORGE_IR_FORGEOPS_TD

include "forge/Dialect/Forge/IR/ForgeConstantOps.td"
include "forge/Dialect/Forge/IR/ForgeElementwiseOps.td"
include "forge/Dialect/Forge/IR/ForgeReductionOps.td"
include "forge/Dialect/Forge/IR/ForgeMovementOps.td"
include "forge/Dialect/Forge/IR/ForgeMatmulConvOps.td"
include "forge/Dialect/Forge/IR/ForgePoolResizeOps.td"
include "forge/Dialect/Forge/IR/ForgeNormOps.td"
include "forge/Dialect/Forge/IR/ForgeCacheOps.td"
include "forge/Dialect/Forge/IR/ForgeHighLevelOps.td"

#endif
