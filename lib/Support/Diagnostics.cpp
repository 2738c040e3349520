//===- Diagnostics.cpp - errors and warnings with codes -------------------===//

#include "forge/Support/Diagnostics.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kCodeFact = "code";

std::string forge::codeText(Code code) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("FM%04u", static_cast<unsigned>(code));
  return text;
}

static std::string prefix(StringRef code) { return ("[" + code + "] ").str(); }

static InFlightDiagnostic withCode(InFlightDiagnostic diagnostic, Location loc, Code code,
                                   ArrayRef<NamedAttribute> facts = {}) {
  Builder builder(loc.getContext());
  NamedAttrList list(facts);
  list.set(kCodeFact, builder.getStringAttr(codeText(code)));
  Attribute dictionary = list.getDictionary(builder.getContext());
  diagnostic.getUnderlyingDiagnostic()->getMetadata().emplace_back(dictionary);
  diagnostic << prefix(codeText(code));
  return diagnostic;
}

InFlightDiagnostic forge::emitError(Location loc, Code code, ArrayRef<NamedAttribute> facts) {
  return withCode(mlir::emitError(loc), loc, code, facts);
}

InFlightDiagnostic forge::emitError(Operation *op, Code code) { return withCode(op->emitError(), op->getLoc(), code); }

InFlightDiagnostic forge::emitRemark(Location loc, Code code, ArrayRef<NamedAttribute> facts) {
  return withCode(mlir::emitRemark(loc), loc, code, facts);
}

InFlightDiagnostic forge::emitWarning(Location loc, Code code) { return withCode(mlir::emitWarning(loc), loc, code); }

DictionaryAttr forge::factsOf(Diagnostic &diagnostic) {
  for (const DiagnosticArgument &argument : diagnostic.getMetadata())
    if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      if (auto facts = dyn_cast<DictionaryAttr>(argument.getAsAttribute()); facts && facts.contains(kCodeFact))
        return facts;
  return {};
}

std::string forge::messageOf(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  StringRef message = text;
  if (DictionaryAttr facts = factsOf(diagnostic))
    message.consume_front(prefix(facts.getAs<StringAttr>(kCodeFact).getValue()));
  return message.str();
}
