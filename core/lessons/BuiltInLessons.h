// The lessons that come with the program.
#pragma once
#include "core/lessons/Lesson.h"
#include "core/text/Glossary.h"

namespace fuselage {

/// By their numbers.
std::vector<Lesson> builtInLessons();
/// That Help has, too.
const Glossary &builtInGlossary();
/// Writes the files of one into `folder`, which is there; its `folder` is that then.
llvm::Error extractLesson(Lesson &lesson, llvm::StringRef folder);

} // namespace fuselage
