// Copies that a thread has begun, and not waited for yet.
#pragma once
#include "core/emulator/Memory.h"
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace fuselage::emulator {

class RaceDetector;

struct PendingCopy {
  Buffer *buffer;
  uint64_t byte;
  unsigned bytes;
  uint64_t group;
  std::array<uint8_t, 16> value;
};

/// By thread. What is copied is there only after its thread has waited for it.
class AsyncCopies {
public:
  explicit AsyncCopies(unsigned lanes) : threads_(lanes) {}
  void begin(unsigned lane, PendingCopy copy);
  /// Everything that the thread began since its last group is one.
  void createGroup(unsigned lane) { ++threads_[lane].groups; }
  /// Until no more than `groups` of the thread are under way.
  void wait(unsigned lane, uint64_t groups, RaceDetector &races);
  /// At the end of a workgroup: what nobody has waited for is not awaited any more.
  void clear();

private:
  struct Thread {
    std::deque<PendingCopy> copies{};
    uint64_t groups = 0; ///< that were created
  };
  std::vector<Thread> threads_;
};

} // namespace fuselage::emulator
