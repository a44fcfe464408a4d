// What goes into a call of compiled code, and what comes out.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fuselage {

/// A scalar or a dense, row-major tensor in host memory. Copies share the memory.
struct HostValue {
  std::shared_ptr<void> memory{}; ///< where it begins; keeps what it lies in
  std::vector<int64_t> shape{};
  uint64_t byteCount = 0;

  uint8_t *data() const { return static_cast<uint8_t *>(memory.get()); }
};

struct HostCallResults {
  std::vector<HostValue> values{};    ///< of the last repeat
  std::vector<double> microseconds{}; ///< inside the compiled code, of each timed repeat
  double overheadUs = 0;              ///< what the call took beside the compiled code: the copy, mostly
  std::string poison{};               ///< the first op that gave poison, as a sentence; empty: none did, or it
                                      ///< was not looked for
};

} // namespace fuselage
