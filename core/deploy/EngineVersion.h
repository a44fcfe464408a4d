// What an engine says of itself.
#pragma once
#include <string>

namespace fuselage {

/// What `fuselage --version` prints, without the end of the line: an engine on PATH is used if it prints the same.
std::string engineVersion();

} // namespace fuselage
