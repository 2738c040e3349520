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

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEAPPLYPATTERNSPASS
#include "forge/Dialect/Torch/Transforms/Passes.h.inc"
} // namespace forge

// The native function that patterns call when they match.
static constexpr llvm::StringLiteral kMatched = "forge.matched";

// Whether the result of the op that `matched` matches is still computed: the replacement reads it, and the op is
// neither replaced nor erased.
static bool remains(pdl::OperationOp matched, pdl::RewriteOp rewrite) {
  auto isOfRewrite = [&](Operation *user) { return user->getParentOp() == rewrite; };
  auto isRead = [&](Operation *user) {
    return isa<pdl::ResultOp, pdl::ResultsOp>(user) &&
           (isOfRewrite(user) || llvm::any_of(user->getUsers(), isOfRewrite));
  };
  auto isRemoved = [&](Operation *user) {
    auto replace = dyn_cast<pdl::ReplaceOp>(user);
    return isa<pdl::EraseOp>(user) || (replace && replace.getOpValue() == matched.getOp());
  };
  return llvm::any_of(matched->getUsers(), isRead) && llvm::none_of(matched->getUsers(), isRemoved);
}

namespace {
/// The patterns, and what they matched. The patterns hold it themselves.
struct Matches {
  struct Pattern {
    std::string label;
    SmallVector<ArrayAttr> attributes; ///< the names that it matches, for each op that does not remain
    bool isUsed = false;
  };
  std::vector<Pattern> patterns;
  bool dropsSomething = false;

  /// The arguments of kMatched: the number of the pattern, and the ops that do not remain. It is an error if one of
  /// them has an attribute that the pattern does not match, because it would be lost, or subgraphs, which no pattern
  /// can match.
  void note(ArrayRef<PDLValue> arguments) {
    Pattern &pattern = patterns[cast<IntegerAttr>(arguments.front().cast<Attribute>()).getInt()];
    pattern.isUsed = true;
    for (auto [argument, names] : llvm::zip_equal(arguments.drop_front(), pattern.attributes)) {
      auto *op = argument.cast<Operation *>();
      if (op->getNumRegions() != 0) {
        forge::emitError(op, Code::SubgraphUnknown) << "its subgraphs would be lost by the pattern " << pattern.label;
        dropsSomething = true;
      }
      for (NamedAttribute attribute : op->getDiscardableAttrs()) {
        StringRef name = attribute.getName().getValue();
        if (llvm::is_contained(names, attribute.getName()) || !name.consume_front(torch::kAttrPrefix))
          continue;
        forge::emitError(op, Code::AttributeUnknown)
            << "attribute '" << escaped(name) << "' is not matched by the pattern " << pattern.label;
        dropsSomething = true;
      }
    }
  }
};

struct ForgeApplyPatternsPass : forge::impl::ForgeApplyPatternsPassBase<ForgeApplyPatternsPass>, ReportingPass {
  using ForgeApplyPatternsPassBase::ForgeApplyPatternsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    matches = std::make_shared<Matches>();
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
      module.registerRewriteFunction(
          kMatched, [matches = matches](PatternRewriter &, PDLResultList &, ArrayRef<PDLValue> arguments) {
            matches->note(arguments);
            return success();
          });
      all.add(std::move(module));
    }
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() override {
    if (failed(rewriteGreedily(*this, getOperation(), patterns)) || matches->dropsSomething)
      return signalPassFailure();
    for (const Matches::Pattern &pattern : matches->patterns)
      if (!pattern.isUsed)
        emitWarning(getOperation().getLoc(), Code::PatternUnused)
            << "the pattern " << pattern.label << " matches nothing";
  }

  void willReplace(Operation *op, ValueRange) override { did(RemarkPlace::of(op), "nodes-rewritten"); }

  // A new node is in the default domain, unless its pattern states another one.
  void didInsert(Operation *op) override {
    if (isa<torch::OperatorOp>(op) && !op->hasAttr(torch::kDomainAttr))
      op->setAttr(torch::kDomainAttr, StringAttr::get(op->getContext(), ""));
  }

  // Without this pass, custom ops of the user would be refused.
  bool isRequired() const override { return true; }

private:
  // Checks that the file has only patterns, and that these need no functions in C++.
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
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  // Makes each pattern call kMatched before it rewrites.
  void watch(ModuleOp file, const std::string &name) {
    for (auto pattern : file.getOps<pdl::PatternOp>()) {
      pdl::RewriteOp rewrite = pattern.getRewriter();
      if (rewrite.getBodyRegion().empty())
        continue;
      std::string label = pattern.getSymName() ? "'" + escaped(*pattern.getSymName()) + "'" : "without a name";
      if (auto loc = dyn_cast<FileLineColLoc>(pattern.getLoc()))
        label += " in line " + std::to_string(loc.getLine());
      Matches::Pattern added{label + " of " + escaped(name), {}};
      auto builder = OpBuilder::atBlockBegin(&rewrite.getBodyRegion().front());
      Attribute number = builder.getI64IntegerAttr(matches->patterns.size());
      SmallVector<Value> arguments{pdl::AttributeOp::create(builder, pattern.getLoc(), number)};
      for (auto op : pattern.getBodyRegion().getOps<pdl::OperationOp>()) {
        if (remains(op, rewrite))
          continue;
        arguments.push_back(op.getOp());
        added.attributes.push_back(op.getAttributeValueNames());
      }
      pdl::ApplyNativeRewriteOp::create(builder, pattern.getLoc(), TypeRange(), kMatched, arguments);
      matches->patterns.push_back(std::move(added));
    }
  }

  FrozenRewritePatternSet patterns;
  std::shared_ptr<Matches> matches;
};
} // namespace
