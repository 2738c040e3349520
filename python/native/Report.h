//===- Report.h - diagnostics for Python ------------------------*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_REPORT_H
#define FORGE_PYTHON_NATIVE_REPORT_H

#include "mlir/IR/Diagnostics.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

/// Text that may come from a hostile model; bytes that are no UTF-8 are escaped on their way to Python.
struct Text {
  std::string bytes;
};

/// What was reported, free of any MLIR context; the fields of forge_mlir.errors.Diagnostic.
struct Report {
  std::string severity, code;
  Text message, onnxNode, op, domain, reason;
  int64_t opset = 0;
  std::vector<Text> operands, bind;
  Text location;
  std::vector<Text> notes;
};

Report reportOf(mlir::Diagnostic &diagnostic);

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
    nanobind::dict dict;
    dict["severity"] = report.severity;
    dict["code"] = report.code;
    dict["message"] = report.message;
    dict["onnx_node"] = report.onnxNode;
    dict["op"] = report.op;
    dict["domain"] = report.domain;
    dict["opset"] = report.opset;
    dict["operands"] = report.operands;
    dict["reason"] = report.reason;
    dict["bind"] = report.bind;
    dict["location"] = report.location;
    dict["notes"] = report.notes;
    return dict.release();
  }
};

#endif // FORGE_PYTHON_NATIVE_REPORT_H
