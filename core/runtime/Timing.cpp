#include "core/runtime/Timing.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

void setTimes(KernelReport &report, std::vector<double> samples) {
  if (samples.empty())
    return;
  std::sort(samples.begin(), samples.end());
  size_t count = samples.size();
  report.minUs = samples.front();
  report.medianUs =
      count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
  report.p95Us = samples[static_cast<size_t>(std::ceil(0.95 * count)) - 1];
}

void setRates(std::vector<KernelReport> &reports, const OpCost &cost) {
  double microseconds = 0;
  for (const KernelReport &report : reports)
    microseconds += report.medianUs;
  if (microseconds <= 0)
    return;
  for (KernelReport &report : reports) {
    if (cost.flops >= 0)
      report.gflops = cost.flops / microseconds * 1e-3;
    if (cost.bytes() >= 0) {
      report.gbps = cost.bytes() / microseconds * 1e-3;
      report.gbpsAtMost = cost.bytesAtMost;
    }
  }
}

bool RepeatPlan::more() const {
  if (repeatsDone_ == 0)
    return true;
  return repeatsDone_ < options_.repeat && spent_ < options_.secondsPerDispatch;
}

void RepeatPlan::ran(double seconds, bool wasTimed) {
  ++(wasTimed ? repeatsDone_ : warmupsDone_);
  spent_ += seconds;
}

} // namespace fuselage
