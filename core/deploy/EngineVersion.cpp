#include "core/deploy/EngineVersion.h"
#include "llvm/Config/llvm-config.h"

namespace fuselage {

std::string engineVersion() { return "fuselage " FUSELAGE_VERSION " (MLIR " LLVM_VERSION_STRING ")"; }

} // namespace fuselage
