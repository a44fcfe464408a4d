#include "core/plugins/LlvmLibraries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <link.h>

using namespace llvm;

namespace fuselage {

bool isLlvmLibrary(StringRef library) {
  for (StringRef name : {"libMLIR", "libLLVM"})
    if (StringRef rest = library; rest.consume_front(name))
      return rest.starts_with(".so") || (rest.size() > 1 && rest[0] == '-' && isDigit(rest[1]));
  // Of a build with a library for each part: two parts that every plugin needs.
  return library.starts_with("libMLIRIR.so") || library.starts_with("libLLVMSupport.so");
}

std::string llvmVersionIn(StringRef library) {
  if (!isLlvmLibrary(library))
    return "";
  auto isPart = [](char c) { return isDigit(c) || c == '.'; };
  auto [before, after] = library.split(".so");
  if (StringRef version = before.split('-').second; !version.empty())
    return version.take_while(isPart).rtrim('.').str();
  return after.ltrim('.').take_while(isPart).rtrim('.').str();
}

std::vector<std::string> loadedLlvmLibraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *found) {
        StringRef name = sys::path::filename(info->dlpi_name ? info->dlpi_name : "");
        if (isLlvmLibrary(name))
          static_cast<std::vector<std::string> *>(found)->push_back(name.str());
        return 0;
      },
      &names);
  return names;
}

} // namespace fuselage
