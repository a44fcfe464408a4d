// How far two results are apart, and whether that is still the same result.
#pragma once
#include "core/run/values/ComparisonGatherer.h"
#include "core/run/values/HostTensor.h"

namespace fuselage {

/// How large what an element was made of is, found by moving each value on the way to it by one
/// rounding (Neighbours.h).
struct TermSizes {
  double terms = 0; ///< what was added up; 0: not known
  double moved = 0; ///< by how much an element moved, as a standard deviation
};

/// How far a result may be from another computation of it; see RoundingErrors.h for where it comes from.
struct ErrorBound {
  /// Of an element.
  double relative = 0;
  /// Of the typical element (the root of the mean square) of the result or its terms: added to the
  /// above.
  double ofTypical = 0;
  /// What it was added up from, where that is known to be larger than the typical element.
  double terms = 0;
  /// By how much an element moves with roundings on the way to it (TermSizes), in place of
  /// `ofTypical`; 0: not known.
  double moved = 0;
  /// What devices may flush to zero: the smallest normal number of the types on the way.
  double smallest = 0;
  IntendedValues intended{};
};

/// The bound as it stands for a result of these values. Sums of terms of both signs are as inexact near
/// zero as anywhere else, hence the absolute part.
Tolerance toleranceFor(const HostTensor &expected, const ErrorBound &bound);

/// Compares element by element: |actual - expected| <= absolute + relative * |expected|. Integers,
/// i1 and index must be equal, as integers; NaN equals NaN, an infinity itself. A result with more
/// than 1 % of NaN, or with less than 1 % of finite elements, is wrong or not comparable, never ok,
/// unless they are intended, and so is one with a quarter of elements that could be 0 or twice as large within the
/// tolerance. Types must agree.
Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const ErrorBound &bound);

/// The reference as a device may compute it, too.
struct OtherReference {
  std::vector<TermSizes> sizesOfTerms{}; ///< of each result
  std::vector<HostTensor> flushed{};     ///< with denormal numbers taken for zero on the way; empty: not known
};

/// Compares results, as many as there are expected and bounds. Where one is called wrong, or its
/// bound tells too little, they are compared once more, with what `computeOtherwise` says: what is
/// called wrong by the size of the terms, where each element counts as right that is near either
/// reference, and the others by how much they move where all values are rounded otherwise.
std::vector<Comparison> compareResults(llvm::ArrayRef<HostTensor> actual, llvm::ArrayRef<HostTensor> expected,
                                       std::vector<ErrorBound> bounds,
                                       llvm::function_ref<OtherReference()> computeOtherwise);

} // namespace fuselage
