#include "core/dialects/decoders/OtherCompiler.h"
#include "core/dialects/decoders/InductorOps.h"
#include "core/dialects/decoders/XlaOps.h"

using namespace mlir;

namespace fuselage {

std::string readOnlyReason(ModuleOp module) {
  constexpr llvm::StringLiteral limits =
      ", which can be viewed and compared, but not stepped, fused, tuned or run; open ";
  if (isXlaModule(module))
    return ("this is a dump of XLA" + limits +
            "the StableHLO that it came from instead (in JAX: jax.jit(f).lower(..).as_text(debug_info=True))")
        .str();
  if (isInductorModule(module))
    return ("this is what " + inductorVersion(module) + " left behind" + limits +
            "the module that torch.export and iree-turbine or torch-mlir make of the same model")
        .str();
  return "";
}

llvm::Error refuseReadOnly(ModuleOp module) {
  std::string reason = readOnlyReason(module);
  return reason.empty() ? llvm::Error::success() : fail(reason);
}

} // namespace fuselage
