// Floats that no processor computes with.
#pragma once
#include <string>
#include <vector>

namespace fuselage {

/// The names of the types of 8 bits and fewer that upstream's `arith-emulate-unsupported-floats` takes.
const std::vector<std::string> &narrowFloatNames();

} // namespace fuselage
