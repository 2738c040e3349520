//===- Elementwise.cpp - the table of its ops -----------------------------===//

#include "Elementwise.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerElementwiseOps(OnnxRegistry &registry) {
  registry.add({
      {"Add", {1, 6, 7, 13, 14}, convertAdd},
      {"Sub", {1, 6, 7, 13, 14}, convertSub},
      {"Mul", {1, 6, 7, 13, 14}, convertMul},
      {"Div", {1, 6, 7, 13, 14}, convertDiv},
      {"Mod", {10, 13, 28}, convertMod},
      {"Pow", {1, 7, 12, 13, 15}, convertPow},
      {"Sum", {1, 6, 8, 13}, convertSum},
      {"Max", {1, 6, 8, 12, 13}, convertMax},
      {"Min", {1, 6, 8, 12, 13}, convertMin},
      {"Mean", {1, 6, 8, 13}, convertMean},
      {"Abs", {1, 6, 13}, convertAbs},
      {"Neg", {1, 6, 13}, convertNeg},
      {"Sign", {9, 13}, convertSign},
      {"Reciprocal", {1, 6, 13}, convertReciprocal},
      {"Exp", {1, 6, 13}, convertUnary<ExpOp>},
      {"Log", {1, 6, 13}, convertLog},
      {"Sqrt", {1, 6, 13}, convertUnary<SqrtOp>},
      {"Erf", {9, 13}, convertErf},
      {"Floor", {1, 6, 13}, convertFloor},
      {"Ceil", {1, 6, 13}, convertCeil},
      {"Round", {11, 22}, convertRound},
      {"Sin", {7, 22}, convertUnary<SineOp>},
      {"Cos", {7, 22}, convertUnary<CosineOp>},
      {"Tan", {7, 22}, convertTan},
      {"Asin", {7, 22}, convertAsin},
      {"Acos", {7, 22}, convertAcos},
      {"Atan", {7, 22}, convertUnary<AtanOp>},
      {"Sinh", {9, 22}, convertSinh},
      {"Cosh", {9, 22}, convertCosh},
      {"Asinh", {9, 22}, convertAsinh},
      {"Acosh", {9, 22}, convertAcosh},
      {"Atanh", {9, 22}, convertAtanh},
      {"Equal", {1, 7, 11, 13, 19}, convertEqual},
      {"Greater", {1, 7, 9, 13}, convertGreater},
      {"GreaterOrEqual", {12, 16}, convertGreaterOrEqual},
      {"Less", {1, 7, 9, 13}, convertLess},
      {"LessOrEqual", {12, 16}, convertLessOrEqual},
      {"And", {1, 7}, convertAnd},
      {"Or", {1, 7}, convertOr},
      {"Xor", {1, 7}, convertXor},
      {"Not", {1}, convertNot},
      {"IsNaN", {9, 13, 20}, convertIsNaN},
      {"IsInf", {10, 20}, convertIsInf},
      {"Where", {9, 16}, convertWhere},
      {"BitwiseAnd", {18}, convertBitwiseAnd},
      {"BitwiseOr", {18}, convertBitwiseOr},
      {"BitwiseXor", {18}, convertBitwiseXor},
      {"BitwiseNot", {18}, convertBitwiseNot},
      {"BitShift", {11, 28}, convertBitShift},
      {"Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, convertCast},
      {"CastLike", {15, 19, 21, 23, 24, 25}, convertCastLike},
      {"BitCast", {26}, convertBitCast},
  });
}
