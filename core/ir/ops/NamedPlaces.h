// The names that a text gives to values, by the places of their ops.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace fuselage {

/// "%a" or "%a:2" before an op.
struct NamedResults {
  llvm::StringRef name; ///< without the %
  unsigned count = 1;
};

/// Finds names in a text by line and column, both from 1. The text outlives it.
class NamedPlaces {
public:
  explicit NamedPlaces(llvm::StringRef text);

  /// The groups of "%a, %b:2 = " before an op that begins there; empty if there is nothing of that form.
  std::vector<NamedResults> resultsBefore(unsigned line, unsigned column) const;
  /// "a" of an argument "%a" that begins there.
  llvm::StringRef argumentAt(unsigned line, unsigned column) const;

private:
  llvm::StringRef lineOf(unsigned line) const;

  llvm::StringRef text_;
  std::vector<size_t> lines_; ///< where they begin
};

} // namespace fuselage
