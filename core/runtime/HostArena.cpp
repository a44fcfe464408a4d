#include "core/runtime/HostArena.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>

namespace fuselage {

HostArena::~HostArena() {
  trim();
  for (auto *blocks : {&current_, &kept_})
    for (auto &[block, size] : *blocks)
      std::free(block);
}

void *HostArena::allocate(uint64_t bytes, uint64_t alignment) {
  Size size{std::max<uint64_t>(bytes, 1), std::max<uint64_t>(llvm::PowerOf2Ceil(alignment), 64)};
  void *block = nullptr;
  if (auto found = released_.find(size); found != released_.end()) {
    block = found->second;
    released_.erase(found);
  } else {
    if (size.bytes > (uint64_t(1) << 46))
      return nullptr;
    block = std::aligned_alloc(size.alignment, llvm::alignTo(size.bytes, size.alignment));
  }
  if (block)
    current_.emplace(block, size);
  return block;
}

void HostArena::release(void *block) {
  for (auto *blocks : {&current_, &kept_}) {
    auto found = blocks->find(block);
    if (found == blocks->end())
      continue;
    released_.emplace(found->second, block);
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
  for (auto &[block, size] : current_)
    released_.emplace(size, block);
  current_.clear();
}

void HostArena::trim() {
  for (auto &[size, block] : released_)
    std::free(block);
  released_.clear();
}

} // namespace fuselage
