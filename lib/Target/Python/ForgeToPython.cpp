//===- ForgeToPython.cpp - writes a Forge Python module -------------------===//

#include "forge/Target/Python/ForgeToPython.h"

#include "EmissionPlan.h"
#include "Layers/NameTemplate.h"
#include "Templates.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Target/Artifact/Weights.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace forge;

static std::string typeText(RankedTensorType type) {
  return numpyName(type.getElementType()) + " " + pyList(type.getShape());
}

namespace {
/// Formats an EmissionPlan: does not change the IR and does not choose names.
class ModulePrinter {
public:
  ModulePrinter(const EmissionPlan &plan, bool readsModelFiles)
      : plan(plan), readsModelFiles(readsModelFiles), os(printed.python) {}

  PrintedModule print() && {
    printDocstring();
    os << kImports << "\n\n";
    printInit();
    auto inputs = llvm::map_to_vector(plan.inputs, [](const PlannedTensor &input) { return input.name; });
    printFunction("forward", "", inputs, plan.forward);
    for (const PlannedMethod &method : plan.methods)
      printFunction(method.name, "        \"\"\"" + method.purpose + "\"\"\"\n", method.parameters, method.body);
    printLoader();
    return std::move(printed);
  }

private:
  void printDocstring() {
    os << "\"\"\"Forge module " << plan.className << ", compiled from ONNX by forge-mlir.\n\n"
       << kAfterAnEdit << "\nInputs:\n";
    for (const PlannedTensor &input : plan.inputs)
      os << "    " << input.name << ": " << typeText(input.type) << ", ONNX '" << pyDocText(escaped(input.onnxName))
         << "'\n";
    if (plan.inputs.empty())
      os << "    none\n";
    os << "\nOutputs:\n";
    for (auto [i, output] : llvm::enumerate(plan.outputs))
      os << "    " << i << ": " << typeText(output.type) << ", ONNX '" << pyDocText(escaped(output.onnxName)) << "'\n";
    if (plan.outputs.empty())
      os << "    none\n";
    SmallVector<std::string> loopback;
    for (auto [i, output] : llvm::enumerate(plan.outputs))
      if (output.loopback)
        loopback.push_back("'" + plan.inputs[*output.loopback].name + "': " + std::to_string(i));
    if (!loopback.empty())
      os << "\nCaches stay on the device with this CompilerConfig.loopback_outputs:\n    {"
         << llvm::join(loopback, ", ") << "}\n";
    os << "\"\"\"\n";
  }

  void printInit() {
    os << "class " << plan.className << "(ForgeModule):\n"
       << "    def __init__(self, name=" << pyString(plan.moduleName) << "):\n"
       << "        super().__init__(name)\n";
    for (const auto &[op, weight] : plan.weights)
      if (!plan.weightsInLoops.contains(op))
        os << "        " << pyDeclaration(pyString(weight.name), weight);
    for (const PlannedMethod &method : plan.methods)
      if (!method.weights.weights.empty())
        printLoop(method.weights);
  }

  // Declares the weights of layers. Weights of equal shapes are declared in an inner loop, if that is shorter.
  void printLoop(const WeightLoop &loop) {
    constexpr size_t kFewest = 3;
    os << "        for " << kLayerNumber << " in " << loop.numbers << ":\n";
    llvm::MapVector<StringRef, SmallVector<const WeightLoop::Slot *>> alike;
    llvm::StringSet<> declarations;
    auto weightOf = [&](const WeightLoop::Slot &slot) { return plan.weights.find(slot.ops.front())->second; };
    for (const WeightLoop::Slot &slot : loop.weights)
      alike[declarations.insert(pyDeclaration("weight", weightOf(slot))).first->getKey()].push_back(&slot);
    for (const auto &[text, slots] : alike) {
      if (slots.size() < kFewest) {
        for (const WeightLoop::Slot *slot : slots)
          os << "            " << pyDeclaration(slot->name, weightOf(*slot));
        continue;
      }
      os << "            for weight in (";
      llvm::interleaveComma(slots, os, [&](const WeightLoop::Slot *slot) { os << slot->name; });
      os << "):\n                " << text;
    }
  }

  void printFunction(StringRef name, const Twine &docstring, ArrayRef<std::string> parameters,
                     const PlannedBody &body) {
    os << "\n    def " << name << "(self";
    for (StringRef parameter : parameters)
      os << ", " << parameter;
    os << "):\n" << docstring;
    printed.lines.emplace_back();
    for (const PlannedCall &call : body.calls)
      printCall(call);
    os << "        return ";
    llvm::interleave(body.returned, os, ", ");
    os << (body.returned.empty() ? "()\n" : "\n");
  }

  void printCall(const PlannedCall &call) {
    if (!call.loopNumbers.empty())
      os << "        for " << call.loopVariable << " in " << pyNumbers(call.loopNumbers) << ":\n    ";
    printed.lines.back().push_back(currentLine());
    os << "        ";
    llvm::interleave(call.targets, os, ", ");
    os << " = ";
    if (auto op = dyn_cast_if_present<ForgeCallOpInterface>(call.op)) {
      os << op.getCallee() << "(\"\"";
      for (StringRef operand : call.operands)
        os << ", " << operand;
      for (StringRef name : op.getArgumentOrder())
        if (Attribute value = call.op->getInherentAttr(name).value_or(Attribute()))
          os << ", " << name << "=" << pyAttribute(op, name, value);
    } else {
      os << "self." << call.method << "(";
      llvm::interleave(call.operands, os, ", ");
    }
    os << ")";
    if (!call.node.empty())
      os << ".set_src_layer(" << call.node << ")";
    os << "\n";
    if (!call.releases.empty()) {
      os << "        release(";
      llvm::interleaveComma(call.releases, os);
      os << ")\n";
    }
  }

  void printLoader() {
    bool computes =
        llvm::any_of(plan.weights, [&](const auto &entry) { return isComputedOnLoad(plan.computed, entry.first); });
    os << kLoader << (readsModelFiles ? kModelWeightCase : "") << (computes ? kComputedWeightCase : "")
       << kStoredWeightCase << kLoad << plan.className << kLoadEnd << (readsModelFiles ? kModelWeight : "");
    if (computes) {
      auto [begin, end] = kComputedWeight.split(kModelSourceCase);
      os << begin << (readsModelFiles ? kModelSourceCase : kStoredSourceCase) << end;
    }
  }

  // The number of the current line.
  unsigned currentLine() {
    line += llvm::count(StringRef(printed.python).drop_front(counted), '\n');
    counted = printed.python.size();
    return line;
  }

  const EmissionPlan &plan;
  bool readsModelFiles;
  PrintedModule printed;
  llvm::raw_string_ostream os;
  size_t counted = 0; ///< characters of the text before line `line`
  unsigned line = 1;
};
} // namespace

FailureOr<EmittedModule> forge::emitDevice(func::FuncOp func, StringRef name, bool readsModelFiles, bool isPartition) {
  if (failed(verifyEmittable(func)))
    return failure();
  EmissionPlan plan(func, name);
  PrintedModule printed = ModulePrinter(plan, readsModelFiles).print();
  std::string manifest = writeManifest(plan, printed, isPartition ? func::FuncOp() : func);
  return EmittedModule{plan.moduleName, std::move(printed.python), std::move(manifest), {}};
}

FailureOr<func::FuncOp> forge::entryFunction(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa<func::FuncOp>(op))
      return emitError(&op, Code::NotEmittable) << "cannot be written as Python; expected a function only";
  auto funcs = llvm::to_vector(module.getOps<func::FuncOp>());
  auto drivers = llvm::filter_to_vector(funcs, [](func::FuncOp func) { return partitionKind(func) == "driver"; });
  ArrayRef<func::FuncOp> entries = drivers.empty() ? funcs : drivers;
  if (entries.size() != 1) {
    InFlightDiagnostic error = emitError(module, Code::NotEmittable)
                               << "expected one function or one driver, but got " << entries.size();
    for (func::FuncOp func : entries)
      error.attachNote(func.getLoc()) << "@" << escaped(func.getSymName()) << "; write a module for each model";
    return error;
  }
  if (failed(mlir::verify(module)))
    return failure();
  return entries.front();
}

StringRef forge::nameOf(func::FuncOp entry, StringRef name) {
  if (name.empty())
    name = entry->getParentOfType<ModuleOp>().getName().value_or("");
  return name.empty() ? entry.getSymName() : name;
}

FailureOr<EmittedModule> forge::emitPython(ModuleOp module, StringRef name, bool readsModelFiles) {
  FailureOr<func::FuncOp> entry = entryFunction(module);
  if (failed(entry))
    return failure();
  StringRef stem = nameOf(*entry, name);
  return partitionKind(*entry) == "driver" ? emitPartitionedModel(*entry, stem, readsModelFiles)
                                           : emitDevice(*entry, stem, readsModelFiles, /*isPartition=*/false);
}
