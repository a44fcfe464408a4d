// A picture of a lesson, whose author may be anybody.
#pragma once
#include "core/lessons/Lesson.h"

namespace fuselage {

struct LessonPictureLimits {
  static constexpr uint64_t mostBytes = uint64_t(4) << 20;
  static constexpr unsigned mostPixels = 8192; ///< of a side
};

struct LessonPicture {
  llvm::StringRef type; ///< "image/svg+xml", "image/png" or "image/jpeg"
  std::string bytes;
};

/// Reads a file of the lesson's folder. Failure: it is not there, or is elsewhere, also by a link; it is no SVG, PNG or
/// JPEG by its name and its first bytes; it is an SVG that refers to other files; it exceeds a limit.
llvm::Expected<LessonPicture> readLessonPicture(const Lesson &lesson, llvm::StringRef name);

/// Whether a name is that of a file in the folder that it is relative to, or below.
bool staysInFolder(llvm::StringRef name);

} // namespace fuselage
