//===- Diagnostics.h - errors and warnings with codes -----------*- C++ -*-===//
//
// A diagnostic with a code says it twice: its text begins with "[FM1001] " for people, and its metadata holds a
// dictionary for tools, with the code and the facts that the text is made of. The table of codes, with causes and
// cures, is python/forge_mlir/diagnostics.toml.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_SUPPORT_DIAGNOSTICS_H
#define FORGE_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

#include <string>

namespace forge {

/// What a diagnostic is about.
enum class Code : uint16_t {
#define DIAGNOSTIC_CODE(name, number) name = number,
#include "forge/Support/DiagnosticCodes.inc"
#undef DIAGNOSTIC_CODE
};

/// Why something is refused.
struct Refusal {
  Code code;
  std::string reason;
};

/// "FM1001".
std::string codeText(Code code);

/// An error at `loc`. `facts` are for tools: strings in them are not escaped.
mlir::InFlightDiagnostic emitError(mlir::Location loc, Code code, llvm::ArrayRef<mlir::NamedAttribute> facts = {});
/// An error at the location of `op`.
mlir::InFlightDiagnostic emitError(mlir::Operation *op, Code code);
/// A remark: something to know, and no fault.
mlir::InFlightDiagnostic emitRemark(mlir::Location loc, Code code, llvm::ArrayRef<mlir::NamedAttribute> facts = {});
mlir::InFlightDiagnostic emitWarning(mlir::Location loc, Code code);

/// What tools may know of `diagnostic`: its code as "code", and its facts. Null when it has no code.
mlir::DictionaryAttr factsOf(mlir::Diagnostic &diagnostic);
/// The text of `diagnostic` without its code.
std::string messageOf(mlir::Diagnostic &diagnostic);

} // namespace forge

#endif // FORGE_SUPPORT_DIAGNOSTICS_H
