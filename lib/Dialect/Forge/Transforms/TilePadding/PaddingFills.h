//===- PaddingFills.h - fills of tile padding as forge ops ------*- C++ -*-===//
//
// A fill is a forge.pad to the next multiple of the tile, at the end of the last two axes: what was padding becomes
// elements, so that no later pass or kernel can lose the value. The reader computes on the larger shape, and
// forge.index crops its result where that keeps the axis. (Forge's ConstantPad does the same, but cannot be called
// as shipped.)
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_TILEPADDING_PADDINGFILLS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_TILEPADDING_PADDINGFILLS_H

#include "forge/Dialect/Forge/Analysis/TilePadding.h"
#include "mlir/IR/Builders.h"

#include <functional>

namespace forge {

/// One value, or copies of the last element of the fibre.
struct Fill {
  double value = 0;
  bool replicate = false;

  std::string str() const;
  friend bool operator==(const Fill &a, const Fill &b) { return a.value == b.value && a.replicate == b.replicate; }
};

/// The fill that satisfies `need` for elements of this type; nothing where there is none.
std::optional<Fill> fillFor(const itd::FillRequirement &need, mlir::Type element, TilePaddingRow reader);

/// Creates ops at one place and shows each of them to a listener.
class PaddingFillBuilder {
public:
  using Listener = std::function<void(mlir::Operation *)>;
  PaddingFillBuilder(mlir::Operation *before, Listener created)
      : builder(before), loc(before->getLoc()), created(std::move(created)) {}

  /// `value` with the rows, the columns or both filled up to whole tiles; a vector stays one unless rows are filled.
  mlir::FailureOr<mlir::Value> pad(mlir::Value value, bool rows, bool cols, Fill fill);
  /// The leading part of `value` that has this shape.
  mlir::Value crop(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// sum(padded) / count along `dim`; 16-bit sums are made in f32, as means are.
  mlir::Value mean(mlir::Value padded, int64_t dim, int64_t count, bool keepDim);
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value scalar(double number, mlir::Type element);

  template <typename OpTy, typename... Args>
  OpTy make(Args &&...args) {
    OpTy op = OpTy::create(builder, loc, std::forward<Args>(args)...);
    created(op);
    return op;
  }

private:
  mlir::OpBuilder builder;
  mlir::Location loc;
  Listener created;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_TILEPADDING_PADDINGFILLS_H
