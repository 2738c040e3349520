//===- LegalizeTypes.cpp - converts types to those of Forge ---------------===//
//
// The device has float32, float16, bfloat16 and int32, and no tensors of rank 0. float64 becomes float32, booleans and
// all integers become int32, and rank 0 becomes [1]. These types are called legal.
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "Requirements.h"
#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"

#include <cmath>

#define GEN_PASS_DEF_FORGELEGALIZETYPESPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// The legal type to which the element type `element` is converted; null if there is none.
static Type legalElement(Type element) {
  if (element.isF32() || element.isF16() || element.isBF16())
    return element;
  if (element.isF64())
    return Float32Type::get(element.getContext());
  if (isa<IntegerType>(element))
    return IntegerType::get(element.getContext(), 32);
  return {};
}

// The legal type to which `type` is converted; null if there is none.
static RankedTensorType legalType(RankedTensorType type) {
  Type element = legalElement(type.getElementType());
  if (!element)
    return {};
  return type.getRank() == 0 ? RankedTensorType::get({1}, element) : type.clone(element);
}

// Fails with an error if an element of `host` does not fit the legal type. `host` has the elements of `op`, a constant
// that has the type `type` in the model.
static LogicalResult checkRange(ConstantOp op, const HostTensor &host, RankedTensorType type) {
  // HostTensor stores an unsigned 64-bit integer above the range of int64 as a negative number.
  bool isUnsigned = type.getElementType().isUnsignedInteger();
  auto refuse = [&](auto element, StringRef format) {
    return emitError(op.getLoc(), Code::ConstantRange)
           << "constant '" << escaped(nodeName(op.getLoc())) << "' holds " << element << ", which does not fit "
           << format << " on the device";
  };
  for (int64_t element : host.ints)
    if (!llvm::isInt<32>(element) || (isUnsigned && element < 0))
      return isUnsigned ? refuse(static_cast<uint64_t>(element), "Int32") : refuse(element, "Int32");
  constexpr double kRoundsToInfinity = 0x1.ffffffp127; // half a unit above the largest number of Float32
  for (double element : host.floats)
    if (type.getElementType().isF64() && std::isfinite(element) && std::abs(element) >= kRoundsToInfinity)
      return refuse(element, "Float32");
  return success();
}

// Whether `value` is the result of a comparison, 0 or 1 in the type of the operands. A logical not compares with 0.
static bool isComparison(Value value) {
  return isa_and_nonnull<EqualOp, NotEqualOp, GreaterOp, GreaterEqualOp, LessOp, LessEqualOp, LogicalNotOp>(
      value.getDefiningOp());
}

namespace {
// Converts the types of inputs and constants of a function, and infers those of all other values again.
class TypeLegalizer {
public:
  TypeLegalizer(func::FuncOp func, ReportingPass &pass) : func(func), pass(pass), builder(func.getContext()) {}

  /// Visits ops in program order, so that the operands of an op are legal already. Fails with an error for each input
  /// whose type the device cannot hold or, if there is none, for the first such op.
  LogicalResult run() {
    if (failed(requireOneBlock(func, "forge-legalize-types")))
      return failure();
    bool valid = true;
    for (BlockArgument argument : func.getArguments()) {
      RankedTensorType legal = legalOrError(argument.getLoc(), argument.getType());
      if (legal) {
        original[argument] = tensorType(argument);
        argument.setType(legal);
      }
      valid &= legal != nullptr;
    }
    if (!valid)
      return failure();
    for (Operation &op : llvm::make_early_inc_range(func.front().without_terminator()))
      if (failed(legalize(&op)))
        return failure();
    Operation *terminator = func.front().getTerminator();
    // Marks outputs of rank 0, which are [1] on the device: the runner gives them rank 0 again. It cannot ask the
    // model, because a model need not declare the rank of its outputs.
    for (auto [at, type] : llvm::enumerate(func.getResultTypes()))
      if (cast<RankedTensorType>(type).getRank() == 0)
        func.setResultAttr(at, kScalarAttr, UnitAttr::get(func.getContext()));
    func.setFunctionType(
        FunctionType::get(func.getContext(), func.front().getArgumentTypes(), terminator->getOperandTypes()));
    if (sawDouble)
      emitWarning(func.getLoc(), Code::DoubleNarrowed) << "float64 is computed as Float32 on the device";
    return success();
  }

private:
  /// Gives the result of `op`, whose operands are legal already, its legal type.
  LogicalResult legalize(Operation *op) {
    if (auto constant = dyn_cast<ConstantOp>(op))
      return legalizeConstant(constant);
    if (op->getNumResults() != 1)
      return emitError(op, Code::PassOrder)
             << "has " << op->getNumResults()
             << " results, but --forge-legalize-types requires one; run --forge-lower-split first";
    RankedTensorType legal = legalOrError(op->getLoc(), op->getResult(0).getType());
    if (!legal)
      return failure();
    RankedTensorType type = tensorType(op->getResult(0));
    original[op->getResult(0)] = type;
    if (isa<ParameterOp>(op)) {
      // The element type in the model's file is recorded if it changes.
      if (legal.getElementType() != type.getElementType())
        op->setAttr(kFileTypeAttr, TypeAttr::get(type.getElementType()));
      op->getResult(0).setType(legal);
      return success();
    }
    if (auto cast = dyn_cast<CastOp>(op)) {
      legalizeCast(cast, type);
      return success();
    }
    // A squeeze to rank 0 or an unsqueeze of rank 0 is a reshape now, because rank 0 became [1].
    bool isOfRankZero =
        isa<SqueezeOp, UnsqueezeOp>(op) && (type.getRank() == 0 || original.lookup(op->getOperand(0)).getRank() == 0);
    if (isOfRankZero || isa<ReshapeOp>(op)) {
      legalizeReshape(op, type, legal);
      return success();
    }
    if (auto where = dyn_cast<WhereOp>(op))
      legalizeCondition(where);
    // A reduction to rank 0 keeps its axis instead, so that its result is [1].
    if (type.getRank() == 0)
      if (auto keep = op->getAttrOfType<BoolAttr>("keep_dim"); keep && !keep.getValue())
        op->setAttr("keep_dim", BoolAttr::get(op->getContext(), true));
    return reinfer(op, legal);
  }

  /// Converts the elements of a constant. A constant of one element becomes a forge.scalar_constant, whose value the
  /// emitter prints, if its value is a float or an integer that a float32 represents.
  LogicalResult legalizeConstant(ConstantOp op) {
    auto value = cast<DenseElementsAttr>(op.getValue());
    auto type = cast<RankedTensorType>(value.getType());
    RankedTensorType legal = legalOrError(op.getLoc(), type);
    if (!legal)
      return failure();
    bool hasOneElement = legal.getShape() == ArrayRef<int64_t>{1};
    if (legal == type && !hasOneElement) {
      original[op.getResult()] = type;
      return success();
    }
    // A splat is converted as one element.
    bool isSplat = value.isSplat() && type.getNumElements() > 1;
    auto scalarType = [](RankedTensorType t) { return RankedTensorType::get({1}, t.getElementType()); };
    HostTensor host = HostTensor::fromAttr(isSplat ? value.resizeSplat(scalarType(type)) : value);
    if (failed(checkRange(op, host, type)))
      return failure();
    host.type = isSplat ? scalarType(legal) : legal;
    DenseElementsAttr attr = isSplat ? host.toAttr().resizeSplat(legal) : host.toAttr();
    builder.setInsertionPoint(op);
    // A scalar constant holds a float32, which represents all integers up to 2^24.
    bool fitsScalar = hasOneElement && (host.isFloat() || std::abs(host.ints.front()) <= (1 << 24));
    Value replacement;
    if (fitsScalar) {
      auto scalar = static_cast<float>(host.isFloat() ? host.floats.front() : host.ints.front());
      replacement = ScalarConstantOp::create(builder, op.getLoc(), legal, APFloat(scalar), legal.getElementType());
    } else {
      replacement = ConstantOp::create(builder, op.getLoc(), legal, attr);
    }
    original[replacement] = type;
    replaced.replace(op, replacement);
    return success();
  }

  /// Replaces a reshape, squeeze or unsqueeze, whose result had the type `type` in the model, by a reshape to `legal`,
  /// or by its operand if that has this type.
  void legalizeReshape(Operation *op, RankedTensorType type, RankedTensorType legal) {
    builder.setInsertionPoint(op);
    Value value = op->getOperand(0);
    if (value.getType() != legal)
      value = ReshapeOp::create(builder, op->getLoc(), value, legal.getShape());
    else
      takeTrace(value, op->getResult(0));
    // If `value` is the operand, its type in the model is recorded already.
    original.try_emplace(value, type);
    replaced.replace(op, value);
  }

  /// Replaces `op`, a cast to the type `to` in the model, by a cast between legal types, or by its operand if these are
  /// equal. Booleans are integers on the device, so that a cast of a number to a boolean is a comparison with 0.
  void legalizeCast(CastOp op, RankedTensorType to) {
    builder.setInsertionPoint(op);
    Value value = op.getOperandA();
    if (to.getElementType().isInteger(1) && !isZeroOrOne(value)) {
      Type element = tensorType(value).getElementType();
      Value zero =
          ScalarConstantOp::create(builder, op.getLoc(), RankedTensorType::get({1}, element), APFloat(0.0f), element);
      value = NotEqualOp::create(builder, op.getLoc(), value, zero);
    }
    Type target = legalElement(to.getElementType());
    if (tensorType(value).getElementType() != target)
      value = CastOp::create(builder, op.getLoc(), value, target);
    if (value != op.getOperandA())
      original[value] = to;
    else // Its type in the model is recorded already.
      takeTrace(value, op->getResult(0));
    replaced.replace(op, value);
  }

  /// Makes forge.where read the comparison that computes its condition, and not a cast of it: the condition may have
  /// any element type.
  void legalizeCondition(WhereOp op) {
    auto cast = op.getCondition().getDefiningOp<CastOp>();
    if (cast && isComparison(cast.getOperandA()))
      op.getConditionMutable().assign(cast.getOperandA());
  }

  /// Whether all elements of `value` are 0 or 1, in any type: booleans, and products, minima and maxima of booleans.
  /// Follows at most `depth` ops, because shared operands would be visited once for each path.
  bool isZeroOrOne(Value value, int depth = 4) const {
    if (isComparison(value))
      return true;
    if (RankedTensorType type = original.lookup(value); type && type.getElementType().isInteger(1))
      return true;
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_or_null<ConstantOp>(op))
      return isa<IntegerType>(constant.getType().getElementType()) &&
             Interval::boolean().contains(Interval::ofConstant(constant.getValue()));
    return depth > 0 && isa_and_nonnull<MultiplyOp, MinOp, MaxOp, ReshapeOp, CastOp>(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isZeroOrOne(operand, depth - 1); });
  }

  /// Infers the result type of `op` from the legal operands. Since rank 0 became [1], it may differ from `expected`,
  /// the legal type of the old result, by axes of size 1. A reshape to `expected` is inserted then.
  LogicalResult reinfer(Operation *op, RankedTensorType expected) {
    if (failed(inferTypesAgain(op, "forge-legalize-types")))
      return failure();
    RankedTensorType inferred = tensorType(op->getResult(0));
    if (inferred == expected)
      return success();
    // Operands have rank 1 or more, so that a result of rank 0 is that of a product of two vectors.
    if (inferred.getRank() == 0)
      return emitError(op, Code::PassOrder)
             << "gives rank 0, which --forge-legalize-types cannot hold; reshape its operands to matrices";
    if (inferred.getElementType() != expected.getElementType() ||
        inferred.getNumElements() != expected.getNumElements())
      return emitError(op->getLoc(), Code::InvalidIr)
             << "node '" << escaped(nodeName(op->getLoc())) << "': '" << op->getName() << "' gives type " << inferred
             << ", but " << expected << " is needed";
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    auto reshape = ReshapeOp::create(builder, op->getLoc(), result, expected.getShape());
    result.replaceAllUsesExcept(reshape, reshape);
    original[reshape] = original.lookup(result); // A reference would not survive the insertion.
    return success();
  }

  /// The legal type for `type`; null, with an error at `loc`, if there is none. Counts changed types, and records in
  /// `sawDouble` that there is float64.
  RankedTensorType legalOrError(Location loc, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    RankedTensorType legal = tensor ? legalType(tensor) : RankedTensorType();
    if (!legal)
      emitError(loc, Code::TypeNotHeld) << "node '" << escaped(nodeName(loc)) << "' has type " << type
                                        << ", which the device cannot hold";
    else if (legal != tensor)
      pass.count("types-changed");
    if (legal)
      sawDouble |= tensor.getElementType().isF64();
    return legal;
  }

  func::FuncOp func;
  ReportingPass &pass;
  OpBuilder builder;
  // The type of each value in the model: a cast to i1 depends on whether its operand was a boolean.
  DenseMap<Value, RankedTensorType> original;
  ReplacedOps replaced;
  bool sawDouble = false;
};

struct ForgeLegalizeTypesPass : forge::impl::ForgeLegalizeTypesPassBase<ForgeLegalizeTypesPass>, ReportingPass {
  void runOnOperation() override {
    if (!isHostFunction(getOperation()) && failed(TypeLegalizer(getOperation(), *this).run()))
      signalPassFailure();
  }
};
} // namespace
