#include "core/remote/EngineVersion.h"
#include "llvm/Config/llvm-config.h"

namespace fuselage::remote {

std::string engineVersion() { return "fuselage " FUSELAGE_VERSION " (MLIR " LLVM_VERSION_STRING ")"; }

} // namespace fuselage::remote
