#include "core/run/peaks/SampleCache.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/run/peaks/RateFit.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fuselage {

using message::DispatchSample, message::FusionSample;

static bool isSound(const DispatchSample<> &sample) {
  return !sample.kind.empty() && sample.launches > 0 && std::isfinite(sample.us) && sample.us > 0 &&
         std::isfinite(sample.bytes) && sample.bytes >= 0 && std::isfinite(sample.flops) && sample.flops >= 0;
}

static bool isSound(const FusionSample<> &sample) {
  return !sample.part.empty() && std::isfinite(sample.us) && std::isfinite(sample.noise);
}

static bool areAlike(const DispatchSample<> &one, const DispatchSample<> &other) {
  return one.kind == other.kind && one.arithmetic == other.arithmetic && one.launches == other.launches &&
         one.flops == other.flops && one.bytes == other.bytes;
}

template <class Sample> static void keepNewest(std::vector<Sample> &samples, size_t most) {
  if (samples.size() > most)
    samples.erase(samples.begin(), samples.end() - most);
}

namespace {
/// Held by one writer of a file at a time; it goes with the process.
class FileLock {
public:
  explicit FileLock(const std::string &path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0)
      return;
    while (flock(file_, LOCK_EX) != 0)
      if (errno != EINTR) {
        close(file_);
        file_ = -1;
        return;
      }
  }
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  ~FileLock() {
    if (file_ >= 0)
      close(file_);
  }
  bool isHeld() const { return file_ >= 0; }

private:
  int file_;
};
} // namespace

message::DeviceSamples<> SampleCache::read(const DeviceInfo &info) const {
  message::DeviceSamples<> samples;
  samples.version = 0;
  if (auto object = files_.read(pathOf(info)))
    message::decode(*object, samples);
  bool isSame = samples.version == 1 && samples.device == info.id && samples.name == info.name &&
                samples.driver == info.driver && samples.program == measuringProgram();
  if (!isSame)
    samples = {.device = info.id,
               .name = info.name,
               .driver = info.driver,
               .program = measuringProgram(),
               .dispatches = {},
               .fusions = {}};
  llvm::erase_if(samples.dispatches, [](const auto &sample) { return !isSound(sample); });
  llvm::erase_if(samples.fusions, [](const auto &sample) { return !isSound(sample); });
  return samples;
}

llvm::Error SampleCache::add(const DeviceInfo &info, const message::DeviceSamples<> &added) const {
  if (files_.folder().empty())
    return fail("there is no cache directory: set XDG_CACHE_HOME or HOME");
  if (std::error_code error = llvm::sys::fs::create_directories(files_.folder()))
    return fail("cannot make the folder " + files_.folder() + ": " + error.message());
  std::string path = pathOf(info);
  FileLock lock(path + ".lock");
  if (!lock.isHeld())
    return fail("cannot lock " + path + ".lock: " + std::strerror(errno));
  message::DeviceSamples<> samples = read(info);
  for (const DispatchSample<> &sample : added.dispatches) {
    llvm::erase_if(samples.dispatches, [&](const auto &known) { return areAlike(known, sample); });
    samples.dispatches.push_back(sample);
  }
  llvm::append_range(samples.fusions, added.fusions);
  keepNewest(samples.dispatches, mostDispatches);
  keepNewest(samples.fusions, mostFusions);
  return files_.write(path, message::encode(samples));
}

DeviceRates SampleCache::rates(const DeviceInfo &info) const {
  auto peaks = peaks_.read(info);
  return fitRates(read(info), peaks ? &*peaks : nullptr);
}

} // namespace fuselage
