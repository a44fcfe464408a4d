#include "app/cli/lesson/GradeLesson.h"
#include "app/cli/Activity.h"
#include "app/cli/Output.h"
#include "app/cli/lesson/LessonFolder.h"
#include "core/engine/lessons/LessonGrader.h"
#include "core/support/OutputFile.h"
#include "core/support/StandardOutput.h"
#include "core/text/CsvCell.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

void declareGrading(Options &options, GradeRequest &request) {
  options.text("lesson", "LESSON", "grade: the lesson whose goals count", request.lesson);
  options.number("task", "grade: only the goals of this task (default: of all tasks)", request.task, 1, 1000);
  options.text("csv", "OUT.csv", "grade: the file for the table; the output is a text for each file then", request.csv);
  options.number("limit", "grade: seconds of processor time for each file (default: 60); 4 GiB of memory are the other",
                 request.seconds, 1, 3600);
}

/// Links are left alone: they could lead anywhere.
static llvm::Expected<std::vector<std::string>> filesBelow(const std::string &folder) {
  namespace fs = llvm::sys::fs;
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error, /*FollowSymlinks=*/false), end; !error && at != end;
       at.increment(error))
    if (at->type() == fs::file_type::regular_file && llvm::sys::path::extension(at->path()) == ".mlir")
      files.push_back(at->path());
  if (error)
    return fail("'" + folder + "' cannot be read: " + error.message());
  if (files.empty())
    return fail("'" + folder + "' has no .mlir file");
  llvm::sort(files);
  return files;
}

namespace {
struct Row {
  std::string name;
  Grade grade;
};
} // namespace

static std::string headOf(const GradedGoal &goal) { return std::to_string(goal.task + 1) + ": " + goal.goal.text; }

/// "1: dispatches = 1: 2 dispatches, 1 wanted; .."
static std::string textOf(llvm::ArrayRef<GradedGoal> goals, const Grade &grade) {
  std::string text = grade.problem;
  for (auto [goal, state] : llvm::zip(goals, grade.goals))
    text += (text.empty() ? "" : "; ") + headOf(goal) + ": " + state.text;
  return text;
}

static std::string csvOf(llvm::ArrayRef<GradedGoal> goals, llvm::ArrayRef<Row> rows) {
  std::string csv = "file,kind,outcome,reached,goals";
  for (const GradedGoal &goal : goals)
    csv += "," + csvCell(headOf(goal));
  csv += ",text\n";
  for (const Row &row : rows) {
    const Grade &grade = row.grade;
    const bool isRead = grade.outcome == Grade::Outcome::Graded || grade.outcome == Grade::Outcome::Fails;
    csv += csvCell(row.name) + "," +
           (!isRead            ? ""
            : grade.isSchedule ? "schedule"
                               : "module") +
           "," + outcomeName(grade.outcome).str() + "," + std::to_string(grade.reached()) + "," +
           std::to_string(goals.size());
    for (size_t i = 0; i < goals.size(); ++i)
      csv += i >= grade.goals.size() ? "," : grade.goals[i].holds ? ",yes" : ",no";
    csv += "," + csvCell(textOf(goals, grade)) + "\n";
  }
  return csv;
}

static std::string reportOf(llvm::ArrayRef<GradedGoal> goals, const Row &row) {
  const Grade &grade = row.grade;
  std::string text = row.name + ": " + std::to_string(grade.reached()) + " of " + std::to_string(goals.size()) +
                     (goals.size() == 1 ? " goal" : " goals");
  if (grade.outcome != Grade::Outcome::Graded)
    text += ", " + outcomeName(grade.outcome).str() + "\n  " + grade.problem;
  for (auto [goal, state] : llvm::zip(goals, grade.goals))
    text += "\n  " + std::string(state.holds ? "reached  " : "missed   ") + headOf(goal) + ": " + state.text;
  return text + "\n";
}

/// What is wrong with the request, found before anything is graded.
static llvm::Error checkRequest(const Lesson &lesson, llvm::ArrayRef<GradedGoal> goals, const GradeRequest &request) {
  if (request.task > lesson.tasks.size())
    return fail("the lesson has no task " + std::to_string(request.task) + ", but " +
                std::to_string(lesson.tasks.size()));
  if (goals.empty())
    return fail("no goal of " + std::string(request.task ? "the task" : "the lesson") +
                " is about a module or a schedule: answers and clicks are given in the window");
  return request.csv.empty() ? llvm::Error::success() : checkOutputFile(request.csv);
}

static llvm::Expected<std::vector<Row>> gradeAll(LessonGrader &grader, const std::string &folder) {
  auto files = filesBelow(folder);
  if (!files)
    return files.takeError();
  std::vector<Row> rows;
  for (const std::string &file : *files) {
    llvm::StringRef name(file);
    name.consume_front(folder);
    setActivity(("grading '" + name.ltrim('/') + "'").str());
    rows.push_back({.name = name.ltrim('/').str(), .grade = grader.grade(file)});
  }
  return rows;
}

int gradeLesson(const std::string &folder, const GradeRequest &request) {
  if (request.lesson.empty())
    return usageError("lesson", "grade needs --lesson");
  LessonFolder lessons;
  auto lesson = lessons.find(request.lesson);
  if (!lesson)
    return reportFailure(lesson.takeError());
  const std::vector<GradedGoal> goals = gradedGoals(*lesson, static_cast<unsigned>(request.task));
  if (llvm::Error error = checkRequest(*lesson, goals, request))
    return reportFailure(std::move(error));
  auto grader = LessonGrader::open(*lesson, goals, {.seconds = static_cast<unsigned>(request.seconds)});
  if (!grader)
    return reportFailure(grader.takeError());
  auto rows = gradeAll(**grader, folder);
  if (!rows)
    return reportFailure(rows.takeError());
  if (request.csv.empty()) {
    results() << csvOf(goals, *rows);
    return ExitOk;
  }
  for (const Row &row : *rows)
    results() << reportOf(goals, row);
  if (llvm::Error error = writeOutputFile(request.csv, csvOf(goals, *rows)))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
