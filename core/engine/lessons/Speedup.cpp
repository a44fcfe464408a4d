#include "core/engine/lessons/Speedup.h"
#include "core/run/Run.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

namespace fuselage {
namespace {

/// What was measured of the open document; a snapshot is held, so that no other one takes its place.
struct Speedups {
  std::map<std::shared_ptr<const Snapshot>, double> known;
};

/// One pass in microseconds: the quickest launch of each dispatch, together.
llvm::Expected<double> timeOf(Document &document, unsigned snapshot, const std::atomic<bool> *cancelled) {
  auto module = document.program(snapshot);
  if (!module)
    return module.takeError();
  RunOptions options;
  options.repeat = 100; // a short launch that nobody disturbs is among them
  options.warmup = 2;
  options.secondsForAll = 0.4;
  options.cancelled = cancelled;
  auto report = runModule(document.session(), *module, options);
  if (!report)
    return report.takeError();
  double time = 0;
  for (const KernelReport &kernel : report->kernels)
    time += kernel.minUs * double(kernel.calls);
  return time;
}

} // namespace

llvm::Expected<double> speedupOf(Document &document, unsigned snapshot, const std::atomic<bool> *cancelled) {
  if (snapshot == document.firstShown())
    return 1;
  std::shared_ptr<Speedups> &measured = document.extension<Speedups>();
  if (!measured)
    measured = std::make_shared<Speedups>();
  const std::shared_ptr<const Snapshot> key = document.snapshot(snapshot);
  if (auto known = measured->known.find(key); known != measured->known.end())
    return known->second;
  std::vector<double> before, after;
  // Other programs only make runs slower, so that the quickest ones say most.
  const auto ratio = [&] {
    std::nth_element(after.begin(), after.begin() + 1, after.end());
    return *llvm::min_element(before) / std::max(after[1], 1e-3);
  };
  constexpr size_t fewest = 3, most = 8;
  constexpr double clearly = 1.2;
  while (before.size() < fewest || (before.size() < most && ratio() < clearly))
    for (auto *times : {&before, &after}) {
      auto time = timeOf(document, times == &before ? document.firstShown() : snapshot, cancelled);
      if (!time)
        return time.takeError();
      times->push_back(*time);
    }
  return measured->known[key] = ratio();
}

} // namespace fuselage
