// What is almost a repetition in a sequence of numbers.
#pragma once
#include "core/ir/layers/PeriodicRuns.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// The longest run with the distance at which most numbers that are there exactly twice follow each other, of a period
/// that is at least a quarter of all; its length is less than two periods where the two differ. Period 0: there is
/// none.
PeriodicRun findPair(const std::vector<uint32_t> &numbers);

/// A beginning that is almost the same as something.
struct SimilarRun {
  size_t length = 0;  ///< 0: there is none
  size_t changes = 0; ///< single ones that make the one of the other (Levenshtein)
};
/// The numbers from the beginning of `rest` on that are most like `word`, of the lengths for which `mayEnd` holds:
/// those that at most a quarter of changes makes of it. None where the word itself is among them: there something else
/// begins.
SimilarRun findSimilar(llvm::ArrayRef<uint32_t> word, llvm::ArrayRef<uint32_t> rest,
                       llvm::function_ref<bool(size_t)> mayEnd);

} // namespace fuselage
