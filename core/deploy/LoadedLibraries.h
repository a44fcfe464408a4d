// The shared libraries that this process runs with, as its dynamic loader lists them.
#pragma once
#include "core/support/Error.h"
#include <string>
#include <vector>

namespace fuselage {

/// A shared library: the name that others ask for it by, and its file.
struct LoadedLibrary {
  std::string name; ///< "libz.so.1"
  std::string path; ///< of the file, without links
};

/// What the loader has loaded, and what is loaded only when it is first needed (core/support/LazyLibrary.h), sorted by
/// name. Call it before a device is opened: a driver is not a library of ours. Failure: a library cannot be found.
llvm::Expected<std::vector<LoadedLibrary>> loadedLibraries();

} // namespace fuselage
