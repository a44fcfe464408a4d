// The words and numbers on a graph. Internal to core/graph.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace fuselage {

/// "128x768xf32" for tensor<128x768xf32>, "memref 128x768xf32" for a memref with a layout.
std::string shortType(llvm::StringRef type);

/// "384 KiB"; empty for a negative number.
std::string formatBytes(int64_t bytes);

/// "151 MFLOP"; empty for zero or less.
std::string formatFlops(int64_t flops);

} // namespace fuselage
