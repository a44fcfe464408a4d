// Launches that find nothing of theirs in a cache.
#pragma once
#include "core/runtime/device/Device.h"

namespace fuselage {

/// Pushes what a device's caches hold out of them, by writing a buffer larger than they are.
class CacheEviction {
public:
  explicit CacheEviction(Device &device);
  /// What counts as larger than any cache of the device: twice the last level's of a software device,
  /// 256 MiB of others (at most a sixteenth of their memory).
  uint64_t bytes() const { return bytes_; }
  /// False where the device has no room for it.
  bool evict();

private:
  Device &device_;
  uint64_t bytes_;
  bool failed_ = false;
  std::unique_ptr<DeviceBuffer> buffer_;
  std::vector<uint8_t> content_;
};

/// The buffers of one dispatch, several times: launch after launch works on another set, so that by the
/// time a set comes round again the caches have forgotten it. Where all sets together are too small for
/// that, the caches are evicted at the start of each round.
class ColdBuffers {
public:
  using Set = std::vector<std::shared_ptr<DeviceBuffer>>;
  /// `original`: buffers of `arguments` arguments first, then results and scratch memory.
  ColdBuffers(Device &device, CacheEviction &eviction, Set original, size_t arguments);
  /// Makes sets for this many launches, as far as the device's memory goes.
  void prepare(unsigned launches);
  const Set &original() const { return sets_.front(); }
  /// The set for the next launch; the first is the original one.
  const Set &next();
  /// "rotated", "flushed" (one set, evicted before each launch) or "warm" (neither was possible).
  const char *how() const;

private:
  /// `contents`: of the arguments.
  Result<Set> copy(std::span<const std::vector<uint8_t>> contents);

  Device &device_;
  CacheEviction &eviction_;
  std::vector<Set> sets_;
  size_t arguments_;
  uint64_t setBytes_ = 0;
  size_t launches_ = 0;
  bool evicted_ = true;
};

} // namespace fuselage
