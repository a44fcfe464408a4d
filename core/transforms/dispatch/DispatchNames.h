// Names that are also symbols.
#pragma once
#include <string>

namespace fuselage {

/// `text` with letters that every target takes in a symbol.
std::string symbolOf(std::string text);

} // namespace fuselage
