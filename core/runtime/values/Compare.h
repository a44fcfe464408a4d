// How far two results are apart, and whether that is still the same result.
#pragma once
#include "core/runtime/values/Comparison.h"
#include "core/runtime/values/HostTensor.h"

namespace fuselage {

/// How far a result may be from another computation of it; see RoundingErrors.h for where it comes from.
struct ErrorBound {
  /// Of an element, and of the typical element (the root of the mean square) of the result or its terms.
  double relative = 0;
  /// What it was added up from, where that is known to be larger than the typical element (sizeOfTerms).
  double terms = 0;
  /// What devices may flush to zero: the smallest normal number of the types on the way.
  double smallest = 0;
  /// The program itself writes infinities (a mask): they do not make the result incomparable.
  bool infinitiesIntended = false;
};

/// The bound as it stands for a result of these values. Sums of terms of both signs are as inexact near
/// zero as anywhere else, hence the absolute part.
Tolerance toleranceFor(const HostTensor &expected, const ErrorBound &bound);

/// Compares element by element: |actual - expected| <= absolute + relative * |expected|. Integers,
/// i1 and index must be equal, as integers; NaN equals NaN, an infinity itself. A result with more
/// than 1 % of NaN, or with less than 1 % of finite elements, is wrong or not comparable, never ok.
/// Types must agree.
Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const ErrorBound &bound);

/// The reference as a device may compute it, too.
struct OtherReference {
  std::vector<double> sizesOfTerms{}; ///< as ErrorBound::terms
  std::vector<HostTensor>
      flushed{}; ///< with denormal numbers taken for zero on the way; empty: not known
};

/// Compares results, as many as there are expected and bounds. Where one is called wrong, they are
/// compared once more, with what `computeOtherwise` says: each element then counts as right that is
/// near either reference.
std::vector<Comparison> compareResults(llvm::ArrayRef<HostTensor> actual,
                                       llvm::ArrayRef<HostTensor> expected,
                                       std::vector<ErrorBound> bounds,
                                       llvm::function_ref<OtherReference()> computeOtherwise);

/// The worse of two comparisons of results of one dispatch.
const Comparison &worseOf(const Comparison &a, const Comparison &b);

} // namespace fuselage
