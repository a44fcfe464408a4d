// fuselage lesson check
#pragma once
#include "core/lessons/Lesson.h"

namespace fuselage::cli {

/// Checks lessons, of which each may come after others of `known`. What is wrong goes to the standard error as
/// compilers say it; returns the exit code. Names of panels, views and commands are asked of the window's program;
/// where that is not there, they are left out, which is said once.
int checkLessons(llvm::ArrayRef<Lesson> lessons, llvm::ArrayRef<Lesson> known);

} // namespace fuselage::cli
