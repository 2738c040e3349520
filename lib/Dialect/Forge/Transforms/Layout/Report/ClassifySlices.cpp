//===- ClassifySlices.cpp - classifies slices by tile alignment -----------===//

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"

#define GEN_PASS_DEF_FORGECLASSIFYSLICESPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// How the slice `op` is aligned to tiles. None for a slice of several axes (--forge-slice-canonicalize) or with a
// negative stride.
static std::optional<itd::SliceClass> classOf(Operation *op, const DeviceLayout &layout) {
  if (std::optional<AxisSlice> slice = AxisSlice::of(op->getResult(0)))
    return layout.classOf(*slice);
  bool isEmpty = tensorType(op->getResult(0)).getNumElements() == 0;
  return isEmpty ? std::optional(itd::SliceClass::Empty) : std::nullopt;
}

namespace {
struct ForgeClassifySlicesPass : forge::impl::ForgeClassifySlicesPassBase<ForgeClassifySlicesPass>, ReportingPass {
  using Base::Base;

  void runOnOperation() override {
    if (isHostFunction(getOperation()))
      return;
    FailureOr<DeviceLayout> layout = DeviceLayout::parse(getOperation(), format);
    if (failed(layout))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      if (!isa<StridedSliceOp, IndexOp>(op))
        return;
      std::optional<itd::SliceClass> sliceClass = classOf(op, *layout);
      count(sliceClass ? itd::name(*sliceClass) : "without-class");
      if (sliceClass)
        op->setAttr(kSliceClassAttr, StringAttr::get(&getContext(), itd::name(*sliceClass)));
      else
        op->removeAttr(kSliceClassAttr);
    });
  }
};
} // namespace
