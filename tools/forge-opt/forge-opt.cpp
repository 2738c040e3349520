//===- forge-opt.cpp - runs forge passes on .mlir files -------------------===//

#include "forge/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerForgeDialects(registry);
  forge::registerForgePasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Forge-MLIR optimizer\n", registry));
}
