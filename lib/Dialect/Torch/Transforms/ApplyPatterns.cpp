//===- ApplyPatterns.cpp - ONNX nodes rewritten by PDL patterns ------------===//

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Support/PassText.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEAPPLYPATTERNSPASS
#include "forge/Dialect/Torch/Transforms/Passes.h.inc"
} // namespace forge

// Whether a value of type `to` can replace one of type `from`. A type without a dtype is not known, and an unknown rank
// is written as rank 0.
static bool canReplace(Type from, Type to) {
  auto old = dyn_cast<torch::ValueTensorType>(from), made = dyn_cast<torch::ValueTensorType>(to);
  if (!old || !made)
    return true;
  bool sameElements = !old.getDtype() || !made.getDtype() || old.getDtype() == made.getDtype();
  return sameElements && (old.getSizes().empty() || made.getSizes().empty() ||
                          succeeded(verifyCompatibleShape(old.getSizes(), made.getSizes())));
}

// A new node is in the default domain, unless its pattern states another one. It must run on the device, because the
// CPU runs nodes of the model.
static void mark(Operation *made) {
  if (!made->hasAttr(torch::kDomainAttr))
    made->setAttr(torch::kDomainAttr, StringAttr::get(made->getContext(), ""));
  made->setAttr(kPinnedAttr, UnitAttr::get(made->getContext()));
}

// Gives `value` the name of the result `old` that it replaces: nodes on the CPU read it by this name. A value of the
// model has a name of its own, and is read through an Identity.
static void passName(OpResult old, Value value) {
  auto names = old.getOwner()->getAttrOfType<ArrayAttr>(torch::kResultNamesAttr);
  if (!names)
    return;
  OpBuilder builder(old.getOwner());
  auto made = value.getDefiningOp<torch::OperatorOp>();
  if (!made || !made->hasAttr(kPinnedAttr)) {
    made = torch::OperatorOp::create(builder, old.getLoc(), TypeRange(old.getType()), "onnx.Identity", value, 0);
    mark(made);
    value = made->getResult(0);
    old.replaceAllUsesWith(value);
  }
  SmallVector<Attribute> own(made->getNumResults(), builder.getStringAttr(""));
  if (auto given = made->getAttrOfType<ArrayAttr>(torch::kResultNamesAttr))
    llvm::copy(given, own.begin());
  own[cast<OpResult>(value).getResultNumber()] = names[old.getResultNumber()];
  made->setAttr(torch::kResultNamesAttr, builder.getArrayAttr(own));
}

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
  StringRef current; ///< the label of the pattern that rewrites
  bool isRefused = false;

  /// The arguments of kMatched: the number of the pattern, and the ops that do not remain. It is an error if one of
  /// them has an attribute that the pattern does not match, or a subgraph, because it would be lost.
  void note(ArrayRef<PDLValue> arguments) {
    Pattern &pattern = patterns[cast<IntegerAttr>(arguments.front().cast<Attribute>()).getInt()];
    pattern.isUsed = true;
    current = pattern.label;
    for (auto [argument, names] : llvm::zip_equal(arguments.drop_front(), pattern.attributes)) {
      auto *op = argument.cast<Operation *>();
      if (op->getNumRegions() > 0) {
        forge::emitError(op, Code::SubgraphUnknown)
            << "its subgraphs would be lost: no pattern matches them, as " << current << " does not";
        isRefused = true;
      }
      for (NamedAttribute attribute : op->getDiscardableAttrs()) {
        StringRef name = attribute.getName().getValue();
        if (llvm::is_contained(names, attribute.getName()) || !name.consume_front(torch::kAttrPrefix))
          continue;
        forge::emitError(op, Code::AttributeUnknown)
            << "attribute '" << escaped(name) << "' is not matched by the pattern " << current;
        isRefused = true;
      }
    }
  }

  /// It is an error if `value` does not have the type that the model declares for `old`.
  void replace(OpResult old, Value value) {
    if (!canReplace(old.getType(), value.getType())) {
      forge::emitError(old.getOwner(), Code::ResultMismatch)
          << "result " << old.getResultNumber() << " is declared as " << old.getType() << ", but the pattern "
          << current << " replaces it by " << value.getType();
      isRefused = true;
    }
    passName(old, value);
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
    if (failed(rewriteGreedily(*this, getOperation(), patterns)) || matches->isRefused)
      return signalPassFailure();
    for (const Matches::Pattern &pattern : matches->patterns)
      if (!pattern.isUsed)
        emitWarning(getOperation().getLoc(), Code::PatternUnused)
            << "the pattern " << pattern.label << " matches nothing";
  }

  void willReplace(Operation *op, ValueRange values) override {
    recordRewrite(RemarkPlace::of(op), "nodes-rewritten");
    for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
      matches->replace(result, value);
  }

  void didInsert(Operation *op) override {
    if (isa<torch::OperatorOp>(op))
      mark(op);
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
