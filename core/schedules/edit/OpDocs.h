// What MLIR's own documentation says of its transform ops.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

struct OpDoc {
  std::string summary;               ///< one line
  std::string syntax;                ///< its assembly format in one line, the op's name first; empty: none is declared
  std::vector<std::string> keywords; ///< words of the syntax that are written as they stand
};

/// Of the op of that name, from the ODS that it was built from; null: there is none.
const OpDoc *docOf(llvm::StringRef op);

} // namespace fuselage
