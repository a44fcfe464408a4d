#include "app/cli/TunedOption.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

void declareTuned(Options &options, std::string &path, std::string help) {
  path = tune::TunedLibrary::defaultPath();
  options.text("tuned", "FILE|none", help + " (default: $XDG_DATA_HOME/fuselage/tuned.json)", path);
}

llvm::Expected<std::unique_ptr<tune::TunedDispatches>> openTuned(const std::string &path) {
  std::string warning;
  auto tuning = tune::openTuned(path, warning);
  if (!warning.empty())
    llvm::errs() << "warning: " << warning << '\n';
  return tuning;
}

} // namespace fuselage::cli
