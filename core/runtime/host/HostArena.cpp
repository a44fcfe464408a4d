#include "core/runtime/host/HostArena.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#else
#include <vector>
#endif

namespace fuselage {

HostArena::~HostArena() {
  for (auto &[size, block] : released_)
    std::free(block);
  for (auto *blocks : {&current_, &kept_})
    for (auto &[block, size] : *blocks)
      std::free(block);
}

/// The least that is not smaller; 0 where none of 64 bits is.
static uint64_t powerOfTwo(uint64_t number) {
  uint64_t power = 1;
  while (power != 0 && power < number)
    power <<= 1;
  return power;
}

void *HostArena::allocate(uint64_t bytes, uint64_t alignment) {
  std::lock_guard lock(mutex_);
  Size size{std::max<uint64_t>(bytes, 1), std::max<uint64_t>(powerOfTwo(alignment), 64)};
  void *block = nullptr;
  if (auto found = released_.find(size); found != released_.end()) {
    block = found->second;
    releasedBytes_ -= size.bytes;
    released_.erase(found);
  } else {
    if (size.bytes > (uint64_t(1) << 46))
      return nullptr;
    block = std::aligned_alloc(size.alignment, (size.bytes + size.alignment - 1) / size.alignment * size.alignment);
  }
  if (block && fill_)
    std::memset(block, *fill_, size.bytes);
  if (block)
    current_.emplace(block, size);
  return block;
}

void HostArena::release(void *block) {
  std::lock_guard lock(mutex_);
  for (auto *blocks : {&current_, &kept_}) {
    auto found = blocks->find(block);
    if (found == blocks->end())
      continue;
    released_.emplace(found->second, block);
    releasedBytes_ += found->second.bytes;
    blocks->erase(found);
    return;
  }
}

bool HostArena::keep(void *block) {
  auto found = current_.find(block);
  if (found == current_.end())
    return kept_.count(block) != 0;
  kept_.insert(*found);
  current_.erase(found);
  return true;
}

void HostArena::reclaim() {
  for (auto &[block, size] : current_) {
    released_.emplace(size, block);
    releasedBytes_ += size.bytes;
  }
  current_.clear();
}

void HostArena::trim(uint64_t keep) {
  while (releasedBytes_ > keep && !released_.empty()) {
    auto largest = std::prev(released_.end());
    releasedBytes_ -= largest->first.bytes;
    std::free(largest->second);
    released_.erase(largest);
  }
}

#ifdef __x86_64__
void HostArena::evict(const void *memory, uint64_t bytes) {
  constexpr uint64_t line = 64;
  auto *from = static_cast<const char *>(memory);
  for (uint64_t at = 0; at < bytes; at += line)
    _mm_clflush(from + at);
  _mm_mfence();
}
#else
void HostArena::evict(const void *, uint64_t bytes) {
  if (bytes == 0)
    return;
  static std::vector<uint8_t> other(size_t(64) << 20);
  static uint8_t round = 0;
  std::memset(other.data(), ++round, other.size());
}
#endif

void HostArena::evictAll() const {
  for (auto *blocks : {&current_, &kept_})
    for (auto &[block, size] : *blocks)
      evict(block, size.bytes);
  for (auto &[size, block] : released_)
    evict(block, size.bytes);
}

} // namespace fuselage
