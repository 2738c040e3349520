//===- example-opt.cpp - forge-opt with one more pass ---------------------===//

#include "ExamplePasses.h"
#include "forge/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerForgeDialects(registry);
  forge::registerForgePasses();
  example::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "An example of a tool on forge ops\n", registry));
}
