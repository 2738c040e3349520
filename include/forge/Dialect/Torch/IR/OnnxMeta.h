//===- OnnxMeta.h - the attributes of imported ONNX nodes -------*- C++ -*-===//
//
// `torch.onnx.*` are an ONNX node's own attributes, `torch.onnx_meta.*` what the importer adds to them.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_TORCH_IR_ONNXMETA_H
#define FORGE_DIALECT_TORCH_IR_ONNXMETA_H

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace forge::torch {

/// The prefix of the names of the attributes of an ONNX node.
inline constexpr llvm::StringLiteral kAttrPrefix = "torch.onnx.";
/// On an onnx.Constant: its tensor.
inline constexpr llvm::StringLiteral kValueAttr = "torch.onnx.value";

/// On a function: the opset of the default domain.
inline constexpr llvm::StringLiteral kOpsetAttr = "torch.onnx_meta.opset_version";
/// On a function: a dictionary of the opsets of the other domains.
inline constexpr llvm::StringLiteral kOpsetsAttr = "torch.onnx_meta.opset_versions";
/// On a node: its domain. Without it the domain is the default one, unless the model has several.
inline constexpr llvm::StringLiteral kDomainAttr = "torch.onnx_meta.domain";
/// On a node: the opset of its domain, where it is not the model's. Nodes from function bodies keep their own.
inline constexpr llvm::StringLiteral kNodeOpsetAttr = "torch.onnx_meta.opset";
/// On a node: the names of its outputs, on request.
inline constexpr llvm::StringLiteral kResultNamesAttr = "torch.onnx_meta.results";
/// Beside it: the numbers of the outputs that are scalars, because the IR's types write an unknown rank the same way.
inline constexpr llvm::StringLiteral kScalarResultsAttr = "torch.onnx_meta.scalar_results";

/// On a node: the numbers of the outputs whose shapes the model declares, and nothing confirms.
inline constexpr llvm::StringLiteral kHintedResultsAttr = "torch.onnx_meta.hinted_results";

/// On a node: the names of the attributes that its subgraphs are, in their order. Without it, the ones that the op must
/// have.
inline constexpr llvm::StringLiteral kSubgraphsAttr = "torch.onnx_meta.subgraphs";

/// Whether a function is an importer's: it has torch types or ops.
bool isImported(mlir::FunctionOpInterface func);
/// Whether a result of an ONNX node is a scalar for certain.
bool isScalarResult(mlir::OpResult result);
/// Whether the shape of a result's type is a hint.
bool isHintedResult(mlir::OpResult result);

} // namespace forge::torch

#endif // FORGE_DIALECT_TORCH_IR_ONNXMETA_H
