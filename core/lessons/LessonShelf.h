// Lessons of the user's own, in folders.
#pragma once
#include "core/lessons/Lesson.h"
#include "core/support/Error.h"

namespace fuselage {

struct ShelvedLessons {
  std::vector<Lesson> lessons;      ///< by folder of the shelf, then by their numbers
  std::vector<Diagnostic> problems; ///< of lessons that cannot be read, and of folders that are not there
};

/// Those of each folder: its own lesson.md, or those of the folders in it.
ShelvedLessons lessonsIn(llvm::ArrayRef<std::string> folders);

/// The folders that FUSELAGE_LESSONS names, with ':' between them.
std::vector<std::string> shelvesOfEnvironment();

} // namespace fuselage
