//===- Report.h - diagnostics on their way to Python ------------*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_REPORT_H
#define FORGE_PYTHON_NATIVE_REPORT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

/// Untrusted text of a model; bytes that are not UTF-8 are escaped in Python.
struct Text {
  std::string bytes;
};

/// A diagnostic without references to an MLIR context, with the fields of forge_mlir.errors.Diagnostic.
struct Report {
  std::string severity, code;
  Text message, onnxNode, op, domain, reason;
  int64_t opset = 0;
  std::vector<Text> operands, bind;
  Text location;
  std::vector<Text> notes;
};

/// Converts a diagnostic.
Report reportOf(mlir::Diagnostic &diagnostic);

/// The text of `value` as MLIR prints it.
template <typename T>
std::string printed(T value) {
  std::string result;
  llvm::raw_string_ostream(result) << value;
  return result;
}

template <>
struct nanobind::detail::type_caster<Text> {
  NB_TYPE_CASTER(Text, const_name("str"))

  static handle from_cpp(const Text &text, rv_policy, cleanup_list *) noexcept {
    return PyUnicode_DecodeUTF8(text.bytes.data(), text.bytes.size(), "backslashreplace");
  }
};

template <>
struct nanobind::detail::type_caster<Report> {
  NB_TYPE_CASTER(Report, const_name("dict[str, object]"))

  static handle from_cpp(const Report &report, rv_policy, cleanup_list *) {
    nanobind::dict fields;
    fields["severity"] = report.severity;
    fields["code"] = report.code;
    fields["message"] = report.message;
    fields["onnx_node"] = report.onnxNode;
    fields["op"] = report.op;
    fields["domain"] = report.domain;
    fields["opset"] = report.opset;
    fields["operands"] = report.operands;
    fields["reason"] = report.reason;
    fields["bind"] = report.bind;
    fields["location"] = report.location;
    fields["notes"] = report.notes;
    return fields.release();
  }
};

#endif // FORGE_PYTHON_NATIVE_REPORT_H
