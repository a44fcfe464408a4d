// Which engine on PATH is as good as the one that was copied.
#pragma once
#include <string>

namespace fuselage::remote {

/// What `fuselage --version` prints, without the end of the line: an engine on PATH is used if it prints the same.
std::string engineVersion();

} // namespace fuselage::remote
