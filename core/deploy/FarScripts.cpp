#include "core/deploy/FarScripts.h"
#include <string>

namespace fuselage {
namespace {

/// No backslash before a backslash or a quote: fish, as a login shell, reads those in quotes, too.
constexpr llvm::StringRef common = R"sh(
umask 077
engines=${XDG_CACHE_HOME:-$HOME/.cache}/fuselage/engines
partial=$engines/.partial-$1
say() { printf "%s %s\n" "$1" "$2"; }
hash_of() {
  if command -v sha256sum >/dev/null; then sum=$(sha256sum <"$1")
  elif command -v shasum >/dev/null; then sum=$(shasum -a 256 <"$1")
  else sum=$(openssl dgst -sha256 -r <"$1"); fi
  sum=${sum%% *}
}
used() {
  for exe in /proc/[0-9]*/exe; do
    case $(readlink "$exe" 2>/dev/null) in "$1"/*) return 0 ;; esac
  done
  return 1
}
)sh";

constexpr llvm::StringRef checkText = R"sh(
say arch "$(uname -m)"
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || libc=other
say libc "$libc"
say cache "$engines"
place=ok
mkdir -p "$engines" 2>/dev/null || place=readonly
probe=$engines/.probe-$$
if [ $place = ok ]; then
  { printf "#!/bin/sh\nexit 0\n" >"$probe"; } 2>/dev/null && chmod 700 "$probe" 2>/dev/null || place=readonly
  [ $place = readonly ] || "$probe" 2>/dev/null || place=noexec
  rm -f "$probe"
fi
say place $place
folder=$engines
while [ -n "$folder" ] && [ ! -d "$folder" ]; do folder=${folder%/*}; done
say free "$(df -Pk "${folder:-/}" 2>/dev/null | { read -r line; read -r device blocks in_use available rest; echo "$available"; })"
for tool in gzip head tail ln; do command -v $tool >/dev/null || say missing $tool; done
command -v sha256sum >/dev/null || command -v shasum >/dev/null || command -v openssl >/dev/null || say missing sha256sum
state=none
if [ -x "$engines/$1/bin/fuselage" ]; then
  state=broken
  version=$("$engines/$1/bin/fuselage" --version 2>&1) && state=ok
  say version "$version"
fi
say engine $state
installed=$(command -v fuselage) && say path "$installed $("$installed" --version 2>/dev/null)"
for each in "$engines"/*; do
  [ -d "$each" ] || continue
  [ "$each" = "$engines/$1" ] || say other "${each##*/} $(du -sk "$each" 2>/dev/null | { read -r size rest; echo "$size"; }) $(used "$each" && echo used || echo unused)"
done
exit 0
)sh";

constexpr llvm::StringRef wantText = R"sh(
mkdir -p "$partial" && cat >"$partial/MANIFEST" || { say error "cannot write $partial"; exit 1; }
have() {
  for other in "$engines"/*/; do
    [ -f "$other/MANIFEST" ] || continue
    place=$(grep "^$1 " "$other/MANIFEST" | { read -r a b c place; echo "$place"; })
    [ -n "$place" ] && [ -f "$other/$place" ] || continue
    hash_of "$other/$place"
    [ "$sum" = "$1" ] && ln -f "$other/$place" "$2" 2>/dev/null && return 0
  done
  return 1
}
: >"$partial/list"
while read -r hash size mode place; do
  mkdir -p "$partial/${place%/*}" || { say error "cannot write $partial"; exit 1; }
  if [ -f "$partial/$place" ]; then hash_of "$partial/$place"; [ "$sum" = "$hash" ] && continue; rm -f "$partial/$place"; fi
  have "$hash" "$partial/$place" && continue
  say want "$hash"
  echo "$hash $size $mode $place" >>"$partial/list"
done <"$partial/MANIFEST"
hash_of "$partial/list"
name=$sum
for blob in "$partial"/blob-*; do [ "$blob" = "$partial/blob-$name" ] || rm -f "$blob"; done
[ -f "$partial/blob-$name" ] || : >"$partial/blob-$name"
say blob "$(wc -c <"$partial/blob-$name")"
exit 0
)sh";

constexpr llvm::StringRef sendText = R"sh(
for blob in "$partial"/blob-*; do
  [ -f "$blob" ] && [ "$(($(wc -c <"$blob")))" = "$2" ] || { say error "another copy is being made; try again"; exit 1; }
  gzip -dc >>"$blob" || { say error "cannot write $blob"; exit 1; }
done
exit 0
)sh";

constexpr llvm::StringRef finishText = R"sh(
at=1
for blob in "$partial"/blob-*; do
  while read -r hash size mode place; do
    tail -c "+$at" "$blob" | head -c "$size" >"$partial/$place" || { say error "cannot write $partial/$place"; exit 1; }
    at=$((at + size))
  done <"$partial/list"
done
bad=
while read -r hash size mode place; do
  hash_of "$partial/$place"
  if [ "$sum" = "$hash" ]; then chmod "$mode" "$partial/$place"; else say wrong "$place"; rm -f "$partial/$place"; bad=1; fi
done <"$partial/MANIFEST"
rm -f "$partial"/blob-* "$partial/list"
[ -z "$bad" ] || exit 1
version=$("$partial/bin/fuselage" --version 2>&1) || { say error "the engine does not start there: $version"; exit 1; }
say version "$version"
[ -d "$engines/$1" ] && mv "$engines/$1" "$partial/.old"
mv "$partial" "$engines/$1" || { say error "cannot rename $partial"; exit 1; }
rm -rf "$engines/$1/.old"
exit 0
)sh";

constexpr llvm::StringRef cleanText = R"sh(
for each in "$engines"/* "$engines"/.partial-*; do
  [ -d "$each" ] && [ "$each" != "$engines/$1" ] || continue
  if used "$each"; then say inuse "${each##*/}"
  elif rm -rf "$each"; then say removed "${each##*/}"
  else say error "cannot remove $each"; fi
done
exit 0
)sh";

/// A script after what all of them share.
std::string whole(llvm::StringRef script) { return (common + script).str(); }

} // namespace

llvm::StringRef checkScript() {
  static const std::string text = whole(checkText);
  return text;
}
llvm::StringRef wantScript() {
  static const std::string text = whole(wantText);
  return text;
}
llvm::StringRef sendScript() {
  static const std::string text = whole(sendText);
  return text;
}
llvm::StringRef finishScript() {
  static const std::string text = whole(finishText);
  return text;
}
llvm::StringRef cleanScript() {
  static const std::string text = whole(cleanText);
  return text;
}

} // namespace fuselage
