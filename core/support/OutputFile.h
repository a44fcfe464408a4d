// Files that are whole or not there.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fuselage {

/// What is written to the standard output: text is made printable there (PrintableText.h), bytes stay as they are.
enum class Content { Text, Bytes };

/// Writes `content` to `path`, to the byte; '-' is the standard output.
///  - A file is written beside its place and renamed, so that what was there stays whole until all is written. It
///    keeps its mode and, where we may set that, its owner. Where the folder takes no new file, or the file is a
///    place where something is mounted, it is written in place.
///  - A link stays a link: what it points to is written, in the same way. A link to nothing is refused.
///  - A file that nobody may write is refused, root's too, though renaming over it would go.
///  - Devices and pipes are written in place.
/// Failure: the path and the system's reason (a full disk, a folder, no permission).
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef content, Content kind = Content::Text);
/// The same of text that `write` writes, without all of it in memory.
llvm::Error writeOutputFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &os)> write);

/// Whether that could go, as far as that can be told before there is anything to write: for work that takes long.
/// Nothing is made.
llvm::Error checkOutputFile(llvm::StringRef path);

} // namespace fuselage
