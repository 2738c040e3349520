//===- FunctionConverter.cpp - walks one function and converts its nodes --===//

#include "forge/Conversion/OnnxToForge/FunctionConverter.h"

#include "forge/Conversion/OnnxToForge/Import/ImpliedDomain.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <utility>

using namespace mlir;
using namespace forge;

// Limits that no sensible model reaches.
static constexpr int64_t kMaxDepth = 32, kMaxInlinedNodes = 1 << 16;

bool forge::isTransferable(Type element) {
  return isa<IntegerType, Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

RankedTensorType forge::deviceType(Type type) {
  auto tensor = dyn_cast<torch::ValueTensorType>(type);
  Type element = tensor ? convertElementType(tensor.getDtype()) : Type();
  if (!element || !isTransferable(element) || llvm::is_contained(tensor.getSizes(), ShapedType::kDynamic) ||
      !isCountable(tensor.getSizes()))
    return {};
  return RankedTensorType::get(tensor.getSizes(), element);
}

/// Why there is no converter for an op. The importer removes most ops on sequences and optionals.
static StringRef whyNoConverter(StringRef domain, StringRef name) {
  if (domain.empty() && name.contains("Sequence"))
    return "the device has no sequences; a sequence is replaced by its elements only if its length and all accessed "
           "positions are known, and if it is no input or output of a graph";
  if (domain.empty() && name.starts_with("Optional"))
    return "the device has no optionals; an optional is replaced by its element only if it is known whether it has "
           "one, and if it is no input or output of a graph";
  return "there is no converter for this op";
}

bool FunctionConverter::chooseVersion(torch::OperatorOp op, StringRef &domain, int64_t &opset,
                                      const OnnxRegistry::Entry *&entry) {
  StringRef name = op.getName();
  bool isOnnx = name.consume_front("onnx.");
  auto refused = [&](int64_t shownOpset, Code code, const Twine &reason) {
    refuse(op, domain, shownOpset, code, reason);
    return false;
  };
  NodeDomain found = domainOf(op, func);
  domain = found.domain;
  if (!found.reason.empty())
    return refused(0, Code::NotImported, found.reason);
  auto own = op->getAttrOfType<IntegerAttr>(torch::kNodeOpsetAttr), declared = own ? own : found.opset;
  opset = declared ? declared.getValue().trySExtValue().value_or(0) : 0; // 0 for a number beyond 64 bits too.
  if (opset < 1) {
    std::string written = domain.empty() ? (torch::kOpsetAttr + " = 17 : si64").str()
                                         : (torch::kOpsetsAttr + " = {\"" + escaped(domain) + "\" = 1 : si64}").str();
    return refused(0, Code::OpsetMissing,
                   "the model declares no opset for its domain; in IR the function says it, as " + written);
  }
  if (domain.empty() && opset > kNewestOpset)
    return refused(opset, Code::OpsetTooNew,
                   "opset " + Twine(opset) + " is newer than the newest one known here, " + Twine(kNewestOpset));
  if (!isOnnx)
    return refused(opset, Code::NotImported, "expected an operator name that starts with 'onnx.'");
  entry = ownConverters ? ownConverters->lookup(domain, name, opset) : nullptr;
  if (!entry)
    entry = registry.lookup(domain, name, opset);
  if (entry)
    return true;
  SmallVector<int64_t> known = registry.versions(domain, name);
  if (known.empty() && ownConverters)
    known = ownConverters->versions(domain, name);
  if (known.empty())
    return refused(opset, Code::NoConverter, whyNoConverter(domain, name));
  return refused(opset, Code::OpsetTooOld, "the oldest converter is for opset " + Twine(known.front()));
}

void FunctionConverter::checkResults(OnnxNode &node, Values &results) {
  torch::OperatorOp op = node.getOp();
  for (auto [i, declared] : llvm::enumerate(op.getResultTypes())) {
    Value computed = i < results.size() ? results[i] : Value();
    auto tensor = dyn_cast<torch::ValueTensorType>(declared);
    if (!computed) {
      if (node.usesOutput(i))
        node.refuse(Code::OutputUnsupported, "output " + Twine(i) + " cannot be computed on the device");
      continue;
    }
    if (!tensor)
      continue; // The importer had no type.
    RankedTensorType type = tensorType(computed);
    bool sameElements = convertElementType(tensor.getDtype()) == type.getElementType();
    // The importer writes an unknown rank as rank 0.
    bool sameShape = tensor.getSizes().empty() || succeeded(verifyCompatibleShape(tensor.getSizes(), type.getShape()));
    if (sameElements && sameShape)
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (sameElements && torch::isHintedResult(op->getResult(i))) {
      // In a trial, the nodes of a subgraph are converted again afterwards.
      if (trial && depth > 0)
        continue;
      stream << "node '" << escaped(nodeName(op.getLoc())) << "': output " << i << " is declared as " << declared
             << ", and is computed as " << type << ", which is taken";
      if (warned.insert(op).second)
        emitWarning(op.getLoc(), Code::ModelAdjusted) << text;
      continue;
    }
    stream << "output " << i << " is computed as " << type << ", but the model declares " << declared;
    node.refuse(Code::ResultMismatch, text);
  }
}

// Records in locations which values hold the results of a node that the importer named. Nodes in subgraphs are not
// traced.
static void traceResults(torch::OperatorOp op, ArrayRef<Value> results) {
  auto names = op->getAttrOfType<ArrayAttr>(torch::kResultNamesAttr);
  if (!names)
    return;
  for (auto [name, value] : llvm::zip(names.getAsRange<StringAttr>(), results))
    if (auto result = dyn_cast_or_null<OpResult>(value); result && !name.empty())
      traceValue(result, {name.getValue(), {}});
}

void FunctionConverter::convertNode(torch::OperatorOp op) {
  StringRef domain;
  int64_t opset = 0;
  const OnnxRegistry::Entry *entry = nullptr;
  if (!chooseVersion(op, domain, opset, entry))
    return mapRefused(op);

  SmallVector<Value> operands;
  SmallVector<bool> refused;
  for (Value operand : op.getOperands()) {
    operands.push_back(values.lookupOrNull(operand));
    refused.push_back(refusedValues.contains(operand));
  }
  auto inliner = [this](Region &region, ArrayRef<Value> arguments, SmallVectorImpl<Value> &yields,
                        std::optional<Refusal> &refusal) { return inlineRegion(region, arguments, yields, refusal); };
  OnnxNode node(op, domain, {opset, entry->since}, options, operands, refused, inliner);
  auto onError = [&](Code code, const Twine &reason) { node.refuse(code, reason); };
  ForgeBuilder forgeBuilder(builder, node.loc(), options.foldLimit, onError);
  Values results = entry->converter(node, forgeBuilder);
  if (!node.failed())
    checkResults(node, results);
  if (!node.failed() && node.ignoresSubgraphs())
    node.refuse(Code::SubgraphUnknown, "its subgraphs are not known to this converter");
  bool isOwn = ownConverters && ownConverters->lookup(domain, node.opType(), opset) == entry;
  if (!node.failed())
    for (StringRef name : node.unreadAttributes())
      node.refuse(Code::AttributeUnknown,
                  "attribute '" + escaped(name) + "' is not known to this " +
                      (isOwn ? "lowering; read it there, or say node.ignore_attr(\"" + escaped(name) + "\")"
                             : std::string("converter")));
  // A node in a loop is converted once per iteration; results of the previous iteration must not be visible.
  for (Value result : op.getResults()) {
    values.erase(result);
    refusedValues.erase(result);
  }
  if (node.failed()) {
    SetVector<StringRef> bindable = bindableInputs(node);
    for (const Refusal &refusal : node.getRefusals())
      refuse(op, domain, opset, refusal.code, refusal.reason,
             refusal.code == Code::OperandUnknown ? bindable.getArrayRef() : ArrayRef<StringRef>());
    anyRefused = true;
    return mapRefused(op);
  }
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    if (i < results.size() && results[i])
      values.map(result, results[i]);
  auto isKnown = [](Value value) { return !value || matchPattern(value, m_Constant()); };
  ++(llvm::all_of(results, isKnown) ? tally.folded : tally.converted);
  if (depth == 0 && !trial)
    traceResults(op, results);
}

// The static tensor types of the function's inputs.
LogicalResult FunctionConverter::convertSignature(SmallVectorImpl<Type> &inputs) {
  bool valid = true;
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<torch::ValueTensorType>(argument.getType());
    Type element = type ? convertElementType(type.getDtype()) : Type();
    auto refuse = [&](Code code) {
      valid = false;
      return emitError(argument.getLoc(), code) << "input '" << escaped(nodeName(argument.getLoc())) << "' has ";
    };
    if (!element)
      refuse(Code::TypeNotHeld) << "type " << argument.getType() << ", which the device cannot hold";
    else if (llvm::is_contained(type.getSizes(), ShapedType::kDynamic))
      refuse(Code::DynamicShape) << "dynamic shape " << argument.getType() << "; bind it with --input-shape";
    else if (!isCountable(type.getSizes()))
      refuse(Code::TooManyElements) << "2^63 elements or more";
    else
      inputs.push_back(RankedTensorType::get(type.getSizes(), element));
  }
  return success(valid);
}

// Converts the nodes of a block in order. Returns its terminator, or null if there is none.
Operation *FunctionConverter::convertBlock(Block &block) {
  Operation *terminator = nullptr;
  for (Operation &op : block) {
    if (auto node = dyn_cast<torch::OperatorOp>(op)) {
      inlinedNodes += depth > 0;
      convertNode(node);
    } else if (isa<torch::ConstantNoneOp>(op)) {
      continue;
    } else if (isa<func::ReturnOp, torch::OperatorTerminatorOp>(op)) {
      terminator = &op;
    } else {
      emitError(&op, Code::NotImported) << "expected a torch.operator, but got '" << op.getName() << "'";
      anyRefused = true;
    }
    if (inlinedNodes > kMaxInlinedNodes)
      return nullptr;
  }
  return terminator;
}

LogicalResult FunctionConverter::inlineRegion(Region &region, ArrayRef<Value> arguments, SmallVectorImpl<Value> &yields,
                                              std::optional<Refusal> &refusal) {
  auto refuse = [&](Code code, const Twine &reason) {
    refusal = {code, reason.str()};
    return failure();
  };
  if (!llvm::hasSingleElement(region) || region.getNumArguments() != arguments.size())
    return refuse(Code::Arity, "a subgraph takes " + Twine(region.getNumArguments()) + " inputs, but gets " +
                                   Twine(arguments.size()));
  if (depth >= kMaxDepth)
    return refuse(Code::NestingTooDeep, "subgraphs are nested deeper than " + Twine(kMaxDepth));
  for (auto [argument, value] : llvm::zip_equal(region.getArguments(), arguments)) {
    values.erase(argument);
    if (value)
      values.map(argument, value);
  }
  // The caller needs to know about refusals in this subgraph only.
  bool refusedBefore = std::exchange(anyRefused, false);
  ++inlinedNodes; // Iterations of an empty body count too.
  ++depth;
  Operation *terminator = convertBlock(region.front());
  --depth;
  bool refusedInside = std::exchange(anyRefused, anyRefused || refusedBefore);
  if (inlinedNodes > kMaxInlinedNodes)
    return refuse(Code::TooMuchToUnroll,
                  "unrolling its subgraphs takes more than " + Twine(kMaxInlinedNodes) + " nodes");
  if (refusedInside)
    return failure();
  if (!terminator)
    return refuse(Code::NotImported, "a subgraph has no terminator");
  for (Value operand : terminator->getOperands()) {
    if (refusedValues.contains(operand))
      return failure();
    yields.push_back(values.lookupOrNull(operand));
  }
  return success();
}

LogicalResult FunctionConverter::run() {
  if (func.isExternal() || !llvm::hasSingleElement(func.getBody()))
    return emitError(func, Code::InvalidIr) << "expected a function of one block for --convert-onnx-to-forge";
  SmallVector<Type> inputs;
  if (failed(convertSignature(inputs)))
    return failure();

  Block &source = func.front();
  auto target = std::make_unique<Block>();
  for (auto [argument, type] : llvm::zip_equal(source.getArguments(), inputs))
    values.map(argument, target->addArgument(type, argument.getLoc()));
  builder.setInsertionPointToEnd(target.get());

  auto terminator = dyn_cast_or_null<func::ReturnOp>(convertBlock(source));
  SmallVector<Value> results;
  if (terminator)
    for (Value operand : terminator.getOperands()) {
      results.push_back(values.lookupOrNull(operand));
      if (!results.back() && !anyRefused)
        anyRefused = failed(emitError(terminator, Code::NotImported) << "a graph output has no value");
    }
  if (anyRefused || !terminator) {
    target->dropAllReferences();
    return failure();
  }
  func::ReturnOp::create(builder, terminator.getLoc(), results);
  // Folding leaves unused constants, whose types need not be legal.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*target)))
    if (isOpTriviallyDead(&op))
      op.erase();
  func.setFunctionType(FunctionType::get(func.getContext(), inputs, ValueRange(results).getTypes()));
  source.dropAllReferences();
  func.getBody().getBlocks().clear();
  func.getBody().push_back(target.release());
  return success();
}

void FunctionConverter::startTrial(Block &target) {
  trial.emplace();
  builder.setInsertionPointToEnd(&target);
  for (BlockArgument argument : func.getArguments())
    if (RankedTensorType type = deviceType(argument.getType()))
      values.map(argument, target.addArgument(type, argument.getLoc()));
    else
      refusedValues.insert(argument);
}

std::string FunctionConverter::tryNode(torch::OperatorOp op) {
  *trial = {op, ""};
  anyRefused = false;
  convertNode(op);
  if (anyRefused && trial->reason.empty())
    return "the value, shape or type of an operand is only known at run time";
  return trial->reason;
}
