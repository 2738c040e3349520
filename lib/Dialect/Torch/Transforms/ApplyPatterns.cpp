//===- ApplyPatterns.cpp - ONNX nodes rewritten by PDL patterns ------------===//

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Support/PassText.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEAPPLYPATTERNSPASS
#include "forge/Dialect/Torch/Transforms/Passes.h.inc"
} // namespace forge

// The native function that patterns call when they match.
static constexpr llvm::StringLiteral kMatched = "forge.matched";

namespace {
struct ForgeApplyPatternsPass : forge::impl::ForgeApplyPatternsPassBase<ForgeApplyPatternsPass>, ReportingPass {
  using ForgeApplyPatternsPassBase::ForgeApplyPatternsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    known.clear();
    labels.clear();
    matched = std::make_shared<llvm::DenseSet<int64_t>>();
    for (const std::string &text : files) {
      std::string name = decoded(text);
      OwningOpRef<ModuleOp> file = parseSourceFile<ModuleOp>(name, context);
      if (!file)
        return forge::emitError(FileLineColLoc::get(context, name, 0, 0), Code::PluginUnreadable)
               << "the patterns cannot be read";
      if (failed(check(*file)))
        return failure();
      watch(*file, name);
      PDLPatternModule module(std::move(file));
      module.registerRewriteFunction(kMatched, [matched = matched](PatternRewriter &, Attribute number) {
        matched->insert(cast<IntegerAttr>(number).getInt());
      });
      all.add(std::move(module));
    }
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() override {
    if (failed(rewriteGreedily(*this, getOperation(), patterns)) || dropsAttribute)
      return signalPassFailure();
    for (auto [number, label] : llvm::enumerate(labels))
      if (!matched->contains(number))
        emitWarning(getOperation().getLoc(), Code::PatternUnused) << "the pattern " << label << " matches nothing";
  }

  // An attribute of the node that no pattern of the user matches would be lost: that is an error.
  void willReplace(Operation *op, ValueRange) override {
    did(RemarkPlace::of(op), "nodes-rewritten");
    for (NamedAttribute attribute : op->getDiscardableAttrs()) {
      StringRef name = attribute.getName().getValue();
      if (known.contains(name) || !name.consume_front(torch::kAttrPrefix))
        continue;
      forge::emitError(op, Code::AttributeUnknown) << "attribute '" << escaped(name) << "' is not known to any pattern";
      dropsAttribute = true;
    }
  }

  // A new node is in the default domain, unless its pattern states another one.
  void didInsert(Operation *op) override {
    if (isa<torch::OperatorOp>(op) && !op->hasAttr(torch::kDomainAttr))
      op->setAttr(torch::kDomainAttr, StringAttr::get(op->getContext(), ""));
  }

  // Without this pass, custom ops of the user would be refused.
  bool isRequired() const override { return true; }

private:
  // Checks that the file has only patterns, and that these need no functions in C++. Records the attributes they match.
  LogicalResult check(ModuleOp file) {
    for (Operation &op : *file.getBody())
      if (!isa<pdl::PatternOp>(op))
        return forge::emitError(&op, Code::PluginUnreadable)
               << "expected 'pdl.pattern', but got '" << op.getName() << "'";
    if (file.getBody()->empty())
      return forge::emitError(file, Code::PluginUnreadable) << "expected patterns, but got an empty module";
    WalkResult walked = file.walk([&](Operation *op) {
      if (isa<pdl::ApplyNativeConstraintOp, pdl::ApplyNativeRewriteOp>(op)) {
        forge::emitError(op, Code::PluginUnreadable) << "expected no function that is written in C++";
        return WalkResult::interrupt();
      }
      // Ops in a pdl.rewrite are created and not matched.
      if (auto matched = dyn_cast<pdl::OperationOp>(op); matched && !op->getParentOfType<pdl::RewriteOp>())
        for (Attribute name : matched.getAttributeValueNames())
          known.insert(cast<StringAttr>(name).getValue());
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  // Makes each pattern record its number when it matches.
  void watch(ModuleOp file, const std::string &name) {
    for (auto pattern : file.getOps<pdl::PatternOp>()) {
      pdl::RewriteOp rewrite = pattern.getRewriter();
      if (rewrite.getBodyRegion().empty())
        continue;
      auto builder = OpBuilder::atBlockBegin(&rewrite.getBodyRegion().front());
      Value number = pdl::AttributeOp::create(builder, pattern.getLoc(), builder.getI64IntegerAttr(labels.size()));
      pdl::ApplyNativeRewriteOp::create(builder, pattern.getLoc(), TypeRange(), kMatched, number);
      std::string label = pattern.getSymName() ? "'" + escaped(*pattern.getSymName()) + "'" : "without a name";
      if (auto loc = dyn_cast<FileLineColLoc>(pattern.getLoc()))
        label += " in line " + std::to_string(loc.getLine());
      labels.push_back(label + " of " + escaped(name));
    }
  }

  FrozenRewritePatternSet patterns;
  // The attributes that patterns match.
  llvm::StringSet<> known;
  bool dropsAttribute = false;
  // The label of each pattern, and the numbers of the patterns that matched.
  std::vector<std::string> labels;
  std::shared_ptr<llvm::DenseSet<int64_t>> matched;
};
} // namespace
