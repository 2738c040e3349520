//===- forge-opt.cpp - runs forge passes on .mlir files -------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<forge::ForgeDialect, forge::torch::TorchDialect, mlir::func::FuncDialect>();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Forge-MLIR optimizer\n", registry));
}
