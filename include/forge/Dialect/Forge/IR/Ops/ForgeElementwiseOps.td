//===- ForgeElementwiseOps.td - elementwise ops -------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEELEMENTWISEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEELEMENTWISEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

// The result type is that of the operand. Other functions than those of `isOfAny` give Float32 for integers, or fail.
class Forge_SameTypeOp<string opMnemonic, string function, string lowering, list<Trait> traits = [], bit isOfAny = 0>
    : Forge_CallOp<opMnemonic, function, lowering, traits> {
  let padding = "Elementwise";
  string constraints = !if(isOfAny, "", "- (C1) The operand is floating point.\n\n    ");
  let extraClassDefinition = defineOp # [{
    ::mlir::FailureOr<::mlir::RankedTensorType> $cppClass::inferType(Adaptor op, const ::forge::Inference &infer) {
      if (failed(}] # !if(isOfAny, "::mlir::success()", "infer.floatingPoint(op.getOperandA())") # [{))
        return ::mlir::failure();
      return infer.sameType(op.getOperands());
    }
  }];
}

class Forge_UnaryOp<string opMnemonic, string function, string lowering, list<Trait> traits = [], bit isOfAny = 0>
    : Forge_SameTypeOp<opMnemonic, function, lowering, traits, isOfAny> {
  let arguments = (ins Forge_Tensor:$operandA);
  let description = [{
    }] # constraints # [{```mlir
    %y = forge.}] # opMnemonic # [{ %x : tensor<2x3xf32>
    ```
  }];
}

class Forge_BinaryOp<string opMnemonic, string function, string lowering, list<Trait> traits = [],
                     string inference = "broadcast">
    : Forge_CallOp<opMnemonic, function, lowering, traits> {
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB);
  let padding = "Elementwise";
  string mixed = !if(!eq(inference, "broadcast"), ".",
                     ", or one has f32 and the other f16 or bf16. In the second case, the\n      result has f32.");
  string constraints = "- (C1) The operands have one element type" # mixed #
                       "\n    - (C2) Their shapes broadcast as in NumPy.";
  let description = [{
    }] # constraints # [{

    ```mlir
    %y = forge.}] # opMnemonic # [{ %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let extraClassDefinition = defineOp # [{
    ::mlir::FailureOr<::mlir::RankedTensorType> $cppClass::inferType(Adaptor op, const ::forge::Inference &infer) {
      return infer.}] # inference # [{(op.getOperands());
    }
  }];
}

class Forge_ArithmeticOp<string opMnemonic, string function, string lowering, list<Trait> traits = []>
    : Forge_BinaryOp<opMnemonic, function, lowering, traits, "broadcastPromoted">;

def Forge_AbsOp : Forge_UnaryOp<"abs", "Abs", "AbsOp", [Forge_Evaluates], /*isOfAny=*/1> {
  let summary = "absolute value of x";
  let range = "::forge::abs(operands[0])";
}
def Forge_ExpOp : Forge_UnaryOp<"exp", "Exp", "ExpOp", [Forge_Evaluates]> {
  let summary = "exponential function of x";
  let range = "{0, Interval().high}";
}
def Forge_LogOp : Forge_UnaryOp<"log", "Log", "LogOp"> { let summary = "natural logarithm of x + 1e-10"; }
def Forge_ReciprocalOp : Forge_UnaryOp<"reciprocal", "Reciprocal", "ReciprocalOp"> {
  let summary = "reciprocal of x + 1e-10";
}
def Forge_SqrtOp : Forge_UnaryOp<"sqrt", "Sqrt", "SqrtOp", [Forge_Evaluates]> {
  let summary = "square root of x";
  let range = "{0, Interval().high}";
}
def Forge_ReluOp : Forge_UnaryOp<"relu", "Relu", "ReluOp", [Forge_Evaluates], /*isOfAny=*/1> {
  let summary = "the larger of x and 0";
  let range = "::forge::max(operands[0], Interval::number(0))";
}
def Forge_SigmoidOp : Forge_UnaryOp<"sigmoid", "Sigmoid", "SigmoidOp", [Forge_Evaluates]> {
  let summary = "the logistic function 1 / (1 + exp(-x))";
  let range = "Interval::boolean()";
}
def Forge_SineOp : Forge_UnaryOp<"sine", "Sine", "SinOp", [Forge_Evaluates]> {
  let summary = "sine of x, in radians";
  let range = "{-1, 1}";
}
def Forge_CosineOp : Forge_UnaryOp<"cosine", "Cosine", "CosOp", [Forge_Evaluates]> {
  let summary = "cosine of x, in radians";
  let range = "{-1, 1}";
}
def Forge_AtanOp : Forge_UnaryOp<"atan", "Atan", "AtanOp"> {
  let summary = "arctangent of x";
  let range = "{-2, 2}";
}
def Forge_TanhOp : Forge_UnaryOp<"tanh", "Tanh", "TanhOp", [Forge_Evaluates]> {
  let summary = "hyperbolic tangent of x";
  let range = "{-1, 1}";
}
def Forge_ErfOp : Forge_UnaryOp<"erf", "Erf", "ErfOp", [Forge_Evaluates]> {
  let summary = "Gauss error function of x";
  let range = "{-1, 1}";
}

def Forge_LogicalNotOp : Forge_CallOp<"logical_not", "LogicalNot", "LogicalNotOp"> {
  let summary = "comparison x == 0: 1 or 0 as i32";
  let description = [{
    ```mlir
    %y = forge.logical_not %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA);
  let padding = "Elementwise";
  let range = "equal(operands[0], Interval::number(0), getOperation())";
}

def Forge_CastOp : Forge_CallOp<"cast", "Cast", "TypecastOp", [Forge_Evaluates]> {
  let summary = "conversion to another element type";
  let description = [{
    A cast to i1 computes `x != 0`. `forge.op.Cast` has no booleans: it converts to Int32 instead, so that values other
    than 0 and 1 remain. Therefore `--forge-legalize-types` replaces a cast to i1 by a comparison with 0, unless its
    operand is always 0 or 1.

    - (C1) `dtype` is an integer or floating-point type.

    ```mlir
    %y = forge.cast %x dtype f16 : (tensor<2x3xf32>) -> tensor<2x3xf16>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, TypeAttr:$dtype);
  let padding = "Elementwise";
  let range = "castTo(getDtype(), operands[0], getOperation())";
}

def Forge_PowOp : Forge_SameTypeOp<"pow", "Pow", ""> {
  let summary = "power of x with a scalar exponent; the device's compiler has no lowering for it, use forge.power";
  let description = [{
    }] # constraints # [{```mlir
    %y = forge.pow %x exponent 2.000000e+00 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$exponent);
}

def Forge_IdentityOp : Forge_SameTypeOp<"identity", "Identity", "removed before lowering", [Forge_KeepsElements], /*isOfAny=*/1> {
  let summary = "copy of the operand, for an output that has no call of its own";
  let description = [{
    `--forge-isolate-outputs` inserts this op for an output that is an input, a weight, a constant or the same tensor as
    another output, because a Forge module cannot return these. It also inserts it between ops that Forge would fuse
    wrongly. Therefore the op is not folded. The attributes `unsqueeze` and `unsqueeze_dim` have no effect.

    ```mlir
    %y = forge.identity %x : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, OptionalAttr<StrAttr>:$unsqueeze, OptionalAttr<Forge_IntAttr>:$unsqueeze_dim);
  let padding = "View";
  let range = "operands[0]";
}

def Forge_LeakyReluOp : Forge_SameTypeOp<"leaky_relu", "LeakyRelu", "LeakyReluOp"> {
  let summary = "leaky ReLU: x where x >= 0, else alpha * x";
  let description = [{
    }] # constraints # [{```mlir
    %y = forge.leaky_relu %x alpha 1.000000e-01 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$alpha);
}

def Forge_GeluApproximation : Forge_Enum<"GeluApproximation", "the formula of `forge.gelu`: with erf (none), or with tanh", [
  I32EnumCase<"None", 0, "none">, I32EnumCase<"Tanh", 1, "tanh">]>;

def Forge_GeluOp : Forge_SameTypeOp<"gelu", "Gelu", "GeluOp"> {
  let summary = "Gaussian error linear unit, with erf (approximate none) or with its approximation by tanh (approximate tanh)";
  let description = [{
    }] # constraints # [{```mlir
    %y = forge.gelu %x approximate tanh : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_EnumAttr<Forge_GeluApproximation>:$approximate);
}

def Forge_ClipOp : Forge_CallOp<"clip", "Clip", "ClampScalarOp", [Forge_Evaluates]> {
  let summary = "clamp of x to [min, max]";
  let description = [{
    - (C1) The operand is floating point, because `forge.op.Clip` of integers gives Float32.

    ```mlir
    %y = forge.clip %x min 0.000000e+00 max 6.000000e+00 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$min, F32Attr:$max);
  let padding = "Elementwise";
  let range = "::forge::min(::forge::max(operands[0], Interval::number(getMin().convertToDouble())), Interval::number(getMax().convertToDouble()))";
}

def Forge_DropoutOp : Forge_SameTypeOp<"dropout", "Dropout", ""> {
  let summary = "dropout; the device's compiler has no lowering for it";
  let description = [{
    With `training`, each element is set to 0 with probability `p`, and the other elements are multiplied by
    1 / (1 - p). `seed` initialises the random numbers. Without `training`, the result is the operand.

    }] # constraints # [{```mlir
    %y = forge.dropout %x p 5.000000e-01 training seed 0 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$p, BoolAttr:$training, Forge_IntAttr:$seed);
  let padding = "Opaque";
}

def Forge_AddOp : Forge_ArithmeticOp<"add", "Add", "AddOp", [Forge_Evaluates]> {
  let summary = "sum of the operands";
  let range = "rounded(operands[0] + operands[1], getOperation())";
}
def Forge_SubtractOp : Forge_ArithmeticOp<"subtract", "Subtract", "SubtractOp", [Forge_Evaluates]> {
  let summary = "difference operandA - operandB";
  let range = "rounded(operands[0] - operands[1], getOperation())";
}
def Forge_MultiplyOp : Forge_ArithmeticOp<"multiply", "Multiply", "MultiplyOp", [Forge_Evaluates]> {
  let summary = "product of the operands";
  let range = "rounded(operands[0] * operands[1], getOperation())";
}
def Forge_MaxOp : Forge_BinaryOp<"max", "Max", "MaximumOp", [Forge_Evaluates]> {
  let summary = "the larger of the operands; NaN if an operand is NaN";
  let range = "::forge::max(operands[0], operands[1])";
}
def Forge_MinOp : Forge_BinaryOp<"min", "Min", "MinimumOp", [Forge_Evaluates]> {
  let summary = "the smaller of the operands; NaN if an operand is NaN";
  let range = "::forge::min(operands[0], operands[1])";
}
def Forge_PowerOp : Forge_BinaryOp<"power", "Power", "PowOp", [Forge_Evaluates]> {
  let summary = "power of operandA with exponent operandB";
}
def Forge_HeavisideOp : Forge_BinaryOp<"heaviside", "Heaviside", "decomposed"> {
  let summary = "step function: 0 where operandA < 0, 1 where operandA > 0, and operandB where operandA is 0";
  let range = "unite({operands[1], Interval::boolean()})";
}
def Forge_RemainderOp : Forge_BinaryOp<"remainder", "Remainder", "RemainderOp", [Forge_Evaluates]> {
  let summary = "remainder of operandA / operandB, with the sign of operandB";
  let padding = "IntegerDivision";
  let range = "remainder(operands[0], operands[1], getOperation())";
}
def Forge_BitwiseAndOp : Forge_BinaryOp<"bitwise_and", "BitwiseAnd", "BitwiseAndOp", [Forge_Evaluates]> {
  let summary = "bitwise and";
  let description = [{
    Forge casts both operands to Int32, and the result to the type of `operandA`.

    }] # constraints # [{

    ```mlir
    %y = forge.bitwise_and %a, %b : tensor<2x3xi32>
    ```
  }];
  let range = "bitwiseAnd(operands[0], operands[1])";
}
def Forge_LogicalAndOp : Forge_BinaryOp<"logical_and", "LogicalAnd", ""> {
  let summary = "comparison operandA != 0; like forge.op.LogicalAnd, it ignores operandB; the device's compiler has no lowering for it: multiply tensors of 0 and 1 instead";
  let padding = "Opaque";
  let range = "Interval::boolean()";
}

def Forge_DivideOp : Forge_CallOp<"divide", "Divide", "DivOp", [Forge_Evaluates]> {
  let summary = "quotient operandA / operandB of floats";
  let description = [{
    - (C1) The operands have one floating-point element type, or one has f32 and the other f16 or bf16. In the second
      case the result has f32. Integers are excluded, because `forge.op.Divide` of integers gives Float32.
    - (C2) Their shapes broadcast as in NumPy.

    ```mlir
    %y = forge.divide %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB);
  let padding = "Elementwise";
  let range = "rounded(divide(operands[0], operands[1]), getOperation())";
}

// The result of a comparison is 0 or 1 in the type of the first operand.
def Forge_EqualOp : Forge_BinaryOp<"equal", "Equal", "EqualOp", [Forge_Evaluates]> {
  let summary = "comparison operandA == operandB: 1 or 0 in the type of operandA";
  let range = "equal(operands[0], operands[1], getOperation())";
}
def Forge_NotEqualOp : Forge_BinaryOp<"not_equal", "NotEqual", "NotEqualOp", [Forge_Evaluates]> {
  let summary = "comparison operandA != operandB: 1 or 0 in the type of operandA";
  let range = "negated(equal(operands[0], operands[1], getOperation()))";
}
def Forge_GreaterOp : Forge_BinaryOp<"greater", "Greater", "GreaterThanOp", [Forge_Evaluates]> {
  let summary = "comparison operandA > operandB: 1 or 0 in the type of operandA";
  let range = "less(operands[1], operands[0], getOperation())";
}
def Forge_LessOp : Forge_BinaryOp<"less", "Less", "LessThanOp", [Forge_Evaluates]> {
  let summary = "comparison operandA < operandB: 1 or 0 in the type of operandA";
  let range = "less(operands[0], operands[1], getOperation())";
}
def Forge_GreaterEqualOp : Forge_BinaryOp<"greater_equal", "GreaterEqual", "GreaterEqualOp", [Forge_Evaluates]> {
  let summary = "comparison operandA >= operandB: 1 or 0 in the type of operandA";
  let range = "lessEqual(operands[1], operands[0], getOperation())";
}
def Forge_LessEqualOp : Forge_BinaryOp<"less_equal", "LessEqual", "LessEqualOp", [Forge_Evaluates]> {
  let summary = "comparison operandA <= operandB: 1 or 0 in the type of operandA";
  let range = "lessEqual(operands[0], operands[1], getOperation())";
}

def Forge_WhereOp : Forge_CallOp<"where", "Where", "WhereOp", [Forge_Evaluates]> {
  let summary = "selection: x where the condition is not zero, else y";
  let description = [{
    - (C1) `x` and `y` have one element type.
    - (C2) The shapes of the three operands broadcast as in NumPy.

    ```mlir
    %y = forge.where %c, %a, %b : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$condition, Forge_Tensor:$x, Forge_Tensor:$y);
  let padding = "Elementwise";
  let range = "select(operands[0], operands[1], operands[2], getOperation())";
}

#endif
