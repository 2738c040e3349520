//===- ForgeBuilder.h - builds forge ops inside converters ------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_FORGEBUILDER_H
#define FORGE_CONVERSION_ONNXTOFORGE_FORGEBUILDER_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// An operand that may be absent. In contrast, a null `mlir::Value` operand means that its producer was refused.
struct OptionalOperand {
  mlir::Value value;
  operator mlir::Value() const { return value; }
};

inline mlir::Type elementOf(mlir::Value tensor) { return tensorType(tensor).getElementType(); }
inline int64_t rankOf(mlir::Value tensor) { return tensorType(tensor).getRank(); }
inline int64_t numElements(mlir::Value tensor) { return tensorType(tensor).getNumElements(); }
/// The concatenation of two lists of sizes.
llvm::SmallVector<int64_t> concatShapes(llvm::ArrayRef<int64_t> leading, llvm::ArrayRef<int64_t> trailing);
/// Sizes of 1, except for `size` at `axis`.
llvm::SmallVector<int64_t> sizesAlong(int64_t rank, int64_t axis, int64_t size);
/// `shape` with another size of `axis`, with a new axis of size 1 before `axis`, and without `axis`.
llvm::SmallVector<int64_t> withSize(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t size);
llvm::SmallVector<int64_t> withAxis(llvm::ArrayRef<int64_t> shape, int64_t axis);
llvm::SmallVector<int64_t> withoutAxis(llvm::ArrayRef<int64_t> shape, int64_t axis);
/// `shape` as a matrix: the sizes before `axis`, and those from it on, multiplied.
llvm::SmallVector<int64_t> flattenedAt(llvm::ArrayRef<int64_t> shape, int64_t axis);
/// 0, 1, ..., `count` - 1: all axes of a tensor of rank `count`, or the identity permutation.
inline llvm::SmallVector<int64_t> allAxes(int64_t count) { return llvm::to_vector(llvm::seq<int64_t>(0, count)); }
/// The elements of `value` if it is a constant; null otherwise and for a null value.
mlir::DenseElementsAttr knownValue(mlir::Value value);

/// A double as the f32 attribute of an op.
inline llvm::APFloat f32(double value) { return llvm::APFloat(static_cast<float>(value)); }

/// Builds forge ops at one location, with inferred types.
///
/// A null value means that its producer was refused. Every method returns null when an operand is null, so that a
/// converter needs no checks between its ops. A violated constraint is reported by `onError` and gives null too.
class ForgeBuilder {
public:
  using ErrorHandler = llvm::function_ref<void(Code, const llvm::Twine &)>;

  /// Ops on constants are evaluated when their results take at most `foldLimit` bytes.
  ForgeBuilder(mlir::OpBuilder &builder, mlir::Location loc, int64_t foldLimit, ErrorHandler onError)
      : builder(builder), loc(loc), foldLimit(foldLimit), onError(onError) {}

  /// Creates an `OpTy` with one result; the arguments are in ODS order.
  template <typename OpTy, typename... Args>
  mlir::Value create(Args &&...args) {
    if ((isNull(args) || ...))
      return {};
    mlir::OperationState state(loc, OpTy::getOperationName());
    // The result type is a placeholder until inference has checked the constraints.
    OpTy::build(builder, state, mlir::Type(builder.getNoneType()), std::forward<Args>(args)...);
    llvm::SmallVector<mlir::Value> results = finish(insert<OpTy>(state));
    return results.empty() ? mlir::Value() : results.front();
  }

  /// Creates an op of the forge dialect by name; empty when refused. Checks attributes and operands as its verifier
  /// does.
  llvm::SmallVector<mlir::Value> create(llvm::StringRef opName, llvm::ArrayRef<mlir::Value> operands,
                                        mlir::DictionaryAttr attributes);

  /// All results of forge.split of `operand` along `dim`; empty when refused.
  llvm::SmallVector<mlir::Value> split(mlir::Value operand, int64_t dim, llvm::ArrayRef<int64_t> sizes);

  mlir::Value constant(mlir::DenseElementsAttr value);
  /// A splat of `value`.
  mlir::Value splat(mlir::RankedTensorType type, double value);
  /// A rank-0 constant of the element type of `like`.
  mlir::Value scalarLike(mlir::Value like, double value);
  template <typename Integer, typename = std::enable_if_t<std::is_integral_v<Integer>>>
  mlir::Value scalarLike(mlir::Value like, Integer value) {
    return scalarLike(like, static_cast<double>(value));
  }
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  /// A constant of f32 `values`.
  mlir::Value floats(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values);

  /// A constant with the number that `numberAt` gives for the index of each element.
  mlir::Value tabulate(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                       llvm::function_ref<double(llvm::ArrayRef<int64_t>)> numberAt);

  /// Casts `operand`, unless it has the element type already.
  mlir::Value cast(mlir::Value operand, mlir::Type elementType);
  /// Reshapes `operand`, unless it has the shape already.
  mlir::Value reshape(mlir::Value operand, llvm::ArrayRef<int64_t> shape);
  /// Result axis i is operand axis perm[i]; one forge.transpose per swapped pair.
  mlir::Value transpose(mlir::Value operand, llvm::ArrayRef<int64_t> perm);
  /// Swaps two axes.
  mlir::Value swapAxes(mlir::Value operand, int64_t first, int64_t second);
  /// Broadcasts size-1 axes, and adds leading axes, up to `shape`.
  mlir::Value expand(mlir::Value operand, llvm::ArrayRef<int64_t> shape);
  /// Concatenates operands along `axis`. Operands without elements are left out.
  mlir::Value concatenate(llvm::ArrayRef<mlir::Value> operands, int64_t axis);
  /// The slice [begin, end) of one axis, with stride 1.
  mlir::Value slice(mlir::Value operand, int64_t axis, int64_t begin, int64_t end);
  /// Consecutive slices of one axis, which have these sizes and start at element 0. Null values when refused.
  llvm::SmallVector<mlir::Value> slices(mlir::Value operand, int64_t axis, llvm::ArrayRef<int64_t> sizes);
  /// Pads with one value; `before` and `after` have one entry per axis.
  mlir::Value pad(mlir::Value operand, llvm::ArrayRef<int64_t> before, llvm::ArrayRef<int64_t> after, double value);
  /// The window of `operand` that starts `before` elements before each axis and ends `after` elements after it.
  /// Negative amounts crop. Elements outside of the operand have the value of `fill`, which has one element.
  mlir::Value window(mlir::Value operand, llvm::ArrayRef<int64_t> before, llvm::ArrayRef<int64_t> after,
                     mlir::Value fill);
  /// Gathers `operand` along `axis` at constant `indices`, each in [0, size).
  mlir::Value take(mlir::Value operand, int64_t axis, llvm::ArrayRef<int64_t> indices);
  /// `count` slices of one axis, from `begin` on with a stride.
  mlir::Value stridedSlice(mlir::Value operand, int64_t axis, int64_t begin, int64_t count, int64_t stride);
  /// `begin`, `begin` + 1, ... along `axis`; the other axes have size 1.
  mlir::Value iota(int64_t size, int64_t axis, int64_t rank, mlir::Type elementType, int64_t begin = 0);
  /// A boolean constant [rows, columns], true where `holds(column - row)`.
  mlir::Value diagonals(int64_t rows, int64_t columns, llvm::function_ref<bool(int64_t)> holds);
  /// A forge.matmul without a bias.
  mlir::Value matmul(mlir::Value a, mlir::Value b) { return create<MatmulOp>(a, b, OptionalOperand()); }
  /// Reduces each of `axes` with single-axis `OpTy` calls.
  template <typename OpTy>
  mlir::Value reduce(mlir::Value operand, llvm::ArrayRef<int64_t> axes, bool keepDims) {
    llvm::SmallVector<int64_t> order(axes);
    // The trailing axes first, so that dropped axes do not change the indices of the others.
    llvm::sort(order, std::greater<>());
    for (int64_t axis : order) {
      if (!operand)
        return {};
      int64_t rank = tensorType(operand).getRank();
      operand = create<OpTy>(operand, reductionDim(axis, rank).value_or(axis), keepDims);
    }
    return operand;
  }
  /// A comparison as a boolean tensor; the result of `OpTy` is 0 or 1 in the type of its operands.
  template <typename OpTy>
  mlir::Value compare(mlir::Value a, mlir::Value b) {
    return cast(create<OpTy>(a, b), builder.getI1Type());
  }
  /// The negation of a boolean tensor.
  mlir::Value logicalNot(mlir::Value operand);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Type getF32Type() { return builder.getF32Type(); }
  mlir::Type getI1Type() { return builder.getI1Type(); }
  mlir::Type getI32Type() { return builder.getI32Type(); }
  mlir::Type getI64Type() { return builder.getI64Type(); }
  mlir::Location getLoc() const { return loc; }
  void error(Code code, const llvm::Twine &message) { onError(code, message); }

private:
  static bool isNull(const mlir::Value &value) { return !value; }
  static bool isNull(llvm::ArrayRef<mlir::Value> values) { return llvm::is_contained(values, mlir::Value()); }
  static bool isNull(const llvm::SmallVector<mlir::Value> &values) { return isNull(llvm::ArrayRef(values)); }
  template <typename T>
  static bool isNull(const T &) {
    return false;
  }

  template <typename OpTy>
  mlir::Operation *insert(mlir::OperationState &state) {
    auto infer = [&](std::optional<mlir::Location> where, llvm::SmallVectorImpl<mlir::Type> &types) {
      return OpTy::inferReturnTypes(builder.getContext(), where, state.operands,
                                    state.attributes.getDictionary(builder.getContext()), state.getRawProperties(), {},
                                    types);
    };
    return insertInferred(state, infer);
  }
  using Infer =
      llvm::function_ref<mlir::LogicalResult(std::optional<mlir::Location>, llvm::SmallVectorImpl<mlir::Type> &)>;
  mlir::Operation *insertInferred(mlir::OperationState &state, Infer infer);
  /// The results of `op`, or the constants that it folds to.
  llvm::SmallVector<mlir::Value> finish(mlir::Operation *op);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t foldLimit;
  ErrorHandler onError;
};

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_FORGEBUILDER_H
