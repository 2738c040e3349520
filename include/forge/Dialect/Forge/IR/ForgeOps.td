//===- ForgeOps.td - every op of the forge dialect ----------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEOPS_TD
#define FORGE_DIALECT_FORGE_IR_FORGEOPS_TD

include "forge/Dialect/Forge/IR/Ops/ForgeConstantOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeElementwiseOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeReductionOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeMovementOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeIndexingOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeMatmulOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeConvOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgePoolOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeResizeOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeNormOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeCacheOps.td"
include "forge/Dialect/Forge/IR/Ops/ForgeHighLevelOps.td"

#endif
