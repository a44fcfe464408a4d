#include "core/run/peaks/PeakMeasure.h"
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/device/HostProcessor.h"
#include "core/run/peaks/MicroKernel.h"
#include "core/run/peaks/NvidiaPeaks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {

using message::Peak, message::PeakKind;

PeakPlan planPeaks(const DeviceInfo &info) {
  constexpr uint64_t mebi = 1 << 20;
  PeakPlan plan{
      .trafficBytes = 512 * mebi, .cacheBytes = 0, .elements = 2 * mebi, .steps = 96, .types = {"f32", "f16"}};
  if (info.software)
    // Only f32: f16 is computed in f32 there, but for hosts with HostTarget::computesHalves.
    plan = {.trafficBytes = 64 * mebi,
            .cacheBytes = 0,
            .levels = {},
            .processors = hostProcessor().threads,
            .elements = 128 << 10,
            .steps = 32,
            .types = {"f32"}};
  // Half of L1 and of L2 leaves room for other data. Software Vulkan gets no such peaks: it reads no faster from there
  // than from the last cache.
  if (isHost(info.model)) {
    HostTarget host = HostTarget::of(info.model);
    plan.levels = {{kLevel2Peak, host.level2Bytes / 2}, {kLevel1Peak, host.level1Bytes / 2}};
  }
  uint64_t last = std::max<int64_t>(info.model.lastCacheBytes.value, 0);
  // A quarter of the last cache: more than L1 and L2 of one multiprocessor, and with room for other data.
  uint64_t fits = std::min(last / 4, (info.software ? 16 : 64) * mebi);
  if (fits >= mebi)
    plan.cacheBytes = llvm::bit_floor(fits);
  if (info.memoryBytes != 0)
    plan.trafficBytes = std::min(plan.trafficBytes, llvm::bit_floor(std::max(info.memoryBytes / 16, mebi)));
  return plan;
}

namespace {

/// One measuring of a device.
class PeakSurvey {
public:
  PeakSurvey(mlir::MLIRContext &context, Device &device, const DeviceInfo &info, const std::atomic<bool> *cancelled)
      : context_(context), device_(device), plan_(planPeaks(info)), cancelled_(cancelled) {
    peaks_.device = info.id;
    peaks_.name = info.name;
    peaks_.driver = info.driver;
  }
  llvm::Expected<message::DevicePeaks<>> run();

private:
  struct Reading {
    double rate = -1; ///< 10^9 units of `work` a second
    MicroTimes times;
  };
  bool cancelled() const { return cancelled_ && cancelled_->load(); }
  llvm::Expected<Reading> read(const MicroModule &module, double input, double expected, double work, bool coldCaches);
  void bandwidth(const char *name, llvm::ArrayRef<uint64_t> sizes, bool coldCaches);
  std::optional<Peak<>> fastest(const char *name, uint64_t bytes, bool coldCaches, std::string &why);
  void level(const PeakPlan::Level &level);
  void peak(const std::string &type);
  void plainPeaks();
  void nvidiaPeaks();
  void miss(const std::string &what, llvm::Error error) {
    peaks_.missing.push_back(what + ": " + takeFailure(std::move(error)).message);
  }

  mlir::MLIRContext &context_;
  Device &device_;
  PeakPlan plan_;
  const std::atomic<bool> *cancelled_;
  message::DevicePeaks<> peaks_;
};

} // namespace

llvm::Expected<PeakSurvey::Reading> PeakSurvey::read(const MicroModule &module, double input, double expected,
                                                     double work, bool coldCaches) {
  auto kernel = MicroKernel::make(context_, device_, module, input, expected, cancelled_);
  if (!kernel)
    return kernel.takeError();
  auto times = (*kernel)->time({.launches = 9, .seconds = 0.8, .coldCaches = coldCaches});
  if (!times)
    return times.takeError();
  Reading reading{.rate = work / times->least() * 1e-3, .times = std::move(*times)};
  return reading;
}

/// A processor fetches what it is about to overwrite, so that there a copy moves more than it reads and writes;
/// elsewhere sums may be limited by adding. The faster of both is what the memory does at least.
std::optional<Peak<>> PeakSurvey::fastest(const char *name, uint64_t bytes, bool coldCaches, std::string &why) {
  constexpr int64_t columns = 4096;
  int64_t elements = bytes / sizeof(float);
  MicroModule copy = copyModule(elements / 2), sums = rowSumModule(std::max<int64_t>(elements / columns, 1), columns);
  auto copied = read(copy, 1, -1, copy.bytes, coldCaches);
  auto summed = read(sums, 1, columns, sums.bytes, coldCaches);
  if (!copied && !summed) {
    llvm::consumeError(summed.takeError());
    why = takeFailure(copied.takeError()).message;
    return std::nullopt;
  }
  bool isCopy = copied && (!summed || copied->rate >= summed->rate);
  const Reading &best = isCopy ? *copied : *summed;
  Peak<> peak{.kind = PeakKind::Bandwidth,
              .name = name,
              .rate = best.rate,
              .workingSet = int64_t(bytes),
              .how = llvm::formatv("{0} of {1}, the fastest of {2} launches, caches {3}",
                                   isCopy ? "a copy" : "reductions of rows", formatBytes(bytes),
                                   best.times.samples.size(), best.times.cold)};
  if (!copied)
    llvm::consumeError(copied.takeError());
  if (!summed)
    llvm::consumeError(summed.takeError());
  return peak;
}

void PeakSurvey::bandwidth(const char *name, llvm::ArrayRef<uint64_t> sizes, bool coldCaches) {
  std::optional<Peak<>> best;
  std::string why;
  for (uint64_t bytes : sizes)
    if (std::optional<Peak<>> peak = fastest(name, bytes, coldCaches, why); peak && (!best || peak->rate > best->rate))
      best = std::move(peak);
  if (best) {
    best->workingSet = int64_t(sizes.front()); // up to which it holds
    peaks_.peaks.push_back(std::move(*best));
  } else
    peaks_.missing.push_back(std::string(name) + ": " + why);
}

/// Every processor reads some rows of its own again and again. What reads no faster than the caches farther away, or
/// memory, is no peak: then adding up took longer than reading.
void PeakSurvey::level(const PeakPlan::Level &level) {
  constexpr int64_t rowsEach = 8, readBytes = 64 << 20, lineElements = 64; // whole vectors and cache lines anywhere
  int64_t columns = int64_t(level.bytesEach / (rowsEach * sizeof(float))) / lineElements * lineElements,
          rows = rowsEach * plan_.processors;
  int64_t bytes = rows * columns * int64_t(sizeof(float));
  if (bytes == 0)
    return;
  int64_t times = std::max<int64_t>(readBytes / bytes, 4);
  MicroModule module = rereadModule(rows, columns, times);
  auto reading = read(module, 1, double(columns) * times, module.bytes, /*coldCaches=*/false);
  if (!reading)
    return miss(level.name, reading.takeError());
  double below = 0;
  for (const Peak<> &peak : peaks_.peaks)
    below = std::max(below, peak.rate);
  if (reading->rate <= below)
    return miss(level.name, fail(llvm::formatv("its kernel reads {0:f1} GB/s, and caches or memory below it {1:f1}",
                                               reading->rate, below)
                                     .str()));
  peaks_.peaks.push_back(
      {.kind = PeakKind::Bandwidth,
       .name = level.name,
       .rate = reading->rate,
       .workingSet = bytes,
       .how = llvm::formatv("{0} read {1} times by {2} processors, the fastest of {3} launches", formatBytes(bytes),
                            times, plan_.processors, reading->times.samples.size())});
}

void PeakSurvey::peak(const std::string &type) {
  MicroModule module = multiplyAddModule(plan_.elements, plan_.steps, type);
  auto reading = read(module, 1, multiplyAddResult(1, plan_.steps), module.flops, /*coldCaches=*/false);
  if (!reading)
    return miss(type, reading.takeError());
  peaks_.peaks.push_back(
      {.kind = PeakKind::Compute,
       .name = type,
       .rate = reading->rate,
       .workingSet = int64_t(module.bytes),
       .how = llvm::formatv("multiply-adds in registers, the fastest of {0} launches", reading->times.samples.size())});
}

void PeakSurvey::plainPeaks() {
  if (plan_.cacheBytes != 0 && !cancelled())
    bandwidth(kCachePeak, {plan_.cacheBytes, plan_.cacheBytes / 4}, /*coldCaches=*/false);
  for (const PeakPlan::Level &each : plan_.levels)
    if (!cancelled())
      level(each);
  for (const std::string &type : plan_.types)
    if (!cancelled())
      peak(type);
}

/// Where there are kernels of instructions that do nothing else, those are the peaks.
void PeakSurvey::nvidiaPeaks() {
  if (plan_.cacheBytes != 0) {
    auto peak = measureCacheRead(device_, plan_.cacheBytes, cancelled_);
    peak ? peaks_.peaks.push_back(std::move(*peak)) : miss(kCachePeak, peak.takeError());
  }
  for (const char *name : kNvidiaPeaks) {
    if (cancelled())
      return;
    auto peak = measureNvidiaPeak(device_, name, cancelled_);
    peak ? peaks_.peaks.push_back(std::move(*peak)) : miss(name, peak.takeError());
  }
}

llvm::Expected<message::DevicePeaks<>> PeakSurvey::run() {
  if (!cancelled())
    // A small kernel may seem faster, since its writes stay in a cache: the peak is the best of both sizes, so that no
    // small dispatch exceeds it.
    bandwidth(kMemoryPeak, {plan_.trafficBytes, plan_.trafficBytes / 16}, /*coldCaches=*/true);
  if (hasNvidiaPeaks(device_))
    nvidiaPeaks();
  else
    plainPeaks();
  if (cancelled())
    return fail("cancelled");
  if (peaks_.peaks.empty())
    return fail("the peaks of " + peaks_.device +
                " cannot be measured: " + (peaks_.missing.empty() ? "" : peaks_.missing.front()));
  return std::move(peaks_);
}

llvm::Expected<message::DevicePeaks<>> measurePeaks(mlir::MLIRContext &context, Device &device, const DeviceInfo &info,
                                                    const std::atomic<bool> *cancelled) {
  return PeakSurvey(context, device, info, cancelled).run();
}

const Peak<> *findPeak(const message::DevicePeaks<> &peaks, llvm::StringRef name) {
  for (const Peak<> &peak : peaks.peaks)
    if (peak.name == name)
      return &peak;
  return nullptr;
}

const Peak<> *arithmeticPeak(const message::DevicePeaks<> &peaks, llvm::StringRef type) {
  const Peak<> *best = nullptr;
  for (const Peak<> &peak : peaks.peaks) {
    bool isOfType = peak.kind == PeakKind::Compute && llvm::StringRef(peak.name).split(' ').first == type;
    if (isOfType && (!best || peak.rate > best->rate))
      best = &peak;
  }
  return best;
}

void applyPeaks(const message::DevicePeaks<> &peaks, DeviceModel &model) {
  auto apply = [&](const Peak<> *peak, Stated<double> &stated) {
    if (peak)
      stated = {peak->rate, "measured here, " + peaks.measured + ": " + peak->how};
  };
  apply(findPeak(peaks, kMemoryPeak), model.bandwidth);
  apply(findPeak(peaks, "f32"), model.peakF32);
  apply(findPeak(peaks, "f16 matrix"), model.peakF16Matrix);
}

std::string describePeaks(const message::DevicePeaks<> &peaks, unsigned indent) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Peak<> &peak : peaks.peaks) {
    std::string rate = llvm::formatv("{0:f1} {1}", peak.rate, peak.kind == PeakKind::Bandwidth ? "GB/s" : "GFLOP/s");
    os.indent(indent) << llvm::formatv("peak: {0,-18} {1,-28} measured here, {2}: {3}\n", peak.name, rate,
                                       peaks.measured, peak.how);
  }
  for (const std::string &missing : peaks.missing)
    os.indent(indent) << "peak not measured: " << missing << '\n';
  return text;
}

} // namespace fuselage
