//===- CacheOps.cpp - key/value caches ------------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

// (C1) to (C3) of both cache ops.
template <typename Adaptor>
static LogicalResult checkCache(Adaptor op, const Inference &infer) {
  if (failed(infer.oneElementType({op.getCache(), op.getInput()})) || failed(infer.rank("cache", op.getCache(), 4)) ||
      failed(infer.rank("input", op.getInput(), 4)))
    return failure();
  ArrayRef<int64_t> cache = shapeOf(op.getCache()), input = shapeOf(op.getInput());
  if (cache[1] != input[1] || cache[3] != input[3])
    return infer.error("(C2) expected equal heads and head sizes, but got [", cache, "] and [", input, "]");
  int64_t offset = op.getBatchOffset();
  if (offset < 0 || input[0] > cache[0] || offset > cache[0] - input[0] || input[2] > cache[2])
    return infer.error("(C3) expected an input that fits into [", cache, "], but got [", input, "] at batch row ",
                       offset);
  return success();
}

InferredType FillCacheOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(checkCache(op, infer)))
    return failure();
  return tensorType(op.getCache());
}

InferredType UpdateCacheOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(checkCache(op, infer)))
    return failure();
  if (shapeOf(op.getInput())[2] != 1)
    return infer.error("(C3) expected one token, but got ", op.getInput().getType());
  RankedTensorType index = tensorType(op.getUpdateIndex());
  if (!isa<IntegerType>(index.getElementType()) || index.getRank() != 1 ||
      index.getDimSize(0) != shapeOf(op.getInput())[0])
    return infer.error("(C4) expected ", shapeOf(op.getInput())[0], " integers, but got ", index);
  if (failed(infer.constantIndices(op.getUpdateIndex(), shapeOf(op.getCache())[2])))
    return failure();
  return tensorType(op.getCache());
}

namespace {
/// The resource of all writes into caches, which keeps their order.
struct CacheResource : SideEffects::Resource::Base<CacheResource> {
  StringRef getName() final { return "forge.cache"; }
};
} // namespace

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void FillCacheOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getCacheMutable(), CacheResource::get());
}

void UpdateCacheOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getCacheMutable(), CacheResource::get());
}
