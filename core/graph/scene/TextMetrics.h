// How wide a text will be, without a font system: DejaVu Sans by its own advance widths.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// The family and sizes (px at 1x) of everything drawn in a graph.
inline constexpr const char *graphFont = "DejaVu Sans";
inline constexpr double titleSize = 12, smallSize = 11;
/// The widest that a title may be, in px; longer ones are cut.
inline constexpr double mostTitle = 260;

/// Width of UTF-8 `text` in px at font size `size`. Exact for ASCII and the few signs we print;
/// other characters count as wide ones, so a box made by this never is too small.
double textWidth(llvm::StringRef text, double size);

/// `text`, or as much of it as fits into `width` with an ellipsis at the end.
std::string elideText(llvm::StringRef text, double size, double width);

} // namespace fuselage
