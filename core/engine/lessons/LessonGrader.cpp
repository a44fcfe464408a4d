#include "core/engine/lessons/LessonGrader.h"
#include "core/support/TrialRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

namespace fuselage {

std::vector<GradedGoal> gradedGoals(const Lesson &lesson, unsigned task) {
  std::vector<GradedGoal> goals;
  for (unsigned i = 0; i < lesson.tasks.size(); ++i)
    if (task == 0 || task == i + 1)
      for (const Goal &goal : lesson.tasks[i].goals)
        if (!isOfWindow(goal.fact) || goal.fact == "schedule runs")
          goals.push_back({.task = i, .goal = goal});
  return goals;
}

size_t Grade::reached() const {
  return llvm::count_if(goals, [](const GoalState &goal) { return goal.holds; });
}

llvm::StringRef outcomeName(Grade::Outcome outcome) {
  switch (outcome) {
  case Grade::Outcome::Graded:
    return "graded";
  case Grade::Outcome::DoesNotParse:
    return "does not parse";
  case Grade::Outcome::Fails:
    return "fails";
  case Grade::Outcome::Crashes:
    return "crashes";
  case Grade::Outcome::OverLimit:
    return "over the limit";
  }
  return "";
}

llvm::Expected<std::unique_ptr<LessonGrader>> LessonGrader::open(const Lesson &lesson, std::vector<GradedGoal> goals,
                                                                 GradeLimits limits) {
  std::unique_ptr<LessonGrader> grader(new LessonGrader(std::move(goals), limits));
  if (llvm::Error error = grader->player_.open(lesson))
    return error;
  return grader;
}

/// Of a schedule that fails only whether it runs is known: what it did until then is nobody's result. What is measured
/// does not wait for the other goals here, as it does in a task, and an answer that nobody gave hides nothing.
static std::vector<GoalState> judgeAll(LessonPlayer &player, llvm::ArrayRef<GradedGoal> goals, bool isWhole) {
  std::vector<GoalState> states(goals.size());
  LessonTask together;
  std::vector<size_t> places;
  for (auto [place, graded] : llvm::enumerate(goals)) {
    if (!isWhole && graded.goal.fact != "schedule runs") {
      states[place].text = "the schedule fails";
    } else if (isMeasured(graded.goal.fact) || isOfWindow(graded.goal.fact)) {
      states[place] = player.judge(LessonTask{.title = {}, .goals = {graded.goal}}).front();
    } else {
      together.goals.push_back(graded.goal);
      places.push_back(place);
    }
  }
  for (auto [place, state] : llvm::zip_equal(places, player.judge(together)))
    states[place] = std::move(state);
  return states;
}

/// What the copy finds, for the pipe.
static llvm::json::Object gradeHere(LessonPlayer &player, llvm::ArrayRef<GradedGoal> goals, llvm::StringRef path) {
  LessonPlayer::Submission submission;
  llvm::json::Object found;
  if (llvm::Error error = player.submit(path, submission)) {
    Failure failure = takeFailure(std::move(error));
    const std::string why =
        failure.diagnostics.empty() ? failure.message : formatDiagnostic(failure.diagnostics.front());
    found["problem"] = llvm::json::fixUTF8(llvm::join(llvm::split(why, '\n'), "; ")); // a row is a line
  }
  found["parses"] = submission.parses;
  found["isSchedule"] = submission.isSchedule;
  const bool isWhole = !found.get("problem");
  if (!isWhole && !submission.isSchedule)
    return found;
  llvm::json::Array states;
  for (const GoalState &state : judgeAll(player, goals, isWhole))
    states.push_back(llvm::json::Object{{"holds", state.holds}, {"text", llvm::json::fixUTF8(state.text)}});
  found["goals"] = std::move(states);
  return found;
}

static Grade gradeFrom(const llvm::json::Object &found) {
  Grade grade{.isSchedule = found.getBoolean("isSchedule").value_or(false)};
  if (auto problem = found.getString("problem")) {
    grade.problem = problem->str();
    grade.outcome = found.getBoolean("parses").value_or(false) ? Grade::Outcome::Fails : Grade::Outcome::DoesNotParse;
  }
  if (const llvm::json::Array *goals = found.getArray("goals"))
    for (const llvm::json::Value &goal : *goals)
      grade.goals.push_back({.holds = goal.getAsObject()->getBoolean("holds").value_or(false),
                             .text = goal.getAsObject()->getString("text").value_or("").str()});
  return grade;
}

Grade LessonGrader::grade(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return {.outcome = Grade::Outcome::DoesNotParse, .problem = "cannot be read: " + error.message()};
  if (status.getSize() > GradeLimits::mostFileBytes)
    return {.outcome = Grade::Outcome::OverLimit, .problem = "has more than 64 MiB"};
  auto copy = runInCopy({.seconds = limits_.seconds, .bytes = limits_.bytes},
                        [&](llvm::raw_ostream &out) { out << llvm::json::Value(gradeHere(player_, goals_, path)); });
  if (!copy)
    return {.outcome = Grade::Outcome::Fails, .problem = "no process can be made to grade it"};
  if (copy->death)
    return {.outcome = llvm::StringRef(*copy->death).starts_with("takes") ? Grade::Outcome::OverLimit
                                                                          : Grade::Outcome::Crashes,
            .problem = *copy->death};
  llvm::Expected<llvm::json::Value> found = llvm::json::parse(copy->output);
  if (!found || !found->getAsObject()) {
    llvm::consumeError(found.takeError());
    return {.outcome = Grade::Outcome::Crashes, .problem = "ends without an answer"};
  }
  return gradeFrom(*found->getAsObject());
}

} // namespace fuselage
