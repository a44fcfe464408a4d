#include "core/support/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

std::string fuselage::shortPath(llvm::StringRef path) {
  constexpr size_t longest = 200, start = 40, end = 120;
  if (path.size() <= longest)
    return path.str();
  return (path.take_front(start) + "..." + path.take_back(end)).str();
}

std::string fuselage::userDataFolder() {
  llvm::SmallString<256> folder;
  const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
  if (data && llvm::sys::path::is_absolute(data))
    folder = data;
  else if (home && llvm::sys::path::is_absolute(home))
    llvm::sys::path::append(folder, home, ".local/share");
  else
    return "";
  llvm::sys::path::append(folder, "fuselage");
  return folder.str().str();
}
