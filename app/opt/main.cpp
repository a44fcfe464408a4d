// fuselage-opt: mlir-opt with our dialects and passes, and --tolerant.
#include "app/opt/Tolerant.h"
#include "core/ir/Session.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  fuselage::registerAllPasses();
  if (auto code = fuselage::opt::runTolerantly(llvm::ArrayRef(argv, argc)))
    return *code;
  mlir::DialectRegistry registry;
  fuselage::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Fuselage's modular optimizer driver\n", registry));
}
