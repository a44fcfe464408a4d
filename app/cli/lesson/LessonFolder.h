// Where commands find a lesson.
#pragma once
#include "core/lessons/Lesson.h"
#include "llvm/ADT/SmallString.h"

namespace fuselage::cli {

/// A folder for the files of lessons that come with the program; it ends with this.
class LessonFolder {
public:
  LessonFolder() = default;
  LessonFolder(const LessonFolder &) = delete;
  LessonFolder &operator=(const LessonFolder &) = delete;
  ~LessonFolder();
  /// By its number or name of those that come with the program, else a folder with a lesson.md, or a zip of one.
  llvm::Expected<Lesson> find(llvm::StringRef name);
  llvm::Error extract(Lesson &lesson);

private:
  llvm::Error make();
  llvm::SmallString<128> path_;
};

} // namespace fuselage::cli
