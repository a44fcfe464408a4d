// What a run of IR gives, whatever its level is.
#pragma once
#include "core/run/values/HostTensor.h"
#include <string>
#include <vector>

namespace fuselage {

/// What IR of a level computed.
struct LevelRun {
  std::vector<HostTensor> outputs{};
  /// Why the program is wrong whatever it computed: it stopped, or its threads race or leave their memory.
  std::string fault{};
};

} // namespace fuselage
