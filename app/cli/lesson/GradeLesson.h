// fuselage lesson grade
#pragma once
#include "app/cli/Options.h"
#include <cstdint>

namespace fuselage::cli {

struct GradeRequest {
  std::string lesson; ///< as LessonFolder::find takes it
  uint64_t task = 0;  ///< from 1; 0: all
  std::string csv;    ///< a file; empty: the CSV is the output
  uint64_t seconds = 60;
};

void declareGrading(Options &options, GradeRequest &request);

/// Grades each .mlir file below `folder`, in the order of their names, and returns the exit code: what was handed in
/// does not change it.
int gradeLesson(const std::string &folder, const GradeRequest &request);

} // namespace fuselage::cli
