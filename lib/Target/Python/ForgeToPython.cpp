//===- ForgeToPython.cpp - writes a Forge Python module -------------------===//

#include "EmissionPlan.h"
#include "Layers/NameTemplate.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Target/Artifact/Weights.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace forge;

// The fixed text of a module, whose class is ModuleClass.
static constexpr StringLiteral kModule =
#include "module.inc"
    ;
// The case of weights that may stay in files of the model, and the function that it calls.
static constexpr StringLiteral kModelWeightCase = R"python(            elif "file" in weight:
                value = read_weight(weight)
)python";
static constexpr StringLiteral kModelWeight =
#include "read_weight.inc"
    ;
// The case of weights that are computed on loading, and the function that it calls. If no weight stays in files of the
// model, the function has kStoredSourceCase instead of kModelSourceCase.
static constexpr StringLiteral kComputedWeightCase = R"python(            elif "steps" in weight:
                value = computed_weight(weight, weights).expand(weight["shape"]).contiguous()
)python";
static constexpr StringLiteral kComputedWeight =
#include "computed_weight.inc"
    ;
static constexpr StringLiteral kModelSourceCase = R"python(    if "file" in step:
        value = read_weight({**step, "name": name, "dtype": raw, "shape": [-1]})
    else:
        value = weights.get_tensor(step["tensor"])
)python";
static constexpr StringLiteral kStoredSourceCase = R"python(    value = weights.get_tensor(step["tensor"])
)python";

std::string forge::filled(StringRef text, ArrayRef<std::pair<StringRef, std::string>> values) {
  std::string result = text.str();
  for (const auto &[name, value] : values) {
    assert(StringRef(result).contains(name) && "the text has no such part");
    for (size_t at = 0; (at = result.find(name, at)) != std::string::npos; at += value.size())
      result.replace(at, name.size(), value);
  }
  return result;
}

namespace {
/// Formats an EmissionPlan: does not change the IR and does not choose names.
class ModulePrinter {
public:
  ModulePrinter(const EmissionPlan &plan, bool readsModelFiles)
      : plan(plan), readsModelFiles(readsModelFiles), os(printed.python) {}

  PrintedModule print() && {
    auto [imports, loader] = kModule.split("class ModuleClass(ForgeModule):\n");
    printDocstring();
    os << "\n" << imports;
    printInit();
    auto inputs = llvm::map_to_vector(plan.inputs, [](const PlannedTensor &input) { return input.name; });
    printFunction("forward", "", inputs, plan.forward);
    for (const PlannedMethod &method : plan.methods)
      printFunction(method.name, "        \"\"\"" + method.purpose + "\"\"\"\n", method.parameters, method.body);
    printLoader(loader);
    return std::move(printed);
  }

private:
  void printDocstring() {
    os << "\"\"\"Forge module " << plan.className << ", compiled from ONNX by forge-mlir.\n\n" << kAfterAnEdit;
    printTensors("Inputs", plan.inputs, [](size_t, const PlannedTensor &input) { return input.name; });
    printTensors("Outputs", plan.outputs, [](size_t i, const PlannedTensor &) { return std::to_string(i); });
    SmallVector<std::string> loopback;
    for (auto [i, output] : llvm::enumerate(plan.outputs))
      if (output.loopback)
        loopback.push_back("'" + plan.inputs[*output.loopback].name + "': " + std::to_string(i));
    if (!loopback.empty())
      os << "\nCaches stay on the device with this CompilerConfig.loopback_outputs:\n    {"
         << llvm::join(loopback, ", ") << "}\n";
    os << "\"\"\"\n";
  }

  void printTensors(StringRef title, ArrayRef<PlannedTensor> tensors,
                    llvm::function_ref<std::string(size_t, const PlannedTensor &)> label) {
    os << "\n" << title << (tensors.empty() ? ":\n    none\n" : ":\n");
    for (auto [i, tensor] : llvm::enumerate(tensors))
      os << "    " << label(i, tensor) << ": " << numpyName(tensor.type.getElementType()) << " "
         << pyList(tensor.type.getShape()) << ", ONNX '" << pyDocText(escaped(tensor.onnxName)) << "'\n";
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

  void printLoader(StringRef loader) {
    bool computes =
        llvm::any_of(plan.weights, [&](const auto &entry) { return isComputedOnLoad(plan.computed, entry.first); });
    SmallVector<std::pair<StringRef, std::string>> changes{{"ModuleClass", plan.className}};
    if (!readsModelFiles)
      changes.append({{kModelWeightCase, ""}});
    if (!computes)
      changes.append({{kComputedWeightCase, ""}});
    os << "\n" << filled(loader, changes);
    if (readsModelFiles)
      os << "\n\n" << kModelWeight;
    if (computes)
      os << "\n\n"
         << (readsModelFiles ? kComputedWeight.str()
                             : filled(kComputedWeight, {{kModelSourceCase, kStoredSourceCase.str()}}));
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
