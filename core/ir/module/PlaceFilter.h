// Places in files as people type them.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include <optional>

namespace fuselage {

/// "model.mlir:35", "dir/model.mlir:35:7", or ":35", which is that line of any file.
struct PlaceFilter {
  std::string file{}; ///< its path, or the end of it, in whole names; empty: any
  unsigned line = 0;
  unsigned column = 0; ///< 0: any

  /// Nullopt: the text is no place.
  static std::optional<PlaceFilter> read(llvm::StringRef text);
  bool fits(const SourcePosition &position) const;
  /// Whether one of the places fits that something was made of.
  bool fitsAny(mlir::LocationAttr location) const;
};

} // namespace fuselage
