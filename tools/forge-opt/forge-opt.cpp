//===- forge-opt.cpp - runs forge passes on .mlir files -------------------===//

#include "forge/Pipelines/ParsingGuard.h"
#include "forge/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerForgeDialects(registry);
  forge::registerForgePasses();
  if (failed(forge::guardInput(argc, argv, registry)))
    return 1;
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Forge-MLIR optimizer\n", registry));
}
