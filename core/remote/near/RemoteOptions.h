// What `fuselage remote` was asked for.
#pragma once
#include "core/remote/far/FarOptions.h"
#include <chrono>
#include <string>
#include <vector>

namespace fuselage::remote {

struct RemoteOptions {
  std::vector<std::string> command; ///< words of the user's command
  std::string host;                 ///< as people call it
  std::string engineId, engineVersion;
  FarOptions far{}; ///< but for `session`, which is made
  std::chrono::milliseconds silence = std::chrono::seconds(8);
};

} // namespace fuselage::remote
