//===- Partition.cpp - one function per region, and a driver --------------===//

#include "PartitionPlan.h"
#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/Regions.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEPARTITIONPASS
#include "forge/Conversion/OnnxToForge/Passes.h.inc"
} // namespace forge

namespace {
/// Moves the nodes of one driver function into functions of their own.
class Outliner {
public:
  Outliner(func::FuncOp driver, SymbolTable &symbols)
      : driver(driver), symbols(symbols), builder(driver.getContext()) {}

  void run(ArrayRef<PlannedRegion> regions);

private:
  void outline(const PlannedRegion &region, unsigned number);
  StringAttr onnxName(Value value);
  ArrayAttr named(ValueRange values);

  func::FuncOp driver;
  SymbolTable &symbols;
  OpBuilder builder;
  DenseMap<Value, StringAttr> names; // Of the results of forge.run.
};
} // namespace

StringAttr Outliner::onnxName(Value value) {
  if (auto known = names.find(value); known != names.end())
    return known->second;
  StringAttr name;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    name = driver.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kOnnxNameAttr);
  } else {
    auto all = value.getDefiningOp()->getAttrOfType<ArrayAttr>(kResultNamesAttr);
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (all && number < all.size())
      name = dyn_cast<StringAttr>(all[number]);
  }
  return name ? name : builder.getStringAttr("");
}

ArrayAttr Outliner::named(ValueRange values) {
  SmallVector<Attribute> attributes;
  for (Value value : values)
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(kOnnxNameAttr, onnxName(value))));
  return builder.getArrayAttr(attributes);
}

void Outliner::outline(const PlannedRegion &region, unsigned number) {
  StringRef kind = region.onCpu ? "cpu" : "device";
  OpBuilder outer(driver);
  outer.setInsertionPointAfter(driver);
  auto func = func::FuncOp::create(outer, driver.getLoc(), (driver.getSymName() + "_" + kind + Twine(number)).str(),
                                   builder.getFunctionType({}, {}));
  Block *body = func.addEntryBlock();
  Region &regionBody = func.getBody();
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  // What a region takes from the driver becomes an argument, or a copy where that can be repeated. Operands are
  // rewritten node by node, not use by use: a weight may have uses in every region.
  DenseMap<Value, Value> innerOf;
  SmallVector<Value> inputs, outputs;
  auto rewrite = [&](OpOperand &operand) {
    Value value = operand.get();
    if (value.getParentBlock() != &driver.front())
      return;
    Value &taken = innerOf[value];
    if (!taken && value.getDefiningOp() && isRepeatable(value.getDefiningOp())) {
      taken = inner.clone(*value.getDefiningOp())->getResult(0);
    } else if (!taken) {
      StringAttr name = onnxName(value);
      taken = body->addArgument(value.getType(), NameLoc::get(name.empty() ? builder.getStringAttr("-") : name));
      inputs.push_back(value);
    }
    operand.set(taken);
  };
  for (auto [node, reason] : region.nodes) {
    if (!reason.empty())
      node->setAttr(kCpuAttr, builder.getStringAttr(reason));
    node->moveBefore(body, body->end());
    inner.setInsertionPoint(node);
    node->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        rewrite(operand);
    });
  }
  auto isOutside = [&](Operation *user) { return !regionBody.isAncestor(user->getParentRegion()); };
  for (const PlannedNode &node : region.nodes)
    for (Value result : torch::OperatorOp(node.op).getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        outputs.push_back(result);
  inner.setInsertionPointToEnd(body);
  func::ReturnOp::create(inner, driver.getLoc(), outputs);

  func.setType(builder.getFunctionType(body->getArgumentTypes(), ValueRange(outputs).getTypes()));
  func->setDiscardableAttrs(llvm::to_vector(driver->getDiscardableAttrs()));
  func->setAttr(kRegionAttr, builder.getStringAttr(kind));
  if (region.multiplyAdds > 0)
    func->setAttr(kMultiplyAddsAttr, builder.getI64IntegerAttr(region.multiplyAdds));
  func.setArgAttrsAttr(named(inputs));
  func.setResAttrsAttr(named(outputs));

  builder.setInsertionPoint(driver.front().getTerminator());
  auto run = RunOp::create(builder, driver.getLoc(), ValueRange(outputs).getTypes(),
                           FlatSymbolRefAttr::get(symbols.insert(func)), inputs);
  for (auto [output, result] : llvm::zip_equal(outputs, run.getResults())) {
    names[result] = onnxName(output);
    output.replaceUsesWithIf(result, [&](OpOperand &use) { return isOutside(use.getOwner()); });
  }
}

void Outliner::run(ArrayRef<PlannedRegion> regions) {
  for (auto [number, region] : llvm::enumerate(regions))
    outline(region, number);
  driver->setAttr(kRegionAttr, builder.getStringAttr("driver"));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(driver.front())))
    if (isRepeatable(&op) && op.use_empty())
      op.erase();
}

namespace {
struct ForgePartitionPass : forge::impl::ForgePartitionPassBase<ForgePartitionPass> {
  using ForgePartitionPassBase::ForgePartitionPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (regionKind(func).empty() && failed(partition(func, symbols)))
        signalPassFailure();
  }

private:
  LogicalResult partition(func::FuncOp func, SymbolTable &symbols) {
    if (func.isExternal() || !llvm::hasSingleElement(func.getBody()))
      return func.emitError("expected a function with one block");
    eraseUnused(func.front());
    SmallVector<PlannedRegion> regions = planRegions(func);
    if (llvm::none_of(regions, [](const PlannedRegion &region) { return region.onCpu; }))
      return success();
    if (maxRegions > 0 && static_cast<int64_t>(regions.size()) > maxRegions)
      return emitError(func.getLoc()) << "the model needs " << regions.size() << " regions, but at most "
                                      << static_cast<int64_t>(maxRegions)
                                      << " are allowed (max-regions); more ops on the CPU (cpu-ops) make fewer";
    Outliner(func, symbols).run(regions);
    return success();
  }

  static void eraseUnused(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<torch::OperatorOp, torch::ConstantNoneOp>(op) && op.use_empty())
        op.erase();
  }
};
} // namespace
