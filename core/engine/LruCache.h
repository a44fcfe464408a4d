// Keeps what was used last, up to a budget.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <utility>

namespace fuselage {

/// A small cache searched linearly: entries are few and large. The newest entry always stays, even
/// when it exceeds the budget alone. Holders of a shared pointer keep an evicted value alive.
template <typename Key, typename Value> class LruCache {
public:
  explicit LruCache(uint64_t budget) : budget_(budget) {}

  /// Null if it is not there.
  std::shared_ptr<Value> find(const Key &key) {
    for (auto it = entries_.begin(); it != entries_.end(); ++it)
      if (it->key == key) {
        entries_.splice(entries_.begin(), entries_, it);
        return entries_.front().value;
      }
    return nullptr;
  }

  void insert(Key key, std::shared_ptr<Value> value, uint64_t cost) {
    entries_.push_front({std::move(key), std::move(value), cost});
    used_ += cost;
    while (used_ > budget_ && entries_.size() > 1) {
      used_ -= entries_.back().cost;
      entries_.pop_back();
    }
  }

  void clear() {
    entries_.clear();
    used_ = 0;
  }

private:
  struct Entry {
    Key key;
    std::shared_ptr<Value> value;
    uint64_t cost;
  };
  std::list<Entry> entries_;
  uint64_t budget_, used_ = 0;
};

} // namespace fuselage
