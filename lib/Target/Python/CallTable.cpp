//===- CallTable.cpp - the calls of a module as JSON ----------------------===//
//
// The manifest lists the calls of a module, so that its readers need no parser of Python: the statements of `forward`,
// and those of each method once. A call of a method names the ONNX nodes of all calls that are made in it.
//
//===----------------------------------------------------------------------===//

#include "CallTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace forge;

static llvm::json::Array namesJson(ArrayRef<std::string> names) {
  llvm::json::Array result;
  for (const std::string &name : names)
    result.push_back(name);
  return result;
}

// Variables by name; null for weights, numbers of layers and names of nodes.
static llvm::json::Array operandsJson(ArrayRef<std::string> operands) {
  llvm::json::Array result;
  for (StringRef operand : operands) {
    bool isVariable =
        !llvm::isDigit(operand.front()) && llvm::all_of(operand, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    result.push_back(isVariable ? llvm::json::Value(operand) : llvm::json::Value(nullptr));
  }
  return result;
}

static llvm::json::Array bodyJson(const PlannedBody &body, ArrayRef<unsigned> lines) {
  llvm::json::Array rows;
  for (auto [call, line] : llvm::zip_equal(body.calls, lines)) {
    llvm::json::Object row{
        {"line", line}, {"variables", namesJson(call.targets)}, {"operands", operandsJson(call.operands)}};
    if (auto op = dyn_cast_if_present<ForgeCallOpInterface>(call.op))
      row["op"] = op.getCallee();
    else
      row["method"] = call.method;
    if (!call.loopNumbers.empty())
      row["loop"] = llvm::json::Array(call.loopNumbers);
    rows.push_back(std::move(row));
  }
  return rows;
}

void forge::addCallTable(llvm::json::Object &manifest, const EmissionPlan &plan, const PrintedModule &printed) {
  llvm::json::Array forward = bodyJson(plan.forward, printed.lines.front());
  for (auto [row, call] : llvm::zip_equal(forward, plan.forward.calls)) {
    llvm::json::Array nodes;
    for (Operation *op : call.made())
      nodes.push_back(llvm::json::fixUTF8(calledNode(op)));
    (*row.getAsObject())["nodes"] = std::move(nodes);
  }
  llvm::json::Object methods;
  for (auto [method, lines] : llvm::zip_equal(plan.methods, ArrayRef(printed.lines).drop_front()))
    methods[method.name] = llvm::json::Object{{"parameters", namesJson(method.parameters)},
                                              {"calls", bodyJson(method.body, lines)},
                                              {"returns", namesJson(method.body.returned)}};
  manifest["calls"] = llvm::json::Object{{"forward", std::move(forward)}, {"methods", std::move(methods)}};
  auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(printed.python));
  manifest["calls_of_sha256"] = llvm::toHex(digest, /*LowerCase=*/true);
}
