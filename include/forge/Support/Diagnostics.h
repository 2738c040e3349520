//===- Diagnostics.h - errors and warnings with codes -----------*- C++ -*-===//
//
// A diagnostic with a code has two forms: its text begins with "[FM1001] ", and its metadata is a dictionary for tools,
// with the code and the facts that the text states. python/forge_mlir/diagnostics.toml lists the codes, with their
// causes and remedies.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_SUPPORT_DIAGNOSTICS_H
#define FORGE_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

#include <string>

namespace forge {

/// The kind of a diagnostic.
enum class Code : uint16_t {
#define DIAGNOSTIC_CODE(name, number) name = number,
#include "forge/Support/DiagnosticCodes.inc"
#undef DIAGNOSTIC_CODE
};

/// The reason of a refusal.
struct Refusal {
  Code code;
  std::string reason;
};

/// "FM1001".
std::string codeText(Code code);

/// An error at `loc`. `facts` are for tools; strings in them are not escaped.
mlir::InFlightDiagnostic emitError(mlir::Location loc, Code code, llvm::ArrayRef<mlir::NamedAttribute> facts = {});
/// An error at the location of `op`.
mlir::InFlightDiagnostic emitError(mlir::Operation *op, Code code);
/// A remark: information that is not a fault.
mlir::InFlightDiagnostic emitRemark(mlir::Location loc, Code code, llvm::ArrayRef<mlir::NamedAttribute> facts = {});
mlir::InFlightDiagnostic emitWarning(mlir::Location loc, Code code);

/// The dictionary for tools: the code as "code", and the facts. Null for a diagnostic without a code.
mlir::DictionaryAttr factsOf(mlir::Diagnostic &diagnostic);
/// The text of `diagnostic` without its code.
std::string messageOf(mlir::Diagnostic &diagnostic);

} // namespace forge

#endif // FORGE_SUPPORT_DIAGNOSTICS_H
