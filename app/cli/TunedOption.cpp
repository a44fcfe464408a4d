#include "app/cli/TunedOption.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

void declareTuned(Options &options, std::string &path, std::string help) {
  path = tune::TunedLibrary::defaultPath();
  options.text("tuned", "FILE|none", help + " (default: $XDG_DATA_HOME/fuselage/tuned.json)", path);
}

llvm::Expected<std::unique_ptr<tune::TunedDispatches>> openTuned(const std::string &path) {
  if (path.empty() || path == "none")
    return nullptr;
  auto library = tune::TunedLibrary::read(path);
  if (library)
    return std::make_unique<tune::TunedDispatches>(std::move(*library), path);
  if (path != tune::TunedLibrary::defaultPath())
    return library.takeError();
  llvm::errs() << "warning: " << takeFailure(library.takeError()).message << "; dispatches have the pipeline's own sizes\n";
  return nullptr;
}

} // namespace fuselage::cli
