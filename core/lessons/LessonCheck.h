// What can be wrong with a lesson before anything of it is done.
#pragma once
#include "core/lessons/Lesson.h"
#include <set>

namespace fuselage {

/// What checking a lesson found.
struct LessonProblem {
  unsigned task = 0; ///< from 1; 0: of the lesson
  unsigned line = 0;
  std::string what;
};

/// "panel fusion", "view ir", "command Fuse All": what the window has, as lessons name it.
using WindowNames = std::set<std::string>;
/// Of the lines that `fuselage-gui --names` prints.
WindowNames readWindowNames(llvm::StringRef text);

/// Each task has three hints, a "Show me", and no more words than fit; pictures are in the folder; panels, views and
/// commands are the window's, unless `names` is null, which stands for a window that is not there; and what the lesson
/// comes after is among `known`, and does not come after it.
std::vector<LessonProblem> checkLessonText(const Lesson &lesson, llvm::ArrayRef<Lesson> known,
                                           const WindowNames *names);

} // namespace fuselage
