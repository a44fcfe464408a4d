#include "core/deploy/Launcher.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

constexpr llvm::StringRef script = R"sh(#!/bin/sh
# Starts the engine of this folder. It needs GLIBC_@GLIBC@ and GLIBCXX_@GLIBCXX@; a system whose libraries are older, or
# are others, runs it with those in runtime/. FUSELAGE_RUNTIME=system or bundled decides.
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
case $self in */*) folder=${self%/*} ;; *) folder=. ;; esac
root=$(cd -P "$folder/.." && pwd -P) || exit 127

has_c() {
  version=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 1
  version=${version#glibc }
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt @GLIBC_MAJOR@ ] || { [ "$major" -eq @GLIBC_MAJOR@ ] && [ "$minor" -ge @GLIBC_MINOR@ ]; }
}

# The first one that is found is the one that would be loaded.
has_cxx() {
  for library in /lib/@MACHINE@-linux-gnu /usr/lib/@MACHINE@-linux-gnu /lib64 /usr/lib64 /lib /usr/lib; do
    library=$library/libstdc++.so.6
    [ -f "$library" ] || continue
    grep -q GLIBCXX_@GLIBCXX@ "$library" && grep -q CXXABI_@CXXABI@ "$library"
    return
  done
  return 1
}

case ${FUSELAGE_RUNTIME-} in
system) ;;
bundled) bundled=1 ;;
*) has_c 2>/dev/null && has_cxx 2>/dev/null || bundled=1 ;;
esac
[ -n "${bundled-}" ] || exec "$root/libexec/fuselage" "$@"
exec "$root/runtime/@LOADER@" --library-path "$root/runtime:$root/lib" "$root/libexec/fuselage" "$@"
)sh";

void replaceAll(std::string &text, llvm::StringRef mark, llvm::StringRef value) {
  for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
    text.replace(at, mark.size(), value);
}

} // namespace

std::string launcherScript(const NeededVersions &needed, llvm::StringRef loader) {
  std::string text = script.str();
  replaceAll(text, "@GLIBC_MAJOR@", llvm::utostr(needed.glibc[0]));
  replaceAll(text, "@GLIBC_MINOR@", llvm::utostr(needed.glibc[1]));
  replaceAll(text, "@GLIBC@", versionText(needed.glibc));
  replaceAll(text, "@GLIBCXX@", versionText(needed.glibcxx));
  replaceAll(text, "@CXXABI@", versionText(needed.cxxabi));
  replaceAll(text, "@MACHINE@", machineName());
  replaceAll(text, "@LOADER@", loader);
  return text;
}

} // namespace fuselage
