// MLIR's parser, printer and destructors recurse over nesting; this gives them room.
#pragma once
#include <functional>

namespace fuselage {

/// Calls `work` on a thread with a stack of 256 MiB and waits for it. Where no such thread can be
/// had (address space limits), calls it here.
void runOnLargeStack(const std::function<void()> &work);

} // namespace fuselage
