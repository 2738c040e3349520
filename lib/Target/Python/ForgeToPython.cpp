//===- ForgeToPython.cpp - writes a Forge Python module -------------------===//
//
// The printer reads an EmissionPlan and writes text. It changes no IR and makes no name.
//
//===----------------------------------------------------------------------===//

#include "forge/Target/Python/ForgeToPython.h"

#include "EmissionPlan.h"
#include "Templates.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace forge;

static StringRef dataFormat(Type element) {
  if (element.isF16())
    return "forge.DataFormat.Float16";
  if (element.isBF16())
    return "forge.DataFormat.Float16_b";
  return isa<FloatType>(element) ? "forge.DataFormat.Float32" : "forge.DataFormat.Int32";
}

namespace {
class ModulePrinter {
public:
  ModulePrinter(const EmissionPlan &plan, llvm::raw_ostream &os) : plan(plan), os(os) {}

  void print();

private:
  void printDocstring();
  void printInit();
  void printForward();
  void printCall(ForgeCallOpInterface call);
  std::string attribute(ForgeCallOpInterface call, StringRef name, Attribute value) const;
  std::string operand(Value value) const;

  const EmissionPlan &plan;
  llvm::raw_ostream &os;
};
} // namespace

static std::string typeText(RankedTensorType type) {
  std::string text = torchDtype(type.getElementType()).str() + " [";
  llvm::raw_string_ostream stream(text);
  llvm::interleave(type.getShape(), stream, ", ");
  return text + "]";
}

void ModulePrinter::printDocstring() {
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
  os << "\"\"\"\n";
}

void ModulePrinter::printInit() {
  os << "class " << plan.className << "(ForgeModule):\n"
     << "    def __init__(self, name=" << pyString(plan.moduleName) << "):\n"
     << "        super().__init__(name)\n";
  for (const auto &[op, weight] : plan.weights) {
    if (weight.isParameter)
      os << "        self.add_parameter(" << pyString(weight.name) << ", forge.Parameter("
         << pyArguments(weight.type.getShape())
         << ", requires_grad=False, dev_data_format=" << dataFormat(weight.type.getElementType()) << "))\n";
    else
      os << "        self.add_constant(" << pyString(weight.name) << ", shape=" << pyTuple(weight.type.getShape())
         << ", dtype=torch." << torchDtype(weight.type.getElementType()) << ")\n";
  }
}

std::string ModulePrinter::operand(Value value) const {
  if (auto weight = plan.weights.find(value.getDefiningOp()); value.getDefiningOp() && weight != plan.weights.end())
    return (weight->second.isParameter ? "self.get_parameter(" : "self.get_constant(") + pyString(weight->second.name) +
           ")";
  return plan.variables.lookup(value);
}

std::string ModulePrinter::attribute(ForgeCallOpInterface call, StringRef name, Attribute value) const {
  if (auto flag = dyn_cast<BoolAttr>(value))
    return pyBool(flag.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return std::to_string(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(value))
    return pyFloat(number.getValue().convertToFloat());
  if (auto text = dyn_cast<StringAttr>(value))
    return pyString(text.getValue());
  if (auto type = dyn_cast<TypeAttr>(value))
    return dataFormat(type.getValue()).str();
  ArrayRef<int64_t> list = cast<DenseI64ArrayAttr>(value).asArrayRef();
  return call.isTuple(name) ? pyTuple(list) : pyList(list);
}

void ModulePrinter::printCall(ForgeCallOpInterface call) {
  Operation *op = call.getOperation();
  os << "        " << plan.variables.lookup(op->getResult(0)) << " = " << call.getCallee() << "(\"\"";
  for (Value value : op->getOperands())
    os << ", " << operand(value);
  for (StringRef name : call.getArgumentOrder())
    if (Attribute value = op->getInherentAttr(name).value_or(Attribute()))
      os << ", " << name << "=" << attribute(call, name, value);
  os << ")";
  if (StringRef node = nodeName(op->getLoc()); !node.empty() && !isa<ScalarConstantOp>(op))
    os << ".set_src_layer(" << pyString(node) << ")";
  os << "\n";
  auto released = plan.releases.find(op);
  if (released != plan.releases.end())
    for (Value value : released->second)
      os << "        " << plan.variables.lookup(value) << "._value = None\n";
}

void ModulePrinter::printForward() {
  os << "\n    def forward(self";
  for (const PlannedTensor &input : plan.inputs)
    os << ", " << input.name;
  os << "):\n";
  for (Operation &op : *plan.body)
    if (plan.isCall(op))
      printCall(cast<ForgeCallOpInterface>(op));
  os << "        return ";
  auto outputs = plan.body->getTerminator()->getOperands();
  llvm::interleave(outputs, os, [&](Value value) { os << operand(value); }, ", ");
  os << (outputs.empty() ? "()\n" : "\n");
}

void ModulePrinter::print() {
  printDocstring();
  os << kImports << "\n\n";
  printInit();
  printForward();
  os << kLoader << plan.className << kLoaderEnd;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<EmittedModule> forge::emitDevice(func::FuncOp func, StringRef name) {
  if (failed(verifyEmittable(func)))
    return failure();
  EmissionPlan plan(func, name);
  EmittedModule emitted{plan.moduleName, "", writeManifest(plan), {}};
  llvm::raw_string_ostream os(emitted.python);
  ModulePrinter(plan, os).print();
  return emitted;
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

FailureOr<EmittedModule> forge::emitPython(ModuleOp module, StringRef name) {
  FailureOr<func::FuncOp> entry = entryFunction(module);
  if (failed(entry))
    return failure();
  StringRef stem = nameOf(*entry, name);
  return partitionKind(*entry) == "driver" ? emitPartitionedModel(*entry, stem) : emitDevice(*entry, stem);
}
