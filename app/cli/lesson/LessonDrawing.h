// Draws where a lesson leads: small, without words, and from the lesson's own module.
#pragma once
#include "core/lessons/Lesson.h"

namespace fuselage::cli {

/// An SVG: the graph before the lesson beside the one after it, that alone if no dispatch changed; or, if `tile` names
/// an op and sizes as the action `tile` does ("matmul 32,32,0"), what a tile of that op touches when the lesson begins.
/// The picture's <desc> says how it was made. Failure: a "Show me" fails, or the op is not there.
llvm::Expected<std::string> drawLesson(const Lesson &lesson, llvm::StringRef tile);

} // namespace fuselage::cli
