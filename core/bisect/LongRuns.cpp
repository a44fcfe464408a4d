#include "core/bisect/LongRuns.h"
#include "core/run/HostCheck.h"
#include "core/run/Specialize.h"

namespace fuselage {

/// "12 minutes", or seconds if it is less than two.
static std::string describeTime(int64_t seconds) {
  constexpr int64_t minute = 60;
  return seconds < 2 * minute ? std::to_string(seconds) + " s" : std::to_string(seconds / minute) + " minutes";
}

std::string noteOfLongRuns(mlir::ModuleOp input, llvm::StringRef function) {
  auto picked = pickFunction(input, function);
  if (!picked) {
    llvm::consumeError(picked.takeError()); // whoever runs it is told
    return "";
  }
  constexpr int64_t flopsASecond = 1'000'000'000; // of the host's reference
  constexpr int64_t runs = 4;     // what is expected, whether that comes out again, the input, and the last step
  constexpr int64_t longest = 60; // seconds of all, beyond which it is worth a word
  const int64_t seconds = estimateHostFlops(input, picked->getName()) / flopsASecond;
  if (seconds * runs <= longest)
    return "";
  return "@" + picked->getName().str() + " computes " + std::to_string(seconds) +
         " GFlop, which takes the host up to " + describeTime(seconds) + " each of at least " + std::to_string(runs) +
         " runs; the same program with smaller sizes is judged sooner";
}

} // namespace fuselage
