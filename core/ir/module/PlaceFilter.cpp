#include "core/ir/module/PlaceFilter.h"

namespace fuselage {

/// Takes ":35" off the end of a text; 0: there is none.
static unsigned takeNumber(llvm::StringRef &text) {
  auto [rest, last] = text.rsplit(':');
  unsigned number = 0;
  if (rest.size() == text.size() || last.getAsInteger(10, number) || number == 0)
    return 0;
  text = rest;
  return number;
}

std::optional<PlaceFilter> PlaceFilter::read(llvm::StringRef text) {
  PlaceFilter filter{.line = takeNumber(text)};
  if (filter.line == 0)
    return std::nullopt;
  if (unsigned line = takeNumber(text); line > 0) {
    filter.column = filter.line;
    filter.line = line;
  }
  filter.file = text.str();
  return filter;
}

bool PlaceFilter::fits(const SourcePosition &position) const {
  if (position.line != line || (column > 0 && position.column != column))
    return false;
  llvm::StringRef path = position.file;
  return file.empty() || (path.consume_back(file) && (path.empty() || path.ends_with("/")));
}

bool PlaceFilter::fitsAny(mlir::LocationAttr location) const {
  bool found = false;
  location.walk([&](mlir::Location part) {
    if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(part))
      found = fits({.file = place.getFilename().str(), .line = place.getLine(), .column = place.getColumn()});
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

} // namespace fuselage
