//===- Evaluate.cpp - forge ops on constants at compile time --------------===//
//
// Only ops whose Forge semantics are exact are here: forge.log and forge.reciprocal add 1e-10, so they are not folded.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/SliceRange.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace forge;

using Tensors = SmallVector<HostTensor>;
using Maybe = std::optional<HostTensor>;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

template <typename OnFloat, typename OnInt>
static Maybe mapBinary(Operation *op, const Tensors &operands, OnFloat onFloat, OnInt onInt) {
  const HostTensor &a = operands[0], &b = operands[1];
  HostTensor result{tensorType(op->getResult(0)), {}, {}};
  std::vector<int64_t> indicesA = a.broadcastIndices(result.shape()), indicesB = b.broadcastIndices(result.shape());
  for (auto [i, j] : llvm::zip_equal(indicesA, indicesB)) {
    if (a.isFloat())
      result.floats.push_back(onFloat(a.floats[i], b.floats[j]));
    else
      result.ints.push_back(onInt(a.ints[i], b.ints[j]));
  }
  return result;
}

// One generic lambda serves both element kinds.
template <typename Function>
static Maybe mapBinary(Operation *op, const Tensors &operands, Function function) {
  return mapBinary(op, operands, function, function);
}

template <typename Function>
static Maybe mapFloats(Operation *op, const Tensors &operands, Function function) {
  if (!operands[0].isFloat())
    return std::nullopt;
  HostTensor result = operands[0];
  for (double &element : result.floats)
    element = function(element);
  return result;
}

// Signed overflow wraps, as in numpy.
static int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }

// The remainder with the divisor's sign. Nothing when a divisor is 0, or the quotient overflows.
static Maybe evaluateRemainder(Operation *op, const Tensors &operands) {
  if (llvm::any_of(operands[1].ints, [](int64_t divisor) { return divisor == 0 || divisor == -1; }))
    return std::nullopt;
  auto onFloat = [](double a, double b) {
    double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  };
  auto onInt = [](int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  };
  return mapBinary(op, operands, onFloat, onInt);
}

static Maybe evaluateBinary(Operation *op, const Tensors &operands) {
  auto propagateNaN = [](double a, double b, double chosen) { return std::isnan(a) ? a : std::isnan(b) ? b : chosen; };
  return llvm::TypeSwitch<Operation *, Maybe>(op)
      .Case([&](AddOp) {
        return mapBinary(
            op, operands, [](double a, double b) { return a + b; },
            [](int64_t a, int64_t b) { return wrapped(uint64_t(a) + uint64_t(b)); });
      })
      .Case([&](SubtractOp) {
        return mapBinary(
            op, operands, [](double a, double b) { return a - b; },
            [](int64_t a, int64_t b) { return wrapped(uint64_t(a) - uint64_t(b)); });
      })
      .Case([&](MultiplyOp) {
        return mapBinary(
            op, operands, [](double a, double b) { return a * b; },
            [](int64_t a, int64_t b) { return wrapped(uint64_t(a) * uint64_t(b)); });
      })
      .Case([&](MaxOp) {
        return mapBinary(
            op, operands, [&](double a, double b) { return propagateNaN(a, b, std::max(a, b)); },
            [](int64_t a, int64_t b) { return std::max(a, b); });
      })
      .Case([&](MinOp) {
        return mapBinary(
            op, operands, [&](double a, double b) { return propagateNaN(a, b, std::min(a, b)); },
            [](int64_t a, int64_t b) { return std::min(a, b); });
      })
      .Case([&](DivideOp) {
        return mapBinary(
            op, operands, [](double a, double b) { return a / b; }, [](int64_t, int64_t) { return int64_t(0); });
      })
      .Case([&](RemainderOp) { return evaluateRemainder(op, operands); })
      .Case([&](BitwiseAndOp) -> Maybe {
        if (operands[0].isFloat())
          return std::nullopt;
        return mapBinary(op, operands, [](double, double) { return 0.0; }, [](int64_t a, int64_t b) { return a & b; });
      })
      .Case([&](PowerOp) -> Maybe {
        if (!operands[0].isFloat())
          return std::nullopt;
        return mapBinary(
            op, operands, [](double a, double b) { return std::pow(a, b); },
            [](int64_t, int64_t) { return int64_t(0); });
      })
      .Case([&](EqualOp) { return mapBinary(op, operands, [](auto a, auto b) { return a == b; }); })
      .Case([&](NotEqualOp) { return mapBinary(op, operands, [](auto a, auto b) { return a != b; }); })
      .Case([&](LessOp) { return mapBinary(op, operands, [](auto a, auto b) { return a < b; }); })
      .Case([&](LessEqualOp) { return mapBinary(op, operands, [](auto a, auto b) { return a <= b; }); })
      .Case([&](GreaterOp) { return mapBinary(op, operands, [](auto a, auto b) { return a > b; }); })
      .Case([&](GreaterEqualOp) { return mapBinary(op, operands, [](auto a, auto b) { return a >= b; }); })
      .Default([](Operation *) -> Maybe { return std::nullopt; });
}

static Maybe evaluateCast(CastOp op, const HostTensor &operand) {
  HostTensor result{tensorType(op.getResult()), {}, {}};
  bool toBool = result.type.getElementType().isInteger(1);
  if (operand.isFloat()) {
    for (double element : operand.floats) {
      if (result.isFloat())
        result.floats.push_back(element);
      else if (toBool)
        result.ints.push_back(element != 0);
      else if (std::isfinite(element) && std::abs(element) < 9.2e18)
        result.ints.push_back(static_cast<int64_t>(element));
      else
        return std::nullopt; // Undefined in ONNX; left to the device.
    }
    return result;
  }
  for (int64_t element : operand.ints) {
    if (result.isFloat())
      result.floats.push_back(static_cast<double>(element));
    else
      result.ints.push_back(toBool ? element != 0 : element);
  }
  return result;
}

static HostTensor evaluateWhere(WhereOp op, const Tensors &operands) {
  HostTensor result{tensorType(op.getResult()), {}, {}};
  std::vector<int64_t> indices[3];
  for (int i : {0, 1, 2})
    indices[i] = operands[i].broadcastIndices(result.shape());
  for (size_t i = 0; i < indices[0].size(); ++i) {
    const HostTensor &condition = operands[0];
    bool taken = condition.isFloat() ? condition.floats[indices[0][i]] != 0 : condition.ints[indices[0][i]] != 0;
    const HostTensor &source = operands[taken ? 1 : 2];
    int64_t from = indices[taken ? 1 : 2][i];
    if (result.isFloat())
      result.floats.push_back(source.floats[from]);
    else
      result.ints.push_back(source.ints[from]);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename OpTy, typename OnFloat, typename OnInt>
static HostTensor evaluateReduce(OpTy op, const HostTensor &operand, OnFloat onFloat, OnInt onInt) {
  int64_t axis = op.getDim() < 0 ? op.getDim() + operand.type.getRank() : op.getDim();
  HostTensor result{tensorType(op.getResult()), {}, {}};
  SmallVector<int64_t> kept(operand.shape());
  kept[axis] = 1;
  SmallVector<int64_t> strides = stridesOf(operand.shape());
  forEachIndex(kept, [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      offset += i * stride;
    for (int64_t i = 0; i < operand.shape()[axis]; ++i, offset += strides[axis]) {
      if (operand.isFloat())
        i == 0 ? result.floats.push_back(operand.floats[offset])
               : void(result.floats.back() = onFloat(result.floats.back(), operand.floats[offset]));
      else
        i == 0 ? result.ints.push_back(operand.ints[offset])
               : void(result.ints.back() = onInt(result.ints.back(), operand.ints[offset]));
    }
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Movement: which element of the operand each result element is
//===----------------------------------------------------------------------===//

static HostTensor remap(const HostTensor &operand, ArrayRef<int64_t> shape,
                        llvm::function_ref<void(ArrayRef<int64_t>, SmallVectorImpl<int64_t> &)> sourceOf) {
  SmallVector<int64_t> strides = stridesOf(operand.shape()), position;
  std::vector<int64_t> source;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    position.assign(index.begin(), index.end());
    sourceOf(index, position);
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(position, strides))
      offset += i * stride;
    source.push_back(offset);
  });
  return operand.pick(shape, source);
}

static HostTensor evaluateStridedSlice(StridedSliceOp op, const HostTensor &operand) {
  int64_t rank = operand.type.getRank();
  return remap(operand, shapeOf(op.getResult()), [&](ArrayRef<int64_t>, SmallVectorImpl<int64_t> &position) {
    for (auto [axis, begin, end, stride] : llvm::zip_equal(op.getAxes(), op.getBegin(), op.getEnd(), op.getStrides())) {
      int64_t dim = axis < 0 ? axis + rank : axis;
      position[dim] = SliceRange::clamp(begin, end, stride, operand.shape()[dim]).start + position[dim] * stride;
    }
  });
}

static Maybe evaluateConcatenate(ConcatenateOp op, const Tensors &operands) {
  HostTensor result{tensorType(op.getResult()), {}, {}};
  int64_t rank = result.type.getRank(), axis = op.getAxis() < 0 ? op.getAxis() + rank : op.getAxis();
  int64_t outer = 1;
  for (int64_t size : result.shape().take_front(axis))
    outer *= size;
  for (int64_t block = 0; block < outer; ++block)
    for (const HostTensor &operand : operands) {
      int64_t length = operand.type.getNumElements() / outer;
      if (operand.isFloat())
        result.floats.insert(result.floats.end(), operand.floats.begin() + block * length,
                             operand.floats.begin() + (block + 1) * length);
      else
        result.ints.insert(result.ints.end(), operand.ints.begin() + block * length,
                           operand.ints.begin() + (block + 1) * length);
    }
  return result;
}

static Tensors evaluateSplit(SplitOp op, const HostTensor &operand) {
  int64_t dim = op.getDim() < 0 ? op.getDim() + operand.type.getRank() : op.getDim(), begin = 0;
  Tensors pieces;
  for (Value piece : op.getPieces()) {
    pieces.push_back(remap(operand, shapeOf(piece),
                           [&](ArrayRef<int64_t>, SmallVectorImpl<int64_t> &position) { position[dim] += begin; }));
    begin += shapeOf(piece)[dim];
  }
  return pieces;
}

static Maybe evaluateMovement(Operation *op, const Tensors &operands) {
  const HostTensor &operand = operands.front();
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  auto normal = [&](int64_t dim) { return dim < 0 ? dim + operand.type.getRank() : dim; };
  return llvm::TypeSwitch<Operation *, Maybe>(op)
      .Case([&](TransposeOp transpose) {
        return remap(operand, shape, [&](ArrayRef<int64_t> index, SmallVectorImpl<int64_t> &position) {
          std::swap(position[normal(transpose.getDim0())], position[normal(transpose.getDim1())]);
        });
      })
      .Case([&](StridedSliceOp slice) { return evaluateStridedSlice(slice, operand); })
      .Case([&](AdvIndexOp gather) {
        int64_t dim = normal(gather.getDim());
        return remap(operand, shape, [&](ArrayRef<int64_t> index, SmallVectorImpl<int64_t> &position) {
          position[dim] = operands[1].ints[index[dim]];
        });
      })
      .Case([&](RepeatOp) {
        size_t leading = shape.size() - operand.shape().size();
        return remap(operand, shape, [&](ArrayRef<int64_t> index, SmallVectorImpl<int64_t> &position) {
          position.erase(position.begin(), position.begin() + leading);
          for (auto [i, size] : llvm::zip_equal(position, operand.shape()))
            i %= size;
        });
      })
      .Case([&](ConcatenateOp concatenate) { return evaluateConcatenate(concatenate, operands); })
      .Default([](Operation *) -> Maybe { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static Tensors evaluateTensors(Operation *op, const Tensors &operands) {
  Maybe result = llvm::TypeSwitch<Operation *, Maybe>(op)
                     .Case([&](CastOp cast) { return evaluateCast(cast, operands[0]); })
                     .Case([&](WhereOp where) { return evaluateWhere(where, operands); })
                     .Case([&](SqrtOp) { return mapFloats(op, operands, [](double x) { return std::sqrt(x); }); })
                     .Case([&](ExpOp) { return mapFloats(op, operands, [](double x) { return std::exp(x); }); })
                     .Case([&](TanhOp) { return mapFloats(op, operands, [](double x) { return std::tanh(x); }); })
                     .Case([&](ErfOp) { return mapFloats(op, operands, [](double x) { return std::erf(x); }); })
                     .Case([&](AbsOp) -> Maybe {
                       HostTensor absolute = operands[0];
                       for (int64_t &element : absolute.ints)
                         element = element < 0 ? wrapped(0 - uint64_t(element)) : element;
                       for (double &element : absolute.floats)
                         element = std::abs(element);
                       return absolute;
                     })
                     .Case([&](ReduceSumOp reduce) {
                       return evaluateReduce(reduce, operands[0], std::plus<double>(),
                                             [](int64_t a, int64_t b) { return wrapped(uint64_t(a) + uint64_t(b)); });
                     })
                     .Case([&](ReduceMaxOp reduce) {
                       return evaluateReduce(
                           reduce, operands[0], [](double a, double b) { return std::isnan(a) || a > b ? a : b; },
                           [](int64_t a, int64_t b) { return std::max(a, b); });
                     })
                     .Case<TransposeOp, StridedSliceOp, AdvIndexOp, RepeatOp, ConcatenateOp>(
                         [&](Operation *) { return evaluateMovement(op, operands); })
                     .Default([&](Operation *) { return evaluateBinary(op, operands); });
  if (result)
    return {*result};
  if (auto split = dyn_cast<SplitOp>(op))
    return evaluateSplit(split, operands[0]);
  return {};
}

// Ops that keep every element in place, so that splats and raw data stay as they are.
static bool keepsData(Operation *op) { return isa<ReshapeOp, UnsqueezeOp, SqueezeOp, IdentityOp>(op); }

SmallVector<DenseElementsAttr> forge::evaluate(Operation *op, int64_t limit) {
  SmallVector<DenseElementsAttr> constants;
  for (Value operand : op->getOperands()) {
    DenseElementsAttr constant;
    if (!matchPattern(operand, m_Constant(&constant)) || isa<ComplexType>(constant.getElementType()))
      return {};
    constants.push_back(constant);
  }
  if (constants.empty() || isa<ConstantOp>(op))
    return {};
  if (keepsData(op))
    return {constants[0].reshape(tensorType(op->getResult(0)))};
  int64_t budget = limit / static_cast<int64_t>(sizeof(int64_t));
  auto fits = [&](Type type) {
    int64_t elements = 1;
    for (int64_t size : cast<RankedTensorType>(type).getShape())
      if (llvm::MulOverflow(elements, size, elements))
        return false;
    return elements <= budget;
  };
  if (!llvm::all_of(op->getOperandTypes(), fits) || !llvm::all_of(op->getResultTypes(), fits))
    return {};
  // A reduction of nothing has no first element to start from.
  if (constants[0].empty() && isa<ReduceSumOp, ReduceMaxOp>(op))
    return {};
  Tensors operands;
  for (DenseElementsAttr constant : constants)
    operands.push_back(HostTensor::fromAttr(constant));
  SmallVector<DenseElementsAttr> results;
  for (const HostTensor &result : evaluateTensors(op, operands))
    results.push_back(result.toAttr());
  return results;
}
