// fuselage lesson html
#pragma once
#include "core/lessons/Lesson.h"
#include "llvm/Support/Error.h"

namespace fuselage::cli {

/// The lesson as one HTML page that needs no other file: its text, pictures, the module and its graph, hints and what
/// "Show me" does folded away. Nothing of the lesson is markup or a script there. Failure: its module does not open.
llvm::Expected<std::string> lessonHtml(const Lesson &lesson);

} // namespace fuselage::cli
