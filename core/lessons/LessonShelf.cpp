#include "core/lessons/LessonShelf.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

namespace fuselage {

static bool hasLesson(llvm::StringRef folder) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "lesson.md");
  return llvm::sys::fs::exists(path);
}

static void addLesson(ShelvedLessons &shelf, llvm::StringRef folder) {
  llvm::Expected<Lesson> lesson = readLesson(folder);
  if (lesson)
    return shelf.lessons.push_back(std::move(*lesson));
  Failure failure = takeFailure(lesson.takeError());
  if (failure.diagnostics.empty())
    failure.diagnostics.push_back({.message = failure.message, .file = folder.str()});
  llvm::append_range(shelf.problems, std::move(failure.diagnostics));
}

static void addFolder(ShelvedLessons &shelf, const std::string &folder) {
  constexpr size_t most = 500; // of a folder that is no shelf, such as a home folder
  if (hasLesson(folder))
    return addLesson(shelf, folder);
  std::vector<std::string> folders;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end; !error && at != end && folders.size() < most;
       at.increment(error))
    if (hasLesson(at->path()))
      folders.push_back(at->path());
  if (error)
    shelf.problems.push_back({.message = "the folder of lessons cannot be read: " + error.message(), .file = folder});
  llvm::sort(folders);
  const auto first = static_cast<ptrdiff_t>(shelf.lessons.size());
  for (const std::string &lesson : folders)
    addLesson(shelf, lesson);
  std::stable_sort(shelf.lessons.begin() + first, shelf.lessons.end(),
                   [](const Lesson &a, const Lesson &b) { return a.number < b.number; });
}

ShelvedLessons lessonsIn(llvm::ArrayRef<std::string> folders) {
  ShelvedLessons shelf;
  for (const std::string &folder : folders)
    addFolder(shelf, folder);
  return shelf;
}

std::vector<std::string> shelvesOfEnvironment() {
  std::vector<std::string> folders;
  if (const char *listed = std::getenv("FUSELAGE_LESSONS"))
    for (llvm::StringRef folder : llvm::split(listed, ':'))
      if (!folder.empty())
        folders.push_back(folder.str());
  return folders;
}

} // namespace fuselage
