// Compares what a bundle's kernels gave with what the bundle expects.
#pragma once
#include "core/bundle/Manifest.h"
#include "core/run/values/ComparisonGatherer.h"

namespace fuselage::bundle {

/// Compares by the limits of `expected`, in their order (ExpectedValue). Both are as many bytes as `expected` says.
Comparison compareBytes(std::string_view actual, std::string_view expectedBytes, const ExpectedValue &expected,
                        bool isHost);

} // namespace fuselage::bundle
