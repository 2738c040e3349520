//===- FloatFormat.cpp - the float format that a program computes in ------===//
//
// Converts a function to a 16-bit format, "the format", except for ops that stay in Float32 ("wide"): FloatPrecision
// says which need Float32, and CastPlacement where casts are.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "FloatPrecision.h"
#include "Requirements.h"
#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"

#include <algorithm>
#include <cmath>

#define GEN_PASS_DEF_FORGEFLOATFORMATPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

static Type elementOf(Value value) { return tensorType(value).getElementType(); }

// Clamps finite numbers to the range of `format`. A mask of -3.4e38, rounded to bfloat16, would be an infinity, so that
// the softmax of a row that is masked completely would be NaN.
static double saturated(double value, FloatType format) {
  double most = APFloat::getLargest(format.getFloatSemantics()).convertToDouble();
  return std::isfinite(value) ? std::clamp(value, -most, most) : value;
}

static APFloat saturated(const APFloat &number, FloatType format) {
  return APFloat(static_cast<float>(saturated(number.convertToDouble(), format)));
}

namespace {
// Converts each op of a function to its float format, which CastPlacement chooses, and inserts casts of operands. A
// value is cast at most once to each format, right after its definition.
class FloatFormatter {
public:
  FloatFormatter(func::FuncOp func, ReportingPass &pass, FloatType format, bool nativeOutputs)
      : func(func), pass(pass), builder(func.getContext()), wideFormat(builder.getF32Type()), format(format),
        nativeOutputs(nativeOutputs) {}

  /// Clamps constants, bounds of clips and values of pads to the range of the 16-bit format even in Float32, because
  /// results may be cast later: (1 - mask) * -3.4e38 is cast where it is added to attention scores.
  void saturateConstants() {
    for (Operation &op : llvm::make_early_inc_range(func.front().without_terminator())) {
      if (auto clip = dyn_cast<ClipOp>(op); clip && elementOf(clip) == wideFormat) {
        clip.setMin(saturated(clip.getMin(), format));
        clip.setMax(saturated(clip.getMax(), format));
      }
      if (auto pad = dyn_cast<PadOp>(op); pad && elementOf(pad) == wideFormat)
        pad.setValue(saturated(pad.getValue(), format));
      if (isa<ConstantOp, ScalarConstantOp>(op) && elementOf(op.getResult(0)) == wideFormat && exceedsFormat(&op)) {
        builder.setInsertionPoint(&op);
        op.getResult(0).replaceAllUsesWith(convertedConstant(op.getResult(0), wideFormat, format));
        op.erase();
      }
    }
  }

  /// Converts the function. `precision` tells which ops need Float32.
  LogicalResult run(const FloatPrecision &precision) {
    CastPlacement placement = CastPlacement::of(func, precision, nativeOutputs);
    for (BlockArgument argument : func.getArguments())
      if (placement.narrow.contains(argument)) {
        argument.setType(tensorType(argument).clone(format));
        pass.count("inputs-in-format");
      }
    for (Operation &op : llvm::make_early_inc_range(func.front().without_terminator())) {
      bool hasFloats = llvm::any_of(op.getOperands(), isFloat) || llvm::any_of(op.getResults(), isFloat);
      if (!hasFloats || isa<ParameterOp, ConstantOp, ScalarConstantOp>(op) || precision.isComputedWeight(&op))
        continue;
      bool isWide = placement.wide.contains(&op);
      if (isWide)
        leaveNarrow(&op, precision);
      Type element = isWide ? wideFormat : format;
      // The cache that is written keeps its format, whatever is written into it.
      if (recordIfWritesArgument(&op))
        element = elementOf(op.getOperand(0));
      if (failed(rewrite(&op, element)))
        return failure();
    }
    convertOutputs();
    // Casts of the model that have become no-ops.
    for (auto cast : llvm::make_early_inc_range(func.getOps<CastOp>()))
      if (cast.getType() == cast.getOperandA().getType()) {
        cast.getResult().replaceAllUsesWith(cast.getOperandA());
        cast.erase();
      }
    narrowWeights();
    eraseDeadOps(func.front());
    saturateWeights();
    return success();
  }

private:
  /// Whether a finite number of the constant `op` is beyond the range of the 16-bit format.
  bool exceedsFormat(Operation *op) const {
    auto isBeyond = [&](const APFloat &number) {
      return number.isFinite() && saturated(number.convertToDouble(), format) != number.convertToDouble();
    };
    if (auto scalar = dyn_cast<ScalarConstantOp>(op))
      return isBeyond(scalar.getConstant());
    DenseElementsAttr dense;
    return matchPattern(op, m_Constant(&dense)) && llvm::any_of(dense.getValues<APFloat>(), isBeyond);
  }

  /// Whether `op` writes into an argument in place, maybe after other writes. If so, records its result in
  /// `writtenArguments`. The result must have the type of the argument: with a cast between them, the argument would
  /// not be written.
  bool recordIfWritesArgument(Operation *op) {
    if (!isa<FillCacheOp, UpdateCacheOp>(op))
      return false;
    Value cache = op->getOperand(0);
    bool writes = isa<BlockArgument>(cache) || writtenArguments.contains(cache);
    if (writes)
      writtenArguments.insert(op->getResult(0));
    return writes;
  }

  /// Makes `op` compute in `element`: converts its operands, and infers its result types again.
  LogicalResult rewrite(Operation *op, Type element) {
    for (OpOperand &operand : op->getOpOperands())
      if (isFloat(operand.get()) && !narrow.contains(&operand))
        operand.set(inFormat(operand.get(), element));
    if (auto cast = dyn_cast<CastOp>(op); cast && isFloat(cast.getResult()))
      cast.setDtype(element);
    if (failed(inferTypesAgain(op, "forge-float-format")))
      return failure();
    pass.count(element == wideFormat ? "ops-in-float32" : "ops-in-format");
    return success();
  }

  /// For `op`, which computes in Float32: records in `narrow` the operands that it reads in the 16-bit format without a
  /// cast, because the call promotes them. All others are cast later, by rewrite(). At least one operand has to be
  /// Float32, so that the result is:
  /// - If neither of the first two is, the first one is cast (`castsFirst`).
  /// - But of a product that is widened by its bias (RunningSums), only that third operand is Float32
  ///   (`isWidenedByBias`). It is the only op of which FloatPrecision keeps the first two operands in the format.
  void leaveNarrow(Operation *op, const FloatPrecision &precision) {
    if (!FloatPrecision::promotes(op))
      return;
    auto isNarrow = [&](OpOperand &operand) {
      return isFloat(operand.get()) && (elementOf(operand.get()) == format || precision.staysNarrow(operand));
    };
    bool isWidenedByBias = precision.staysNarrow(op->getOpOperand(0)) && precision.staysNarrow(op->getOpOperand(1));
    bool castsFirst = !isWidenedByBias && isNarrow(op->getOpOperand(0)) && isNarrow(op->getOpOperand(1));
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      bool becomesFloat32 = (castsFirst && number == 0) || (isWidenedByBias && number == 2);
      if (isNarrow(operand) && !becomesFloat32) {
        operand.set(inFormat(operand.get(), format));
        narrow.insert(&operand);
      }
    }
  }

  /// `value` in `element`: a converted constant or a cast, made once.
  Value inFormat(Value value, Type element) {
    if (elementOf(value) == element)
      return value;
    Value &found = converted[{value, element}];
    if (found)
      return found;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    found = convertedConstant(value, cast<FloatType>(element), cast<FloatType>(element));
    if (!found) {
      found = CastOp::create(builder, withoutTrace(value.getLoc()), value, element);
      pass.count("casts-placed");
    }
    return found;
  }

  /// Converts a constant to `element` at compile time. Its finite numbers are clamped to those of `range`. Null if
  /// `value` is no constant.
  Value convertedConstant(Value value, FloatType element, FloatType range) {
    if (auto scalar = value.getDefiningOp<ScalarConstantOp>()) {
      return ScalarConstantOp::create(builder, scalar.getLoc(), tensorType(value).clone(element),
                                      saturated(scalar.getConstant(), range), element);
    }
    DenseElementsAttr dense;
    if (!matchPattern(value, m_Constant(&dense)))
      return {};
    DenseElementsAttr narrowed = dense.mapValues(element, [&](const APFloat &number) {
      APFloat result(saturated(number.convertToDouble(), range));
      bool losesInfo;
      result.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      return result.bitcastToAPInt();
    });
    return ConstantOp::create(builder, value.getLoc(), narrowed.getType(), narrowed);
  }

  /// Stores a weight in the 16-bit format if all of its uses are casts to it. For other weights such casts remain, and
  /// are evaluated when the weights file is written.
  void narrowWeights() {
    for (auto parameter : func.getOps<ParameterOp>()) {
      Value weight = parameter.getResult();
      auto readsCast = [&](Operation *user) {
        auto cast = dyn_cast<CastOp>(user);
        return cast && cast.getDtype() == format;
      };
      if (weight.use_empty() || !isFloat(weight) || elementOf(weight) == format ||
          !llvm::all_of(weight.getUsers(), readsCast))
        continue;
      weight.setType(tensorType(weight).clone(format));
      for (Operation *user : llvm::make_early_inc_range(weight.getUsers())) {
        user->getResult(0).replaceAllUsesWith(weight);
        user->erase();
      }
    }
  }

  /// Marks the casts of computed weights to the format. They are evaluated when the weights file is written, and then
  /// clamp finite numbers, as those of constants.
  void saturateWeights() {
    ComputedWeights computed(func.front());
    for (auto cast : func.getOps<CastOp>())
      if (cast.getDtype() == format && computed.contains(cast))
        cast->setAttr(kSaturatesAttr, builder.getUnitAttr());
  }

  /// Casts outputs to the types that the model declares, and updates the type of the function. A written argument keeps
  /// its own type.
  void convertOutputs() {
    Operation *terminator = func.front().getTerminator();
    for (auto [operand, declared] : llvm::zip_equal(terminator->getOpOperands(), func.getResultTypes())) {
      Type element = cast<RankedTensorType>(declared).getElementType();
      if (isa<FloatType>(element) && !nativeOutputs && !writtenArguments.contains(operand.get()))
        operand.set(inFormat(operand.get(), element));
    }
    func.setFunctionType(
        FunctionType::get(func.getContext(), func.front().getArgumentTypes(), terminator->getOperandTypes()));
  }

  func::FuncOp func;
  ReportingPass &pass;
  OpBuilder builder;
  FloatType wideFormat, format;
  bool nativeOutputs;
  DenseMap<std::pair<Value, Type>, Value> converted; ///< values that inFormat() has converted to a type
  llvm::DenseSet<OpOperand *> narrow;                ///< operands in the 16-bit format of ops that compute in Float32
  llvm::DenseSet<Value> writtenArguments;            ///< results of writes into arguments (recordIfWritesArgument)
};

struct ForgeFloatFormatPass : forge::impl::ForgeFloatFormatPassBase<ForgeFloatFormatPass>, ReportingPass {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (floatFormat.empty() || isHostFunction(func))
      return;
    constexpr llvm::StringLiteral kPass = "forge-float-format";
    if (failed(requireOneBlock(func, kPass)) || failed(requireKnownShapes(func, kPass)))
      return signalPassFailure();
    auto format = llvm::StringSwitch<FloatType>(floatFormat)
                      .Cases({"bfloat16", "mixed"}, BFloat16Type::get(&getContext())) // two names of one format
                      .Case("float32", Float32Type::get(&getContext()))
                      .Default(FloatType());
    if (!format) {
      emitError(func, Code::PassOption) << "expected float-format float32, bfloat16 or mixed, but got '" << floatFormat
                                        << "'";
      return signalPassFailure();
    }
    if (!format.isF32())
      scaleAfterConvolutions(func.front(), format, getAnalysis<ComputedWeights>(), *this);
    FloatFormatter formatter(func, *this, format, nativeOutputs);
    formatter.saturateConstants();
    if (failed(formatter.run(FloatPrecision(func, format, keepFloat32, nativeOutputs))))
      signalPassFailure();
  }
};
} // namespace
