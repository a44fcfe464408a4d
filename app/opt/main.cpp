// fuselage-opt: mlir-opt with our dialect and passes.
#include "core/ir/Session.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  fuselage::registerAllPasses();
  mlir::DialectRegistry registry;
  fuselage::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Fuselage's modular optimizer driver\n", registry));
}
