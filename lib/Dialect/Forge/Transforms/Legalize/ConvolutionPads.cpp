//===- ConvolutionPads.cpp - pads that convolutions read ------------------===//
//
// If all users of a constant pad are convolutions, the device's compiler fuses the pad into them, and fails in an
// assertion (docs/device-limits.md). This pass replaces such pads by the padding of the convolutions or, if they cannot
// pad in the same way, by concatenations with constants. It runs after the passes that may change the users of a pad.
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Scaling.h"
#include "Requirements.h"

#define GEN_PASS_DEF_FORGECONVOLUTIONPADSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace {
/// The numbers of elements that a pad adds before and after an axis.
struct AxisPad {
  int64_t axis, before, after;
};
} // namespace

// The padded axes of `pad`. Its amounts are listed from the trailing spatial axis to the leading one.
static SmallVector<AxisPad, 2> padsOf(PadOp pad) {
  ArrayRef<int64_t> amounts = pad.getPad();
  int64_t last = pad.getType().getRank() - 1 - (pad.getChannelLast() ? 1 : 0);
  SmallVector<AxisPad, 2> pads;
  for (int64_t i = 0, axes = amounts.size() / 2; i < axes; ++i)
    if (amounts[2 * i] != 0 || amounts[2 * i + 1] != 0)
      pads.push_back({last - i, amounts[2 * i], amounts[2 * i + 1]});
  return pads;
}

// The padding [top, left, bottom, right] of `conv` that includes `pad`, which it reads, so that it can read the operand
// of the pad instead. None if there is none: a convolution pads height and width alone, with zeros, and its operand
// must not be empty.
static std::optional<SmallVector<int64_t>> absorbedPadding(Conv2dOp conv, PadOp pad) {
  // A convolution pads with +0. With -0 a sum of zeros may have another sign.
  if (!pad.getValue().isPosZero() || tensorType(pad.getOperandA()).getNumElements() == 0)
    return std::nullopt;
  int64_t height = conv.getChannelLast() ? 1 : 2;
  SmallVector<int64_t> padding(conv.getPadding());
  for (AxisPad each : padsOf(pad)) {
    int64_t spatial = each.axis - height;
    if (spatial != 0 && spatial != 1)
      return std::nullopt;
    padding[spatial] += each.before;
    padding[2 + spatial] += each.after;
    // Forge takes the padding as 32-bit integers.
    if (std::max(padding[spatial], padding[2 + spatial]) > INT32_MAX)
      return std::nullopt;
  }
  return padding;
}

namespace {
struct ForgeConvolutionPadsPass : forge::impl::ForgeConvolutionPadsPassBase<ForgeConvolutionPadsPass>, ReportingPass {
  void runOnOperation() override {
    Block *block = deviceBlock(getOperation());
    if (!block)
      return;
    // In reverse order, so that a convolution can also absorb a pad of a pad.
    SmallVector<PadOp> pads(block->getOps<PadOp>());
    for (PadOp pad : llvm::reverse(pads)) {
      if (pad.getMode() != PadMode::Constant)
        continue;
      absorb(pad);
      if (pad->use_empty())
        pad.erase();
      else if (isFusedByDevice(pad))
        concatenate(pad);
    }
  }

private:
  // Adds the pad to the padding of each convolution for which that is possible. Other users keep the pad.
  void absorb(PadOp pad) {
    for (OpOperand &use : llvm::make_early_inc_range(pad->getUses())) {
      auto conv = dyn_cast<Conv2dOp>(use.getOwner());
      auto padding = conv && use.getOperandNumber() == 0 ? absorbedPadding(conv, pad) : std::nullopt;
      if (!padding)
        continue;
      recordRewrite(RemarkPlace::of(conv), "pads-in-convolutions");
      conv.setPadding(*padding);
      use.set(pad.getOperandA());
    }
  }

  // Replaces the pad by concatenations, which the device's compiler does not fuse. If its operand is empty, which an
  // operand of a concatenation must not be, all elements of the result are padding: a constant.
  void concatenate(PadOp pad) {
    recordRewrite(RemarkPlace::of(pad), "pads-as-concatenations",
                  "the device's compiler would fuse it into the convolutions that read it, which cannot take it");
    OpBuilder b(pad);
    Location loc = withoutTrace(pad.getLoc());
    double number = pad.getValue().convertToDouble();
    Value value = pad.getOperandA();
    if (tensorType(value).getNumElements() == 0)
      value = ConstantOp::create(b, loc, splatAttr(pad.getType(), number));
    else
      for (AxisPad each : padsOf(pad))
        value = padded(b, loc, value, each.axis, each.before, each.after, number);
    takeTrace(value, pad);
    pad.replaceAllUsesWith(value);
    pad.erase();
  }
};
} // namespace
