// What a shared object says of itself: read from the file, without loading it.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fuselage {

/// The dynamic section and the dynamic symbols, as far as a plugin is judged by them.
struct SharedObject {
  std::vector<std::string> needed; ///< names of the libraries that it is linked to, as in DT_NEEDED
  bool hasPasses = false;          ///< it defines mlirGetPassPluginInfo
  bool hasDialects = false;        ///< it defines mlirGetDialectPluginInfo
  bool hasMlir = false;            ///< it contains MLIR itself, linked statically
};

/// Failure: the file cannot be read, is no ELF shared object, or one of another machine.
llvm::Expected<SharedObject> readSharedObject(llvm::StringRef path);

} // namespace fuselage
