#include "app/cli/lesson/CheckLesson.h"
#include "app/cli/Activity.h"
#include "app/cli/Options.h"
#include "app/cli/Output.h"
#include "app/cli/window/OpenWindow.h"
#include "core/engine/lessons/LessonPlayer.h"
#include "core/support/StandardOutput.h"
#include "core/support/process/HelperProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

static llvm::Expected<WindowNames> askWindow() {
  const std::string program = findWindowProgram();
  if (program.empty())
    return fail("fuselage-gui is neither beside this program nor on PATH");
  constexpr double seconds = 60;
  auto names = runFilter(program, {"--names"}, "", nullptr, seconds, "");
  if (!names)
    return names.takeError();
  return readWindowNames(*names);
}

static std::string counted(size_t count, const char *noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Problems as a compiler would say them, each with the line of its task.
static int check(const Lesson &lesson, llvm::ArrayRef<Lesson> known, const WindowNames *names) {
  setActivity("checking the lesson '" + lesson.title + "'");
  std::vector<LessonProblem> problems = checkLessonText(lesson, known, names);
  llvm::append_range(problems, checkLesson(lesson));
  llvm::stable_sort(problems, [](const LessonProblem &a, const LessonProblem &b) { return a.line < b.line; });
  for (const LessonProblem &problem : problems) {
    llvm::SmallString<128> path(lesson.folder);
    llvm::sys::path::append(path, "lesson.md");
    llvm::errs() << formatDiagnostic(
                        {.message = problem.what, .file = path.str().str(), .line = problem.line, .column = 1})
                 << '\n';
  }
  results() << llvm::formatv("{0}. {1}: {2}, {3}\n", lesson.number, lesson.title, counted(lesson.tasks.size(), "task"),
                             problems.empty() ? "all goals are reached" : counted(problems.size(), "problem"));
  return problems.empty() ? ExitOk : ExitInputError;
}

int checkLessons(llvm::ArrayRef<Lesson> lessons, llvm::ArrayRef<Lesson> known) {
  llvm::Expected<WindowNames> names = askWindow();
  if (!names)
    llvm::errs() << "fuselage lesson: names of panels, views and commands are not checked: "
                 << takeFailure(names.takeError()).message << '\n';
  int code = ExitOk;
  for (const Lesson &lesson : lessons)
    code = std::max(code, check(lesson, known, names ? &*names : nullptr));
  return code;
}

} // namespace fuselage::cli
