// The scripts that run on the other side: POSIX sh, and what every Linux has (mkdir, mv, ln, df, uname, tail, head).
// They print lines `KEY VALUE`, and end with 0 if they could say or do all.
//
// In ${XDG_CACHE_HOME:-$HOME/.cache}/fuselage/engines, a folder ID is a whole engine, `.partial-ID` one that is being
// sent: its files, and `blob`, the bytes of those that are missing, one after the other.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// $1: the ID. Prints arch, libc ("glibc 2.36"), cache, place (ok, readonly, noexec), free (KiB), tools that are
/// missing, engine (ok, broken, none) and a line for each other engine.
llvm::StringRef checkScript();

/// $1: the ID; the manifest comes on the standard input. Links the files that another engine there has, and prints the
/// hash of each that is missing, then `blob HASHES BYTES`: how much of the blob is there.
llvm::StringRef wantScript();

/// $1: the ID, $2: the size that the blob must have now. Appends the standard input, of gzip, to it.
llvm::StringRef sendScript();

/// $1: the ID. Cuts the blob into the files that its list names, checks every hash of the manifest, and renames the
/// folder. Prints `wrong PLACE` for a file whose hash differs.
llvm::StringRef finishScript();

/// $1: the ID to keep. Removes the other engines that no process runs, and prints `removed ID` and `inuse ID`.
llvm::StringRef cleanScript();

} // namespace fuselage
