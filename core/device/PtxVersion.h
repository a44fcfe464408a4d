// Which version of PTX kernels for a chip are written in.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <climits>
#include <string>

namespace fuselage {

/// The version as a feature of LLVM's, "+ptx78": what the chip ("sm_90") needs at least, and for chips up to sm_90 the
/// newest that kernels use and the driver takes. `driverVersion` is CUDA's, 11080 for 11.8; left out: new enough.
std::string ptxFeatureOf(llvm::StringRef chip, int driverVersion = INT_MAX);

} // namespace fuselage
