// SVG -> PNG and PDF. Internal to core/graph.
#pragma once
#include "core/support/Error.h"

namespace fuselage {

/// Renders an SVG document. `note` says what had to give way (a picture beyond cairo's limits is
/// scaled down); empty otherwise.
llvm::Expected<std::string> renderPNG(llvm::StringRef svg, double scale, std::string &note);
llvm::Expected<std::string> renderPDF(llvm::StringRef svg);

} // namespace fuselage
