// A run as a table of text, the same from `fuselage run` and fuselage-launch.
#pragma once
#include "core/protocol/Run.h"
#include <string>

namespace fuselage {

/// A line a launch, a line a result of the function, the times of all, and the verdict. `libraries` stands between the
/// rows and their sum: how libraries do, a line each.
std::string runTable(const message::RunReport<> &report, const std::string &libraries = "");

} // namespace fuselage
