#include "core/remote/near/FarScript.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::remote {

std::string farScript(llvm::StringRef id, llvm::StringRef version, const FarOptions &options) {
  // It is run by sh whatever the login shell is, which ssh uses.
  constexpr const char *script =
      "exec sh -c 'e=\"${{XDG_CACHE_HOME:-$HOME/.cache}/fuselage/engines/{0}/bin/fuselage\"; "
      "if [ -x \"$e\" ]; then :; else e=\"$(command -v fuselage)\"; "
      "[ -n \"$e\" ] && [ \"$(\"$e\" --version 2>/dev/null)\" = \"{1}\" ] || e=; fi; "
      "if [ -n \"$e\" ]; then exec \"$e\" remote --far {2}; fi; "
      "echo; echo {3}missing \"$(uname -m)\" \"$(getconf GNU_LIBC_VERSION 2>/dev/null)\"; exit 127'";
  return llvm::formatv(script, id, version, encodeFarOptions(options), farLinePrefix).str();
}

} // namespace fuselage::remote
