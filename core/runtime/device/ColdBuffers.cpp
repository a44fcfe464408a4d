#include "core/runtime/device/ColdBuffers.h"
#include <algorithm>
#include <unistd.h>

namespace fuselage {

/// Twice the last level of the host's caches, within reason.
static uint64_t hostCacheBytes() {
  constexpr int64_t unknown = 32 << 20, most = 128 << 20;
  int64_t bytes = unknown;
#ifdef _SC_LEVEL3_CACHE_SIZE
  if (int64_t known = sysconf(_SC_LEVEL3_CACHE_SIZE); known > 0)
    bytes = known;
#endif
  return 2 * std::min(bytes, most);
}

CacheEviction::CacheEviction(Device &device) : device_(device) {
  constexpr uint64_t largestCache = 256 << 20;
  const DeviceInfo &info = device.info();
  bytes_ = info.software ? hostCacheBytes() : largestCache;
  if (info.memoryBytes != 0)
    bytes_ = std::min(bytes_, info.memoryBytes / 16);
}

bool CacheEviction::evict() {
  if (!failed_ && !buffer_) {
    auto buffer = device_.allocate(bytes_);
    if (buffer)
      buffer_ = std::move(*buffer);
    content_.resize(buffer_ ? bytes_ : 0, 1);
    failed_ = !buffer_;
  }
  if (failed_)
    return false;
  if (device_.upload(*buffer_, content_)) // a lost device says so at the launch
    failed_ = true;
  return !failed_;
}

ColdBuffers::ColdBuffers(Device &device, CacheEviction &eviction, Set original, size_t arguments)
    : device_(device), eviction_(eviction), arguments_(arguments) {
  for (const auto &buffer : original)
    setBytes_ += buffer->byteCount();
  sets_.push_back(std::move(original));
}

Result<ColdBuffers::Set> ColdBuffers::copy(std::span<const std::vector<uint8_t>> contents) {
  Set set;
  for (size_t i = 0; i < sets_.front().size(); ++i) {
    auto buffer = device_.allocate(sets_.front()[i]->byteCount());
    if (!buffer)
      return buffer.takeError();
    if (i < contents.size())
      if (Status error = device_.upload(**buffer, contents[i]))
        return error;
    set.push_back(std::move(*buffer));
  }
  return set;
}

void ColdBuffers::prepare(unsigned launches) {
  constexpr uint64_t most = 64; // drivers limit the number of allocations
  uint64_t setBytes = std::max<uint64_t>(setBytes_, 1), needed = (eviction_.bytes() + setBytes - 1) / setBytes + 1;
  uint64_t count = std::min<uint64_t>({launches, most, needed});
  std::vector<std::vector<uint8_t>> contents;
  for (size_t i = 0; i < arguments_ && sets_.size() < count; ++i) {
    DeviceBuffer &buffer = *sets_.front()[i];
    if (device_.download(buffer, contents.emplace_back(buffer.byteCount())))
      return; // a lost device says so at the launch
  }
  while (sets_.size() < count) {
    auto set = copy(contents);
    if (!set)
      return;
    sets_.push_back(std::move(*set));
  }
}

const ColdBuffers::Set &ColdBuffers::next() {
  size_t number = launches_++ % sets_.size();
  bool forgotten = (sets_.size() - 1) * setBytes_ >= eviction_.bytes(); // by what the other sets went through
  if (number == 0 && (launches_ == 1 || !forgotten))
    evicted_ &= eviction_.evict();
  return sets_[number];
}

const char *ColdBuffers::how() const {
  bool forgotten = (sets_.size() - 1) * setBytes_ >= eviction_.bytes();
  if (!evicted_ && !forgotten)
    return "warm";
  return sets_.size() > 1 ? "rotated" : "flushed";
}

} // namespace fuselage
