// What a value is computed of.
#pragma once
#include "core/executable/HostLimits.h"
#include "core/run/parameters/InputFiles.h"
#include <atomic>

namespace fuselage {

/// What the run takes: as in RunOptions.
struct ValueOptions {
  std::string function{}; ///< empty: the one around the value if it is public, else the first public one
  uint64_t seed = 1;
  std::map<std::string, int64_t> sizes{};
  std::map<std::string, std::string> inputs{};
  InputFiles files{};
  HostLimits limits{};
  int64_t mostFlops = -1; ///< what takes more is not computed; -1: everything is
  const std::atomic<bool> *cancelled = nullptr;
};

} // namespace fuselage
