//===- Report.cpp - diagnostics on their way to Python --------------------===//

#include "Report.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

static StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note: return "note";
  case DiagnosticSeverity::Warning: return "warning";
  case DiagnosticSeverity::Remark: return "remark";
  case DiagnosticSeverity::Error: return "error";
  }
  return "error";
}

static Text stringFact(DictionaryAttr facts, StringRef name) {
  auto value = facts.getAs<StringAttr>(name);
  return {value ? value.getValue().str() : ""};
}

static std::vector<Text> listFact(DictionaryAttr facts, StringRef name) {
  std::vector<Text> list;
  if (auto values = facts.getAs<ArrayAttr>(name))
    for (Attribute value : values) {
      auto string = dyn_cast<StringAttr>(value);
      list.push_back({string ? string.getValue().str() : printed(cast<TypeAttr>(value).getValue())});
    }
  return list;
}

Report reportOf(Diagnostic &diagnostic) {
  Report report;
  Location loc = diagnostic.getLocation();
  report.severity = severityName(diagnostic.getSeverity()).str();
  report.message.bytes = forge::messageOf(diagnostic);
  report.onnxNode.bytes = forge::nodeName(loc).str();
  report.location.bytes = isa<UnknownLoc>(loc) ? "" : printed(loc);
  for (Diagnostic &note : diagnostic.getNotes())
    report.notes.push_back({note.str()});
  if (DictionaryAttr facts = forge::factsOf(diagnostic)) {
    report.code = stringFact(facts, "code").bytes;
    report.op = stringFact(facts, "op");
    report.domain = stringFact(facts, "domain");
    report.reason = stringFact(facts, "reason");
    report.operands = listFact(facts, "operands");
    report.bind = listFact(facts, "bind");
    if (auto opset = facts.getAs<IntegerAttr>("opset"))
      report.opset = opset.getInt();
  } else if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
    report.code = forge::codeText(forge::Code::InvalidIr); // From MLIR's parser and verifiers.
  }
  return report;
}
