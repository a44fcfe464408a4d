#include "core/engine/lessons/Speedup.h"
#include "core/run/Run.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace fuselage {
namespace {

/// What was measured of the open document; a snapshot is held, so that no other one takes its place.
struct Speedups {
  std::map<std::shared_ptr<const Snapshot>, double> known;
};

/// One pass in microseconds: the quickest launch of each dispatch, together.
llvm::Expected<double> timeOf(Document &document, unsigned snapshot) {
  auto module = document.program(snapshot);
  if (!module)
    return module.takeError();
  RunOptions options;
  options.repeat = 100; // a short launch that nobody disturbs is among them
  options.warmup = 2;
  options.secondsForAll = 1;
  auto report = runModule(document.session(), *module, options);
  if (!report)
    return report.takeError();
  double time = 0;
  for (const KernelReport &kernel : report->kernels)
    time += kernel.minUs * double(kernel.calls);
  return time;
}

} // namespace

llvm::Expected<double> speedupOf(Document &document, unsigned snapshot) {
  if (snapshot == document.firstShown())
    return 1;
  std::shared_ptr<Speedups> &measured = document.extension<Speedups>();
  if (!measured)
    measured = std::make_shared<Speedups>();
  const std::shared_ptr<const Snapshot> key = document.snapshot(snapshot);
  if (auto known = measured->known.find(key); known != measured->known.end())
    return known->second;
  std::vector<double> before, after;
  constexpr size_t fewest = 3, most = 6;
  const auto areApart = [&] { return *llvm::min_element(before) > *llvm::max_element(after); };
  while (before.size() < fewest || (before.size() < most && !areApart()))
    for (auto *times : {&before, &after}) {
      auto time = timeOf(document, times == &before ? document.firstShown() : snapshot);
      if (!time)
        return time.takeError();
      times->push_back(*time);
    }
  llvm::sort(after);
  const double quickest = *llvm::min_element(before), middle = after[after.size() / 2];
  return measured->known[key] = middle > 0 ? quickest / middle : 0;
}

} // namespace fuselage
