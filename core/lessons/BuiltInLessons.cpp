#include "core/lessons/BuiltInLessons.h"
#include "core/support/Error.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace fuselage {

namespace {
struct LessonFile {
  llvm::StringLiteral lesson, name, text;
};
} // namespace

static constexpr LessonFile files[] = {
#include "LessonFiles.inc"
};

std::vector<Lesson> builtInLessons() {
  std::vector<Lesson> lessons;
  for (const LessonFile &file : files)
    if (file.name == "lesson.md") {
      llvm::Expected<Lesson> lesson = parseLesson(file.text, file.lesson.str() + "/lesson.md");
      if (!lesson) { // a test reads each of them
        llvm::consumeError(lesson.takeError());
        continue;
      }
      lesson->folder = file.lesson.str();
      lessons.push_back(std::move(*lesson));
    }
  llvm::sort(lessons, [](const Lesson &a, const Lesson &b) { return a.number < b.number; });
  return lessons;
}

const Glossary &builtInGlossary() {
  static const Glossary glossary(
#include "GlossaryText.inc"
  );
  return glossary;
}

llvm::Error extractLesson(Lesson &lesson, llvm::StringRef folder) {
  for (const LessonFile &file : files) {
    if (file.lesson != lesson.folder)
      continue;
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file.name);
    if (llvm::Error error = writeOutputFile(path.str().str(), file.text.str()))
      return error;
  }
  lesson.folder = folder.str();
  return llvm::Error::success();
}

} // namespace fuselage
