#include "core/run/roofs/RoofMeasure.h"
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/device/HostProcessor.h"
#include "core/run/roofs/MicroKernel.h"
#include "core/run/roofs/NvidiaPeaks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {

using message::Roof, message::RoofKind;

RoofPlan planRoofs(const DeviceInfo &info) {
  constexpr uint64_t mebi = 1 << 20;
  RoofPlan plan{.memoryBytes = 512 * mebi, .cacheBytes = 0, .elements = 2 * mebi, .steps = 96, .types = {"f32", "f16"}};
  if (info.software)
    // Arithmetic in f16 is done in f32 there.
    plan = {.memoryBytes = 64 * mebi,
            .cacheBytes = 0,
            .levels = {},
            .processors = hostProcessor().threads,
            .elements = 128 << 10,
            .steps = 32,
            .types = {"f32"}};
  // Half of each, so that what else is needed has room. A driver of Vulkan that runs on a processor fetches no faster
  // from there than from the last cache.
  if (isHost(info.model)) {
    HostTarget host = HostTarget::ofThisMachine();
    plan.levels = {{kLevel2Roof, host.level2Bytes / 2}, {kLevel1Roof, host.level1Bytes / 2}};
  }
  uint64_t last = std::max<int64_t>(info.model.lastCacheBytes.value, 0);
  // Beyond the caches of single units, and with room in the last one for what others put there.
  uint64_t fits = std::min(last / 4, (info.software ? 16 : 64) * mebi);
  if (fits >= mebi)
    plan.cacheBytes = llvm::bit_floor(fits);
  if (info.memoryBytes != 0)
    plan.memoryBytes = std::min(plan.memoryBytes, llvm::bit_floor(std::max(info.memoryBytes / 16, mebi)));
  return plan;
}

namespace {

/// One measuring of a device.
class RoofSurvey {
public:
  RoofSurvey(mlir::MLIRContext &context, Device &device, const DeviceInfo &info, const std::atomic<bool> *cancelled)
      : context_(context), device_(device), plan_(planRoofs(info)), cancelled_(cancelled) {
    roofs_.device = info.id;
    roofs_.name = info.name;
    roofs_.driver = info.driver;
  }
  llvm::Expected<message::DeviceRoofs<>> run();

private:
  struct Reading {
    double rate = -1;
    MicroTimes times;
  };
  bool cancelled() const { return cancelled_ && cancelled_->load(); }
  llvm::Expected<Reading> read(const MicroModule &module, double input, double expected, double work, bool coldCaches);
  void bandwidth(const char *name, llvm::ArrayRef<uint64_t> sizes, bool coldCaches);
  std::optional<Roof<>> fastest(const char *name, uint64_t bytes, bool coldCaches, std::string &why);
  void level(const RoofPlan::Level &level);
  void peak(const std::string &type);
  void plainPeaks();
  void nvidiaPeaks();
  void miss(const std::string &what, llvm::Error error) {
    roofs_.missing.push_back(what + ": " + takeFailure(std::move(error)).message);
  }

  mlir::MLIRContext &context_;
  Device &device_;
  RoofPlan plan_;
  const std::atomic<bool> *cancelled_;
  message::DeviceRoofs<> roofs_;
};

} // namespace

llvm::Expected<RoofSurvey::Reading> RoofSurvey::read(const MicroModule &module, double input, double expected,
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
std::optional<Roof<>> RoofSurvey::fastest(const char *name, uint64_t bytes, bool coldCaches, std::string &why) {
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
  Roof<> roof{.kind = RoofKind::Bandwidth,
              .name = name,
              .rate = best.rate,
              .workingSet = int64_t(bytes),
              .how = llvm::formatv("{0} of {1}, the fastest of {2} launches, caches {3}",
                                   isCopy ? "a copy" : "sums of rows", formatBytes(bytes), best.times.samples.size(),
                                   best.times.cold)};
  if (!copied)
    llvm::consumeError(copied.takeError());
  if (!summed)
    llvm::consumeError(summed.takeError());
  return roof;
}

void RoofSurvey::bandwidth(const char *name, llvm::ArrayRef<uint64_t> sizes, bool coldCaches) {
  std::optional<Roof<>> best;
  std::string why;
  for (uint64_t bytes : sizes)
    if (std::optional<Roof<>> roof = fastest(name, bytes, coldCaches, why); roof && (!best || roof->rate > best->rate))
      best = std::move(roof);
  if (best) {
    best->workingSet = int64_t(sizes.front()); // up to which it holds
    roofs_.roofs.push_back(std::move(*best));
  } else
    roofs_.missing.push_back(std::string(name) + ": " + why);
}

/// Every processor reads some rows of its own again and again. What reads no faster than the level below is no roof:
/// then adding up took longer than reading.
void RoofSurvey::level(const RoofPlan::Level &level) {
  constexpr int64_t rowsEach = 8, readBytes = 64 << 20;
  int64_t columns = int64_t(level.bytesEach / (rowsEach * sizeof(float))) / 64 * 64, rows = rowsEach * plan_.processors;
  int64_t bytes = rows * columns * int64_t(sizeof(float));
  if (bytes == 0)
    return;
  int64_t times = std::max<int64_t>(readBytes / bytes, 4);
  MicroModule module = rereadModule(rows, columns, times);
  auto reading = read(module, 1, double(columns) * times, module.bytes, /*coldCaches=*/false);
  if (!reading)
    return miss(level.name, reading.takeError());
  double below = 0;
  for (const Roof<> &roof : roofs_.roofs)
    below = std::max(below, roof.rate);
  if (reading->rate <= below)
    return miss(level.name, fail(llvm::formatv("its kernel reads {0:f1} GB/s, and caches or memory below it {1:f1}",
                                               reading->rate, below)
                                     .str()));
  roofs_.roofs.push_back(
      {.kind = RoofKind::Bandwidth,
       .name = level.name,
       .rate = reading->rate,
       .workingSet = bytes,
       .how = llvm::formatv("{0} read {1} times by {2} processors, the fastest of {3} launches", formatBytes(bytes),
                            times, plan_.processors, reading->times.samples.size())});
}

void RoofSurvey::peak(const std::string &type) {
  MicroModule module = multiplyAddModule(plan_.elements, plan_.steps, type);
  auto reading = read(module, 1, multiplyAddResult(1, plan_.steps), module.flops, /*coldCaches=*/false);
  if (!reading)
    return miss(type, reading.takeError());
  roofs_.roofs.push_back(
      {.kind = RoofKind::Compute,
       .name = type,
       .rate = reading->rate,
       .workingSet = int64_t(module.bytes),
       .how = llvm::formatv("multiply-adds in registers, the fastest of {0} launches", reading->times.samples.size())});
}

void RoofSurvey::plainPeaks() {
  if (plan_.cacheBytes != 0 && !cancelled())
    bandwidth(kCacheRoof, {plan_.cacheBytes, plan_.cacheBytes / 4}, /*coldCaches=*/false);
  for (const RoofPlan::Level &each : plan_.levels)
    if (!cancelled())
      level(each);
  for (const std::string &type : plan_.types)
    if (!cancelled())
      peak(type);
}

/// Where there are kernels of instructions that do nothing else, those are the peaks.
void RoofSurvey::nvidiaPeaks() {
  if (plan_.cacheBytes != 0) {
    auto roof = measureCacheRead(device_, plan_.cacheBytes, cancelled_);
    roof ? roofs_.roofs.push_back(std::move(*roof)) : miss(kCacheRoof, roof.takeError());
  }
  for (const char *name : kNvidiaPeaks) {
    if (cancelled())
      return;
    auto roof = measureNvidiaPeak(device_, name, cancelled_);
    roof ? roofs_.roofs.push_back(std::move(*roof)) : miss(name, roof.takeError());
  }
}

llvm::Expected<message::DeviceRoofs<>> RoofSurvey::run() {
  if (!cancelled())
    // What a small one writes may end in a cache; it must not look faster than the roof.
    bandwidth(kMemoryRoof, {plan_.memoryBytes, plan_.memoryBytes / 16}, /*coldCaches=*/true);
  if (hasNvidiaPeaks(device_))
    nvidiaPeaks();
  else
    plainPeaks();
  if (cancelled())
    return fail("cancelled");
  if (roofs_.roofs.empty())
    return fail("the peaks of " + roofs_.device +
                " cannot be measured: " + (roofs_.missing.empty() ? "" : roofs_.missing.front()));
  return std::move(roofs_);
}

llvm::Expected<message::DeviceRoofs<>> measureRoofs(mlir::MLIRContext &context, Device &device, const DeviceInfo &info,
                                                    const std::atomic<bool> *cancelled) {
  return RoofSurvey(context, device, info, cancelled).run();
}

const Roof<> *findRoof(const message::DeviceRoofs<> &roofs, llvm::StringRef name) {
  for (const Roof<> &roof : roofs.roofs)
    if (roof.name == name)
      return &roof;
  return nullptr;
}

const Roof<> *findPeak(const message::DeviceRoofs<> &roofs, llvm::StringRef type) {
  const Roof<> *best = nullptr;
  for (const Roof<> &roof : roofs.roofs) {
    bool isOfType = roof.kind == RoofKind::Compute && llvm::StringRef(roof.name).split(' ').first == type;
    if (isOfType && (!best || roof.rate > best->rate))
      best = &roof;
  }
  return best;
}

void applyRoofs(const message::DeviceRoofs<> &roofs, DeviceModel &model) {
  auto apply = [&](const Roof<> *roof, Stated<double> &stated) {
    if (roof)
      stated = {roof->rate, "measured here, " + roofs.measured + ": " + roof->how};
  };
  apply(findRoof(roofs, kMemoryRoof), model.bandwidth);
  apply(findRoof(roofs, "f32"), model.peakF32);
  apply(findRoof(roofs, "f16 matrix"), model.peakF16Matrix);
}

std::string describeRoofs(const message::DeviceRoofs<> &roofs, unsigned indent) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Roof<> &roof : roofs.roofs) {
    std::string rate = llvm::formatv("{0:f1} {1}", roof.rate, roof.kind == RoofKind::Bandwidth ? "GB/s" : "GFLOP/s");
    os.indent(indent) << llvm::formatv("peak: {0,-18} {1,-28} measured here, {2}: {3}\n", roof.name, rate,
                                       roofs.measured, roof.how);
  }
  for (const std::string &missing : roofs.missing)
    os.indent(indent) << "peak not measured: " << missing << '\n';
  return text;
}

} // namespace fuselage
