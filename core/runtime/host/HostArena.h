// The heap of JIT-compiled code.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace fuselage {

/// Blocks of host memory by address. A call's blocks are reclaimed after it, except those kept for
/// its results; freed blocks are used again, so that repeated calls do not pay for fresh pages. Several threads may
/// allocate and release at once.
/// Everything goes back to the system with the arena.
class HostArena {
public:
  HostArena() = default;
  HostArena(const HostArena &) = delete;
  HostArena &operator=(const HostArena &) = delete;
  ~HostArena();

  /// Null if the system has no such memory.
  void *allocate(uint64_t bytes, uint64_t alignment);
  /// Frees a block for later calls; ignores what is not a block of this arena.
  void release(void *block);
  /// Lets a block of the current call outlive `reclaim`. False if it is none.
  bool keep(void *block);
  /// Releases every block that was allocated and neither released nor kept.
  void reclaim();
  /// Gives blocks that nobody uses back to the system, down to so many bytes.
  void trim(uint64_t keep);
  /// What fresh blocks hold from now on; nullopt: whatever was there.
  void fillWith(std::optional<uint8_t> fill) { fill_ = fill; }
  std::optional<uint8_t> fill() const { return fill_; }
  /// Takes memory out of the processor's caches; where it has no instruction for that, fills them with
  /// something else.
  static void evict(const void *memory, uint64_t bytes);
  /// Evicts every block, in use or not.
  void evictAll() const;

private:
  struct Size {
    uint64_t bytes, alignment;
    auto operator<=>(const Size &) const = default;
  };
  std::mutex mutex_;
  std::map<void *, Size> current_, kept_;
  std::multimap<Size, void *> released_;
  uint64_t releasedBytes_ = 0;
  std::optional<uint8_t> fill_;
};

} // namespace fuselage
