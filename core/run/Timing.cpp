#include "core/run/Timing.h"
#include "core/device/HostProcessor.h"
#include <algorithm>
#include <cstdio>

namespace fuselage {

void setTimes(KernelReport &report, std::vector<double> samples) {
  if (samples.empty())
    return;
  report.samples = keptSamples(samples);
  std::sort(samples.begin(), samples.end());
  report.launches = samples.size();
  report.minUs = samples.front();
  report.medianUs = medianOf(samples);
  report.p95Us = p95Of(samples);
}

void addCall(KernelReport &row, const KernelReport &again) {
  ++row.calls;
  if (row.samples.size() >= kKeptSamples)
    return; // enough to tell
  std::vector<double> samples = row.samples;
  llvm::append_range(samples, again.samples);
  setTimes(row, std::move(samples));
}

void setRates(std::vector<KernelReport> &reports, const OpCost &cost) {
  double microseconds = 0;
  for (KernelReport &report : reports) {
    microseconds += report.medianUs;
    report.flops = cost.flops < 0 ? -1 : cost.flops;
    report.bytes = cost.bytes() < 0 ? -1 : cost.bytes();
  }
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

static double sumOf(const std::vector<KernelReport> &kernels, bool once) {
  double sum = 0;
  for (const KernelReport &kernel : kernels)
    sum += kernel.once == once ? kernel.medianUs * kernel.calls : 0;
  return sum;
}

double RunReport::sumUs() const { return sumOf(kernels, /*once=*/false); }
double RunReport::onceUs() const { return sumOf(kernels, /*once=*/true); }

/// The most that one of them runs on.
static unsigned threadsOf(llvm::ArrayRef<KernelReport> kernels) {
  unsigned most = 1;
  for (const KernelReport &kernel : kernels)
    most = std::max(most, kernel.block[0]);
  return most;
}

std::string RunReport::doubtOfSum() const {
  constexpr double many = 10;
  if (wallUs <= 0 || sumUs() <= many * wallUs)
    return "";
  char times[32];
  std::snprintf(times, sizeof times, "%.0f", sumUs() / wallUs);
  return std::string("warning: the sum of the medians is ") + times +
         " times what one whole pass took, and so not what the program takes: timed launches found cold caches or a "
         "busy machine; more repeats, "
         "or warm caches, tell more";
}

/// About the clocks alone.
static std::string clockNote(const RunReport &report) {
  const std::string &device = report.device;
  const std::vector<KernelReport> &kernels = report.kernels;
  auto isOf = [](Clock clock) { return [clock](const KernelReport &kernel) { return kernel.clock == clock; }; };
  if (std::none_of(kernels.begin(), kernels.end(), isOf(Clock::Host)))
    return "";
  if (device == kHostId)
    return "times are by the host's clock, of the compiled code alone (" +
           hostProcessor().describe(threadsOf(kernels)) + ")";
  bool onDevice = std::any_of(kernels.begin(), kernels.end(), [&](const KernelReport &kernel) {
    return kernel.device == device && kernel.clock == Clock::Host;
  });
  if (onDevice)
    return device + " has no timestamps: its times are the host's, around a submission each and with its overhead, so "
                    "that the kernels take at most the sum";
  return "the sum adds times by the device's clock and, for what ran on the host, by the host's";
}

std::string RunReport::timingNote() const {
  std::string note = clockNote(*this), doubt = doubtOfSum();
  return note.empty() || doubt.empty() ? note + doubt : note + "; " + doubt;
}

} // namespace fuselage
