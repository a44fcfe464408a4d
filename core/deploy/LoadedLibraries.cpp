#include "core/deploy/LoadedLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
#include <link.h>

namespace fuselage {

static int collect(dl_phdr_info *info, size_t, void *into) {
  const llvm::StringRef path = info->dlpi_name;
  if (path.contains('/')) // neither the program itself nor the kernel's page
    static_cast<std::vector<LoadedLibrary> *>(into)->push_back({llvm::sys::path::filename(path).str(), path.str()});
  return 0;
}

llvm::Expected<std::vector<LoadedLibrary>> loadedLibraries() {
  for (const char *name : {FUSELAGE_LAZY_SONAMES})
    if (!dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return fail(std::string("cannot load ") + name + ", which the engine uses: " + dlerror() + "; install it");
  std::vector<LoadedLibrary> libraries;
  dl_iterate_phdr(collect, &libraries);
  for (LoadedLibrary &library : libraries) {
    llvm::SmallString<256> real;
    if (std::error_code error = llvm::sys::fs::real_path(library.path, real))
      return fail("cannot read the library '" + library.path + "': " + error.message());
    library.path = std::string(real);
  }
  llvm::sort(libraries, [](const LoadedLibrary &a, const LoadedLibrary &b) { return a.name < b.name; });
  return libraries;
}

} // namespace fuselage
