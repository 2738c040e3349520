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
  // Names of the driver's values, also of those whose node has moved.
  DenseMap<Value, StringAttr> names;
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
  llvm::SmallPtrSet<Operation *, 16> inside;
  for (torch::OperatorOp node : region.nodes)
    inside.insert(node);
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  int64_t multiplyAdds = 0;
  for (torch::OperatorOp node : region.nodes) {
    for (Value value : usedValues(node))
      if (!value.getDefiningOp() || !inside.contains(value.getDefiningOp()))
        inputs.insert(value);
    for (Value result : node.getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(driver.front().findAncestorOpInBlock(*user)); }))
        outputs.push_back(result);
    if (auto adds = node->getAttrOfType<IntegerAttr>(kMultiplyAddsAttr))
      multiplyAdds += adds.getInt();
  }

  StringRef kind = region.onCpu ? "cpu" : "device";
  builder.setInsertionPoint(driver.front().getTerminator());
  auto run = RunOp::create(builder, driver.getLoc(), ValueRange(outputs).getTypes(), "", inputs.getArrayRef());
  OpBuilder outer(driver);
  outer.setInsertionPointAfter(driver);
  auto type = builder.getFunctionType(ValueRange(inputs.getArrayRef()).getTypes(), ValueRange(outputs).getTypes());
  auto func =
      func::FuncOp::create(outer, driver.getLoc(), (driver.getSymName() + "_" + kind + Twine(number)).str(), type);
  func->setDiscardableAttrs(llvm::to_vector(driver->getDiscardableAttrs()));
  func->setAttr(kRegionAttr, builder.getStringAttr(kind));
  if (multiplyAdds > 0)
    func->setAttr(kMultiplyAddsAttr, builder.getI64IntegerAttr(multiplyAdds));
  func.setArgAttrsAttr(named(inputs.getArrayRef()));
  func.setResAttrsAttr(named(outputs));
  for (Value output : outputs) {
    StringAttr name = onnxName(output);
    names[output] = name;
  }
  run.setRegionAttr(FlatSymbolRefAttr::get(symbols.insert(func)));

  Block *body = func.addEntryBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  // Operands are rewritten node by node: a weight may have uses in every region.
  DenseMap<Value, Value> innerOf;
  for (auto [value, argument] : llvm::zip_equal(inputs, body->getArguments())) {
    argument.setLoc(NameLoc::get(onnxName(value).empty() ? builder.getStringAttr("-") : onnxName(value)));
    innerOf[value] = argument;
  }
  auto rewrite = [&](OpOperand &operand) {
    Value value = operand.get();
    Operation *producer = value.getDefiningOp();
    if (producer && producer->getBlock() == &driver.front() && isRepeatable(producer) && !inside.contains(producer)) {
      Value &copy = innerOf[value];
      if (!copy)
        copy = inner.clone(*producer)->getResult(0);
      operand.set(copy);
    } else if (Value argument = innerOf.lookup(value)) {
      operand.set(argument);
    }
  };
  for (torch::OperatorOp node : region.nodes) {
    node->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        rewrite(operand);
    });
    node->moveBefore(body, body->end());
  }
  func::ReturnOp::create(inner, driver.getLoc(), outputs);
  inner.setInsertionPointToEnd(body);
  for (auto [output, result] : llvm::zip_equal(outputs, run.getResults())) {
    StringAttr name = names.lookup(output);
    names[result] = name;
    output.replaceUsesWithIf(result,
                             [&](OpOperand &use) { return use.getOwner()->getParentOfType<func::FuncOp>() != func; });
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
