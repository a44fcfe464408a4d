// A lesson as one file: a zip of its folder, perhaps from somebody unknown.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace fuselage {

struct LessonArchiveLimits {
  static constexpr uint64_t mostBytes = uint64_t(32) << 20; ///< of the archive, and of all its files unpacked
  static constexpr unsigned mostFiles = 256;
};

/// By its name.
bool isLessonArchive(llvm::StringRef path);

/// Writes the files of the zip at `path` into `folder`, which is made, in place of what was there: those beside its
/// lesson.md and below. It is read in a copy of the process that can only compute. Failure: it is no zip; it has no
/// lesson.md, or several; a name leads out of the folder, or is not of letters, digits, space, ".", "_" and "-"; an
/// entry is a link; it is encrypted or damaged; it exceeds a limit. Nothing is written then.
llvm::Error unpackLesson(llvm::StringRef path, llvm::StringRef folder);

} // namespace fuselage
