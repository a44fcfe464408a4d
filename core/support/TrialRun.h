// Does something dangerous in a forked copy of the process, and hands on what it prints to a stream of LLVM's.
#pragma once
#include "core/support/ForkedCopy.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

/// runForked() (ForkedCopy.h), with `out` for what is to come back.
inline std::optional<TrialResult> runInCopy(TrialLimits limits, llvm::function_ref<void(llvm::raw_ostream &out)> work,
                                            const std::function<void()> &meanwhile = nullptr) {
  return runForked(
      limits,
      [&](int pipe) {
        llvm::raw_fd_ostream out(pipe, /*shouldClose=*/false);
        work(out);
      },
      meanwhile);
}

} // namespace fuselage
