#include "core/ir/module/MakeContext.h"
#include "mlir/IR/Dialect.h"

using namespace mlir;

namespace fuselage {

std::unique_ptr<MLIRContext> makeContext(const DialectRegistry &registry) {
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  // Diagnostics say where; the op itself, often pages long, is a click or a line number away.
  context->printOpOnDiagnostic(false);
  for (StringRef name : {"affine", "arith", "bufferization", "cf", "complex", "flow", "func", "gpu", "linalg", "math",
                         "memref", "scf", "tensor", "vector"})
    (void)context->getOrLoadDialect(name); // what the registry does not have, nobody builds
  return context;
}

} // namespace fuselage
