// SVG -> PNG and PDF. Internal to core/graph.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// Renders an SVG document. `note` says what had to give way (a picture beyond cairo's limits is
/// scaled down); empty otherwise.
llvm::Expected<std::string> renderPNG(llvm::StringRef svg, double scale, std::string &note);
llvm::Expected<std::string> renderPDF(llvm::StringRef svg);
/// In points.
struct PageSize {
  double width = 0, height = 0;
};
/// SVG documents of that size, one a page.
llvm::Expected<std::string> renderPages(PageSize size, size_t count, llvm::function_ref<std::string(size_t)> page);

} // namespace fuselage
