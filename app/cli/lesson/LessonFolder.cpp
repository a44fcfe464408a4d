#include "app/cli/lesson/LessonFolder.h"
#include "core/lessons/BuiltInLessons.h"
#include "core/lessons/LessonArchive.h"
#include "core/support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

LessonFolder::~LessonFolder() {
  if (!path_.empty())
    llvm::sys::fs::remove_directories(path_);
}

llvm::Error LessonFolder::make() {
  if (path_.empty())
    if (std::error_code error = llvm::sys::fs::createUniqueDirectory("fuselage-lesson", path_))
      return fail("no folder for the lesson's files can be made: " + error.message());
  return llvm::Error::success();
}

llvm::Error LessonFolder::extract(Lesson &lesson) {
  if (llvm::Error error = make())
    return error;
  llvm::SmallString<128> folder(path_);
  llvm::sys::path::append(folder, lesson.folder);
  if (std::error_code error = llvm::sys::fs::create_directory(folder))
    return fail("no folder for the lesson's files can be made: " + error.message());
  return extractLesson(lesson, folder);
}

llvm::Expected<Lesson> LessonFolder::find(llvm::StringRef name) {
  for (Lesson &lesson : builtInLessons())
    if (name == lesson.folder || name == std::to_string(lesson.number)) {
      if (llvm::Error error = extract(lesson))
        return error;
      return std::move(lesson);
    }
  if (!isLessonArchive(name))
    return readLesson(name);
  if (llvm::Error error = make())
    return error;
  llvm::SmallString<128> folder(path_);
  llvm::sys::path::append(folder, "archive");
  if (llvm::Error error = unpackLesson(name, folder))
    return error;
  return readLesson(folder);
}

} // namespace fuselage::cli
