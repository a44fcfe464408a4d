#include "core/remote/EngineId.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace fuselage::remote {

std::string engineIdOf(llvm::StringRef program) {
  auto buffer = llvm::MemoryBuffer::getFile(program, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return "";
  constexpr unsigned digits = 12;
  std::string hash = llvm::utohexstr(llvm::xxh3_64bits((*buffer)->getBuffer()), /*LowerCase=*/true, 16);
  return FUSELAGE_VERSION "-" + hash.substr(0, digits);
}

std::string engineId() { return engineIdOf("/proc/self/exe"); }

std::string engineVersion() { return "fuselage " FUSELAGE_VERSION " (MLIR " LLVM_VERSION_STRING ")"; }

} // namespace fuselage::remote
