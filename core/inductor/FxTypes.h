// Types of FX values as torch prints them, as types of MLIR.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage::inductor {

/// "tensor<2x16x64xf32>" of "f32[2, 16, 64]", also with the strides and the device that some files have after it
/// ("f32[2, 16][16, 1]cpu"); sizes that are symbols are dynamic. "index" of "Sym(s0)". "none": all others.
std::string mlirType(llvm::StringRef annotation);

/// What torch calls the sizes that are dynamic in that type, in order: "s0", "3*s1".
std::vector<std::string> dynamicSizes(llvm::StringRef annotation);

} // namespace fuselage::inductor
