// What `fuselage bisect` prints.
#pragma once
#include "core/bisect/Blame.h"

namespace fuselage::cli {

/// What was searched, and what came of it.
struct BisectResult {
  const Recording &recording;
  const Culprit &culprit;
  std::string path;                 ///< of the input
  std::vector<std::string> options; ///< that 'fuselage step' needs to record the same
};

std::string bisectText(const BisectResult &result);
std::string bisectJson(const BisectResult &result);

} // namespace fuselage::cli
