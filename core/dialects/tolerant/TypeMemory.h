// The types of values seen lately, by name: what saves the universal parser from wrong guesses.
#pragma once
#include "mlir/IR/Types.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace fuselage {

/// MLIR's parser does not tell the type of a value: one can only ask for a value of a type, and is
/// told off if it has another, which is slow. This remembers types under a hash of the name, across
/// functions and files: an entry may be wrong, and is then corrected. It only saves time; no result
/// depends on it.
class TypeMemory {
public:
  TypeMemory() : entries_(kSize) {}

  static uint64_t hash(llvm::StringRef name, unsigned number) {
    return llvm::hash_combine(llvm::hash_value(name), number);
  }
  mlir::Type lookup(uint64_t hash) const {
    const Entry &entry = entries_[hash % kSize];
    return entry.hash == hash ? entry.type : mlir::Type();
  }
  void remember(uint64_t hash, mlir::Type type) { entries_[hash % kSize] = {hash, type}; }

  /// Values that were used before they were defined, perhaps: there are few.
  bool isForward(uint64_t hash) const { return llvm::is_contained(forward_, hash); }
  void addForward(uint64_t hash) {
    if (isForward(hash))
      return;
    if (forward_.size() == kForward)
      forward_.erase(forward_.begin());
    forward_.push_back(hash);
  }
  bool hasForward() const { return !forward_.empty(); }
  void removeForward(uint64_t hash) { llvm::erase(forward_, hash); }

private:
  struct Entry {
    uint64_t hash = 0;
    mlir::Type type;
  };
  static constexpr size_t kSize = 1 << 14, kForward = 64;
  std::vector<Entry> entries_;
  std::vector<uint64_t> forward_;
};

} // namespace fuselage
