// Checksums of a bundle's files: SHA-256, as of FIPS 180-4.
#pragma once
#include <string>
#include <string_view>

namespace fuselage {

/// 64 digits, lower case.
std::string sha256(std::string_view bytes);

} // namespace fuselage
