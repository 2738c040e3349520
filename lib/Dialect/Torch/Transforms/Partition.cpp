//===- Partition.cpp - one function per partition, and a driver -----------===//

#include "PartitionPlan.h"
#include "forge/Conversion/OnnxToForge/FunctionConverter.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEPARTITIONPASS
#include "forge/Dialect/Torch/Transforms/Passes.h.inc"
} // namespace forge

static bool isOutside(func::FuncOp func, Operation *user) {
  return !func.getBody().isAncestor(user->getParentRegion());
}

namespace {
/// Moves the nodes of one driver function into a function for each partition.
class Outliner {
public:
  Outliner(func::FuncOp driver, SymbolTable &symbols)
      : driver(driver), symbols(symbols), builder(driver.getContext()) {}

  void run(ArrayRef<PlannedPartition> partitions) {
    for (auto [number, partition] : llvm::enumerate(partitions))
      outline(partition, number);
    driver->setAttr(kPartitionAttr, builder.getStringAttr("driver"));
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(driver.front())))
      if (isRepeatable(&op) && op.use_empty())
        op.erase();
  }

private:
  void outline(const PlannedPartition &partition, unsigned number) {
    func::FuncOp func = createFunction(partition, number);
    SmallVector<Value> inputs = moveNodes(partition, &func.front());
    SmallVector<Value> outputs = returnResults(partition, func);
    func.setType(builder.getFunctionType(func.front().getArgumentTypes(), ValueRange(outputs).getTypes()));
    func.setArgAttrsAttr(named(inputs));
    func.setResAttrsAttr(named(outputs));
    callFunction(func, inputs, outputs);
  }

  func::FuncOp createFunction(const PlannedPartition &partition, unsigned number) {
    StringRef kind = partition.onCpu ? "cpu" : "device";
    OpBuilder outer(driver);
    outer.setInsertionPointAfter(driver);
    auto func = func::FuncOp::create(outer, driver.getLoc(), (driver.getSymName() + "_" + kind + Twine(number)).str(),
                                     builder.getFunctionType({}, {}));
    func.addEntryBlock();
    func->setDiscardableAttrs(llvm::to_vector(driver->getDiscardableAttrs()));
    func->setAttr(kPartitionAttr, builder.getStringAttr(kind));
    if (partition.multiplyAdds > 0)
      func->setAttr(kMultiplyAddsAttr, builder.getI64IntegerAttr(partition.multiplyAdds));
    return func;
  }

  // Moves the nodes of a partition into `body`, and returns the values of the driver that become its arguments.
  // Constants are copied instead. Operands are rewritten node by node, because a weight may have uses in all
  // partitions.
  SmallVector<Value> moveNodes(const PlannedPartition &partition, Block *body) {
    OpBuilder inner = OpBuilder::atBlockEnd(body);
    DenseMap<Value, Value> innerOf;
    SmallVector<Value> inputs;
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
    for (auto [node, reason] : partition.nodes) {
      if (!reason.empty())
        node->setAttr(kCpuAttr, builder.getStringAttr(reason));
      node->moveBefore(body, body->end());
      inner.setInsertionPoint(node);
      node->walk<WalkOrder::PreOrder>([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          rewrite(operand);
      });
    }
    return inputs;
  }

  // Ends `func` with a return of the results that are used outside of it.
  SmallVector<Value> returnResults(const PlannedPartition &partition, func::FuncOp func) {
    SmallVector<Value> outputs;
    for (const PlannedNode &node : partition.nodes)
      for (Value result : torch::OperatorOp(node.op).getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) { return isOutside(func, user); }))
          outputs.push_back(result);
    OpBuilder inner = OpBuilder::atBlockEnd(&func.front());
    func::ReturnOp::create(inner, driver.getLoc(), outputs);
    return outputs;
  }

  // Calls `func` at the end of the driver, and replaces the uses of `outputs` by the results of the call.
  void callFunction(func::FuncOp func, ValueRange inputs, ValueRange outputs) {
    builder.setInsertionPoint(driver.front().getTerminator());
    auto run = RunOp::create(builder, driver.getLoc(), outputs.getTypes(), FlatSymbolRefAttr::get(symbols.insert(func)),
                             inputs);
    for (auto [output, result] : llvm::zip_equal(outputs, run.getResults())) {
      names[result] = onnxName(output);
      output.replaceUsesWithIf(result, [&](OpOperand &use) { return isOutside(func, use.getOwner()); });
    }
  }

  StringAttr onnxName(Value value) {
    if (auto known = names.find(value); known != names.end())
      return known->second;
    StringAttr name;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      name = driver.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kOnnxNameAttr);
    } else {
      auto all = value.getDefiningOp()->getAttrOfType<ArrayAttr>(torch::kResultNamesAttr);
      unsigned number = cast<OpResult>(value).getResultNumber();
      if (all && number < all.size())
        name = dyn_cast<StringAttr>(all[number]);
    }
    return name ? name : builder.getStringAttr("");
  }

  ArrayAttr named(ValueRange values) {
    SmallVector<Attribute> attributes;
    for (Value value : values) {
      NamedAttrList facts;
      facts.set(kOnnxNameAttr, onnxName(value));
      // Ranges that the user stated for an input also hold in the partitions.
      if (auto argument = dyn_cast<BlockArgument>(value))
        if (Attribute range = driver.getArgAttr(argument.getArgNumber(), kRangeAttr))
          facts.set(kRangeAttr, range);
      attributes.push_back(facts.getDictionary(builder.getContext()));
    }
    return builder.getArrayAttr(attributes);
  }

  func::FuncOp driver;
  SymbolTable &symbols;
  OpBuilder builder;
  DenseMap<Value, StringAttr> names; // Of the results of forge.run.
};

struct ForgePartitionPass : forge::impl::ForgePartitionPassBase<ForgePartitionPass>, ReportingPass {
  using ForgePartitionPassBase::ForgePartitionPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (partitionKind(func).empty() && failed(partition(func, symbols)))
        signalPassFailure();
  }

private:
  LogicalResult partition(func::FuncOp func, SymbolTable &symbols) {
    if (func.isExternal() || !llvm::hasSingleElement(func.getBody()))
      return emitError(func, Code::InvalidIr) << "expected a function with one block";
    eraseUnused(func.front());
    SmallVector<PlannedPartition> partitions = planPartitions(func);
    // A driver may take inputs that no device function can, such as text that no node reads.
    if (llvm::none_of(partitions, [](const PlannedPartition &partition) { return partition.onCpu; }) &&
        llvm::all_of(func.getArgumentTypes(), deviceType))
      return success();
    if (maxPartitions > 0 && static_cast<int64_t>(partitions.size()) > maxPartitions)
      return emitError(modelLocation(func), Code::TooManyPartitions)
             << "the model needs " << partitions.size() << " partitions, but at most "
             << static_cast<int64_t>(maxPartitions)
             << " are allowed (max-partitions); more ops on the CPU (cpu-ops) make fewer";
    for (const PlannedPartition &partition : partitions)
      count(partition.onCpu ? "cpu-partitions" : "device-partitions");
    Outliner(func, symbols).run(partitions);
    return success();
  }

  static void eraseUnused(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<torch::OperatorOp, torch::ConstantNoneOp>(op) && op.use_empty())
        op.erase();
  }
};
} // namespace
