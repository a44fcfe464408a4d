// Words of a command line that somebody typed. No shell ever runs.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fuselage {

/// Splits as a shell does: blanks separate, '...' is literal, "..." and \ keep what is special. Nothing is expanded: no
/// variables, no wildcards, no ~. Failure: a quote that does not end, or a character that only a shell could obey
/// unquoted: | & ; < > ` or $(.
llvm::Expected<std::vector<std::string>> splitShellWords(llvm::StringRef line);

/// One line that splits into these words.
std::string joinShellWords(llvm::ArrayRef<std::string> words);

} // namespace fuselage
