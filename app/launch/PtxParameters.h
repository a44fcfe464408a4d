// What a kernel of a bundle takes, by its PTX: the driver reads as many arguments as that says.
#pragma once
#include "core/support/Result.h"
#include <string>
#include <string_view>

namespace fuselage {

/// Success if the PTX has one entry of this name, with `count` parameters of 64 bits each, which is what launches give.
/// With more or larger ones the driver would read beyond what it is given.
Status checkPtxEntry(std::string_view ptx, const std::string &entry, size_t count);

} // namespace fuselage
