// Runs what somebody hands in against the goals of a lesson.
#pragma once
#include "core/engine/lessons/LessonPlayer.h"
#include "core/lessons/Lesson.h"
#include <cstdint>

namespace fuselage {

/// A goal that a file can reach; the others ask for something that is done in the window.
struct GradedGoal {
  unsigned task = 0; ///< from 0
  Goal goal;
};

/// Of one task, or of all: `task` counts from 1, 0 means all.
std::vector<GradedGoal> gradedGoals(const Lesson &lesson, unsigned task);

/// What became of one file.
struct Grade {
  enum class Outcome { Graded, DoesNotParse, Fails, Crashes, OverLimit };
  Outcome outcome = Outcome::Graded;
  bool isSchedule = false;
  std::string problem{};          ///< why it is not graded
  std::vector<GoalState> goals{}; ///< as of gradedGoals(); empty: it is not graded
  size_t reached() const;
};
/// "graded", "does not parse", ..
llvm::StringRef outcomeName(Grade::Outcome outcome);

struct GradeLimits {
  unsigned seconds = 60; ///< of processor time
  uint64_t bytes = uint64_t(4) << 30;
  static constexpr uint64_t mostFileBytes = uint64_t(64) << 20;
};

/// Grades files one by one, each in a copy of this process, whose death is a grade.
class LessonGrader {
public:
  /// Failure: the lesson's own module does not open.
  static llvm::Expected<std::unique_ptr<LessonGrader>> open(const Lesson &lesson, std::vector<GradedGoal> goals,
                                                            GradeLimits limits);
  /// A module, which is to compute what the lesson's does, or a schedule, which is run on that.
  Grade grade(const std::string &path);

private:
  LessonGrader(std::vector<GradedGoal> goals, GradeLimits limits) : goals_(std::move(goals)), limits_(limits) {}
  LessonPlayer player_;
  std::vector<GradedGoal> goals_;
  GradeLimits limits_;
};

} // namespace fuselage
