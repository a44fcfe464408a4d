// fuselage lesson list | read | html | picture | check | new | grade
#include "app/cli/Commands.h"
#include "app/cli/lesson/CheckLesson.h"
#include "app/cli/lesson/GradeLesson.h"
#include "app/cli/lesson/LessonDrawing.h"
#include "app/cli/lesson/LessonFolder.h"
#include "app/cli/lesson/LessonHtml.h"
#include "core/lessons/BuiltInLessons.h"
#include "core/lessons/LessonShelf.h"
#include "core/support/OutputFile.h"
#include "core/support/StandardOutput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

static std::string afterText(const Lesson &lesson) {
  std::string text;
  for (unsigned number : lesson.after)
    text += (text.empty() ? "after " : ", ") + std::to_string(number);
  return text;
}

static int listLessons() {
  std::string text;
  llvm::raw_string_ostream os(text);
  const auto row = [&](const Lesson &lesson, const std::string &last) {
    os << llvm::formatv("{0,2}  {1,-36} {2,2} min  {3,2} tasks  {4}\n", lesson.number, lesson.title, lesson.minutes,
                        lesson.tasks.size(), last);
  };
  for (const Lesson &lesson : builtInLessons())
    row(lesson, afterText(lesson));
  const ShelvedLessons shelf = lessonsIn(shelvesOfEnvironment());
  for (const Lesson &lesson : shelf.lessons)
    row(lesson, lesson.folder);
  results() << text;
  for (const Diagnostic &problem : shelf.problems)
    llvm::errs() << formatDiagnostic(problem) << '\n';
  return shelf.problems.empty() ? ExitOk : ExitInputError;
}

static void printTask(llvm::raw_ostream &os, const LessonTask &task, size_t number) {
  os << "\n## " << number << ". " << task.title << "\n\n" << task.text << "\n\n";
  for (const Goal &goal : task.goals)
    if (goal.fact != "answer" && goal.fact != "choice")
      os << "Goal: " << goal.text << '\n';
}

static int printLesson(const Lesson &lesson) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "# " << lesson.number << ". " << lesson.title << "\n\n" << lesson.leads << '\n';
  if (!lesson.intro.empty())
    os << '\n' << lesson.intro << '\n';
  for (size_t i = 0; i < lesson.tasks.size(); ++i)
    printTask(os, lesson.tasks[i], i + 1);
  results() << text;
  return ExitOk;
}

static int checkBuiltIn() {
  LessonFolder folder;
  std::vector<Lesson> lessons = builtInLessons();
  for (Lesson &lesson : lessons)
    if (llvm::Error error = folder.extract(lesson))
      return reportFailure(std::move(error));
  return checkLessons(lessons, lessons);
}

/// It may come after those of the program, and after its neighbours.
static int checkOne(const Lesson &lesson) {
  std::vector<Lesson> known = builtInLessons();
  llvm::SmallString<128> folder(lesson.folder);
  llvm::sys::fs::make_absolute(folder);
  llvm::append_range(known, lessonsIn({llvm::sys::path::parent_path(folder).str()}).lessons);
  return checkLessons(lesson, known);
}

static constexpr llvm::StringLiteral skeleton = R"(---
title: A lesson
number: 100
minutes: 5
module: module.mlir
leads: Two kernels become one.
---
What the lesson is about, in two or three sentences.

## Fuse the edge
The product goes through memory, and the sum of each row reads it again. Fuse the edge between them.
```goal
dispatches = 1
```
```hints
- Which value is written by one kernel and read by another?
- Select the edge from matmul to reduce.
- Press Ctrl+E.
```
```show
fuse matmul -> reduce
```
```point
command Fuse This Edge
```
```wrong
clean up
select linalg.reduce
```
)";
static constexpr llvm::StringLiteral module =
    R"(func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<64x64xf32>
  %rows = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%all : tensor<64x64xf32>) -> tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %product = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                           outs(%start : tensor<64x64xf32>) -> tensor<64x64xf32>
  %result = linalg.reduce ins(%product : tensor<64x64xf32>) outs(%none : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %add = arith.addf %in, %out : f32
      linalg.yield %add : f32
    }
  return %result : tensor<64xf32>
}
)";

static int makeLesson(const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directory(folder, /*IgnoreExisting=*/false))
    return reportFailure(fail("'" + folder + "' cannot be made: " + error.message()));
  for (const auto &[name, text] : {std::pair("lesson.md", skeleton), std::pair("module.mlir", module)})
    if (llvm::Error error = writeOutputFile(folder + "/" + name, text.str()))
      return reportFailure(std::move(error));
  results() << folder << "/lesson.md\n" << folder << "/module.mlir\n";
  return ExitOk;
}

static int writeText(llvm::Expected<std::string> text, const std::string &output) {
  if (!text)
    return reportFailure(text.takeError());
  if (llvm::Error error = writeOutputFile(output, *text))
    return reportFailure(std::move(error));
  return ExitOk;
}

int lessonCommand(Arguments arguments) {
  GradeRequest grading;
  std::string output = "-", tile;
  Options options(
      "lesson", "ACTION [LESSON]",
      "Works with lessons. ACTION is list, read, html, picture, check, new or grade; LESSON is a number of the list, a "
      "folder "
      "with a lesson.md, or a zip of one.\n\n"
      "list lists those that come with Fuselage, and those of the folders that FUSELAGE_LESSONS names, with ':' "
      "between "
      "them. read prints a lesson; html writes it as one page for the web, with its pictures and graphs. picture draws "
      "where it leads: its graph before and after, or a tile "
      "of an op; a lesson names the file in its field 'picture'. check replays "
      "each task's \"Show me\": all goals must hold after it and not before; and it says which pictures, panels, "
      "commands, ops and earlier lessons are named and not there. new makes a folder for a lesson of your own.\n\n"
      "grade takes a folder of .mlir files, each a module or a schedule for the lesson's module, and writes a row of "
      "CSV "
      "for each. A file that crashes, exceeds a limit or does not parse has a row that says so.");
  options.text("output", "FILE", "html, picture: the file to write (default: standard output)", output, 'o');
  options.text("tile", "OP SIZES", "picture: of a tile of this op, such as 'matmul 32,32,0'", tile);
  declareGrading(options, grading);
  options.example("fuselage lesson list");
  options.example("fuselage lesson read 1");
  options.example("fuselage lesson check my_lesson");
  options.example("fuselage lesson html 1 -o lesson1.html");
  options.example("fuselage lesson picture my_lesson --tile 'matmul 32,32,0' -o my_lesson/picture.svg");
  options.example("fuselage lesson grade handed_in --lesson my_lesson --csv grades.csv");
  if (auto code = options.parse(arguments))
    return *code;
  const std::string &action = options.positional();
  const bool isNamed = options.positionals().size() > 1;
  if (action == "list")
    return listLessons();
  if (action == "check" && !isNamed)
    return checkBuiltIn();
  static constexpr llvm::StringLiteral actions[] = {"read", "html", "picture", "check", "new", "grade"};
  if (!llvm::is_contained(actions, action))
    return usageError("lesson", "unknown action '" + action + "'; it is list, " +
                                    llvm::join(llvm::ArrayRef(actions).drop_back(), ", ") + " or grade");
  if (!isNamed)
    return usageError("lesson", action + (action == "grade" ? " needs a folder" : " needs a lesson"));
  if (action == "new")
    return makeLesson(options.positionals()[1]);
  if (action == "grade")
    return gradeLesson(options.positionals()[1], grading);
  LessonFolder folder;
  llvm::Expected<Lesson> lesson = folder.find(options.positionals()[1]);
  if (!lesson)
    return reportFailure(lesson.takeError());
  if (action == "html")
    return writeText(lessonHtml(*lesson), output);
  if (action == "picture")
    return writeText(drawLesson(*lesson, tile), output);
  return action == "read" ? printLesson(*lesson) : checkOne(*lesson);
}

} // namespace fuselage::cli
