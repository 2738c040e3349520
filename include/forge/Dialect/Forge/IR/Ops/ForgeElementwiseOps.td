//===- ForgeElementwiseOps.td - elementwise ops -------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEELEMENTWISEOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEELEMENTWISEOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

// The result type is that of the operand.
class Forge_SameTypeOp<string opMnemonic, string function, string lowering, list<Trait> traits = []>
    : Forge_CallOp<opMnemonic, function, lowering, traits> {
  let padding = "Elementwise";
  let extraClassDefinition = defineOp # [{
    ::mlir::FailureOr<::mlir::RankedTensorType> $cppClass::inferType(Adaptor op, const ::forge::Inference &infer) {
      return infer.sameType(op.getOperands());
    }
  }];
}

class Forge_UnaryOp<string opMnemonic, string function, string lowering, list<Trait> traits = []>
    : Forge_SameTypeOp<opMnemonic, function, lowering, traits> {
  let arguments = (ins Forge_Tensor:$operandA);
  let description = [{
    ```mlir
    %y = forge.}] # opMnemonic # [{ %x : tensor<2x3xf32>
    ```
  }];
}

// (C1) the operands have one element type; add, subtract, multiply and divide also accept f32 with floats of 16 bits,
// and the result is then f32. (C2) Their shapes broadcast, aligned at the last dim.
class Forge_BinaryOp<string opMnemonic, string function, string lowering, list<Trait> traits = [],
                     string inference = "broadcast">
    : Forge_CallOp<opMnemonic, function, lowering, traits> {
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB);
  let padding = "Elementwise";
  let description = [{
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

def Forge_AbsOp : Forge_UnaryOp<"abs", "Abs", "AbsOp", [Forge_Evaluates]> {
  let summary = "|x|";
  let range = "::forge::abs(operands[0])";
}
def Forge_ExpOp : Forge_UnaryOp<"exp", "Exp", "ExpOp", [Forge_Evaluates]> {
  let summary = "e to the power of x";
  let range = "{0, Interval().high}";
}
def Forge_LogOp : Forge_UnaryOp<"log", "Log", "LogOp"> { let summary = "log(x + 1e-10)"; }
def Forge_ReciprocalOp : Forge_UnaryOp<"reciprocal", "Reciprocal", "ReciprocalOp"> { let summary = "1 / (x + 1e-10)"; }
def Forge_SqrtOp : Forge_UnaryOp<"sqrt", "Sqrt", "SqrtOp", [Forge_Evaluates]> {
  let summary = "square root";
  let range = "{0, Interval().high}";
}
def Forge_ReluOp : Forge_UnaryOp<"relu", "Relu", "ReluOp", [Forge_Evaluates]> {
  let summary = "max(x, 0)";
  let range = "::forge::max(operands[0], Interval::number(0))";
}
def Forge_SigmoidOp : Forge_UnaryOp<"sigmoid", "Sigmoid", "SigmoidOp", [Forge_Evaluates]> {
  let summary = "1 / (1 + exp(-x))";
  let range = "Interval::boolean()";
}
def Forge_SineOp : Forge_UnaryOp<"sine", "Sine", "SinOp", [Forge_Evaluates]> {
  let summary = "sin(x)";
  let range = "{-1, 1}";
}
def Forge_CosineOp : Forge_UnaryOp<"cosine", "Cosine", "CosOp", [Forge_Evaluates]> {
  let summary = "cos(x)";
  let range = "{-1, 1}";
}
def Forge_AtanOp : Forge_UnaryOp<"atan", "Atan", "AtanOp"> {
  let summary = "arctangent of x";
  let range = "{-2, 2}";
}
def Forge_TanhOp : Forge_UnaryOp<"tanh", "Tanh", "TanhOp", [Forge_Evaluates]> {
  let summary = "hyperbolic tangent";
  let range = "{-1, 1}";
}
def Forge_ErfOp : Forge_UnaryOp<"erf", "Erf", "ErfOp", [Forge_Evaluates]> {
  let summary = "Gauss error function";
  let range = "{-1, 1}";
}

def Forge_LogicalNotOp : Forge_CallOp<"logical_not", "LogicalNot", "LogicalNotOp"> {
  let summary = "x == 0 as Int32";
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
  let summary = "changes the element type";
  let description = [{
    A cast to i1 is `x != 0`. `--forge-legalize-types` replaces it by a comparison, because Forge's Cast does not.
    (C1) `dtype` is an element type of this dialect.

    ```mlir
    %y = forge.cast %x dtype f16 : (tensor<2x3xf32>) -> tensor<2x3xf16>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, TypeAttr:$dtype);
  let padding = "Elementwise";
  let range = "castTo(getDtype(), operands[0], getOperation())";
}

def Forge_PowOp : Forge_SameTypeOp<"pow", "Pow", ""> {
  let summary = "x to the power of a scalar; use forge.power, which the device can lower";
  let description = [{
    ```mlir
    %y = forge.pow %x exponent 2.000000e+00 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$exponent);
}

def Forge_IdentityOp : Forge_SameTypeOp<"identity", "Identity", "removed before lowering", [Forge_KeepsElements]> {
  let summary = "x, as a separate call for an output";
  let description = [{
    It is not folded: `--forge-isolate-outputs` inserts it for outputs without their own call.

    ```mlir
    %y = forge.identity %x : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, OptionalAttr<StrAttr>:$unsqueeze, OptionalAttr<Forge_IntAttr>:$unsqueeze_dim);
  let padding = "View";
  let range = "operands[0]";
}

def Forge_LeakyReluOp : Forge_SameTypeOp<"leaky_relu", "LeakyRelu", "LeakyReluOp"> {
  let summary = "x where x >= 0, else alpha * x";
  let description = [{
    ```mlir
    %y = forge.leaky_relu %x alpha 1.000000e-01 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$alpha);
}

def Forge_GeluApproximation : Forge_Enum<"GeluApproximation", "the formula of gelu: with erf, or with tanh", [
  I32EnumCase<"None", 0, "none">, I32EnumCase<"Tanh", 1, "tanh">]>;

def Forge_GeluOp : Forge_SameTypeOp<"gelu", "Gelu", "GeluOp"> {
  let summary = "Gaussian error linear unit: 'none' is the erf form, 'tanh' its approximation";
  let description = [{
    ```mlir
    %y = forge.gelu %x approximate tanh : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_EnumAttr<Forge_GeluApproximation>:$approximate);
}

def Forge_ClipOp : Forge_CallOp<"clip", "Clip", "ClampScalarOp", [Forge_Evaluates]> {
  let summary = "clamps to [min, max]";
  let description = [{
    (C1) the operand is floating point: on integers Forge's clamp changes the type to Float32.

    ```mlir
    %y = forge.clip %x min 0.000000e+00 max 6.000000e+00 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$min, F32Attr:$max);
  let padding = "Elementwise";
  let range = "::forge::min(::forge::max(operands[0], Interval::number(getMin().convertToDouble())), Interval::number(getMax().convertToDouble()))";
}

def Forge_DropoutOp : Forge_SameTypeOp<"dropout", "Dropout", ""> {
  let summary = "zeroes elements with probability p";
  let description = [{
    ```mlir
    %y = forge.dropout %x p 5.000000e-01 training seed 0 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, F32Attr:$p, BoolAttr:$training, Forge_IntAttr:$seed);
  let padding = "Opaque";
}

def Forge_AddOp : Forge_ArithmeticOp<"add", "Add", "AddOp", [Forge_Evaluates]> {
  let summary = "a + b";
  let range = "rounded(operands[0] + operands[1], getOperation())";
}
def Forge_SubtractOp : Forge_ArithmeticOp<"subtract", "Subtract", "SubtractOp", [Forge_Evaluates]> {
  let summary = "a - b";
  let range = "rounded(operands[0] - operands[1], getOperation())";
}
def Forge_MultiplyOp : Forge_ArithmeticOp<"multiply", "Multiply", "MultiplyOp", [Forge_Evaluates]> {
  let summary = "a * b";
  let range = "rounded(operands[0] * operands[1], getOperation())";
}
def Forge_MaxOp : Forge_BinaryOp<"max", "Max", "MaximumOp", [Forge_Evaluates]> {
  let summary = "the larger value; NaN if an operand is NaN";
  let range = "::forge::max(operands[0], operands[1])";
}
def Forge_MinOp : Forge_BinaryOp<"min", "Min", "MinimumOp", [Forge_Evaluates]> {
  let summary = "the smaller value; NaN if an operand is NaN";
  let range = "::forge::min(operands[0], operands[1])";
}
def Forge_PowerOp : Forge_BinaryOp<"power", "Power", "PowOp", [Forge_Evaluates]> {
  let summary = "a to the power of b";
}
def Forge_HeavisideOp : Forge_BinaryOp<"heaviside", "Heaviside", "decomposed"> {
  let summary = "0 where a < 0, 1 where a > 0, b where a is 0";
  let range = "unite({operands[1], Interval::boolean()})";
}
def Forge_RemainderOp : Forge_BinaryOp<"remainder", "Remainder", "RemainderOp", [Forge_Evaluates]> {
  let summary = "a modulo b with the sign of b";
  let padding = "IntegerDivision";
  let range = "remainder(operands[0], operands[1], getOperation())";
}
def Forge_BitwiseAndOp : Forge_BinaryOp<"bitwise_and", "BitwiseAnd", "BitwiseAndOp", [Forge_Evaluates]> {
  let summary = "a & b through Int32";
  let description = [{
    ```mlir
    %y = forge.bitwise_and %a, %b : tensor<2x3xi32>
    ```
  }];
  let range = "bitwiseAnd(operands[0], operands[1])";
}
def Forge_LogicalAndOp : Forge_BinaryOp<"logical_and", "LogicalAnd", ""> {
  let summary = "as shipped Forge ignores b; multiply 0/1 tensors instead";
  let padding = "Opaque";
  let range = "Interval::boolean()";
}

def Forge_DivideOp : Forge_CallOp<"divide", "Divide", "DivOp", [Forge_Evaluates]> {
  let summary = "a / b, true division";
  let description = [{
    (C1) the operands have one floating-point element type, or f32 and one of 16 bits: Forge divides integers to Float32.
    (C2) their shapes broadcast.

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
  let summary = "a == b as 0/1 in a's type";
  let range = "equal(operands[0], operands[1], getOperation())";
}
def Forge_NotEqualOp : Forge_BinaryOp<"not_equal", "NotEqual", "NotEqualOp", [Forge_Evaluates]> {
  let summary = "a != b as 0/1 in a's type";
  let range = "negated(equal(operands[0], operands[1], getOperation()))";
}
def Forge_GreaterOp : Forge_BinaryOp<"greater", "Greater", "GreaterThanOp", [Forge_Evaluates]> {
  let summary = "a > b as 0/1 in a's type";
  let range = "less(operands[1], operands[0], getOperation())";
}
def Forge_LessOp : Forge_BinaryOp<"less", "Less", "LessThanOp", [Forge_Evaluates]> {
  let summary = "a < b as 0/1 in a's type";
  let range = "less(operands[0], operands[1], getOperation())";
}
def Forge_GreaterEqualOp : Forge_BinaryOp<"greater_equal", "GreaterEqual", "GreaterEqualOp", [Forge_Evaluates]> {
  let summary = "a >= b as 0/1 in a's type";
  let range = "lessEqual(operands[1], operands[0], getOperation())";
}
def Forge_LessEqualOp : Forge_BinaryOp<"less_equal", "LessEqual", "LessEqualOp", [Forge_Evaluates]> {
  let summary = "a <= b as 0/1 in a's type";
  let range = "lessEqual(operands[0], operands[1], getOperation())";
}

def Forge_WhereOp : Forge_CallOp<"where", "Where", "WhereOp", [Forge_Evaluates]> {
  let summary = "x where the condition is not zero, else y";
  let description = [{
    (C1) x and y have one element type. (C2) the three shapes broadcast.

    ```mlir
    %y = forge.where %c, %a, %b : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$condition, Forge_Tensor:$x, Forge_Tensor:$y);
  let padding = "Elementwise";
  let range = "select(operands[0], operands[1], operands[2], getOperation())";
}

#endif
