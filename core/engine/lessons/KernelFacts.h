// What goals of lessons ask of the kernels of a function.
#pragma once
#include "core/engine/Engine.h"

namespace fuselage {

/// "workgroup memory", "occupancy", "bank conflicts", "uncoalesced", "kernel reads" or "races" of the function of that
/// name: of its own launches, or of those that its dispatches become on any GPU of Vulkan's. The most workgroup memory
/// of a kernel, the least occupancy of one, and of the others the sum. "kernel reads" are bytes, and known of
/// dispatches only. Occupancy is in percent of the warps of a multiprocessor of H100, by threads and workgroup memory:
/// registers are known to a compiler only.
llvm::Expected<double> kernelFact(Document &document, unsigned snapshot, llvm::StringRef fact,
                                  llvm::StringRef function);

} // namespace fuselage
