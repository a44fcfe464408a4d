#include "core/device/HostProcessor.h"
#include "core/device/HostCpu.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

namespace fuselage {

unsigned processorCount() {
  unsigned count = std::max(systemProcessorCount(), 1u), asked = 0;
  if (const char *text = std::getenv("FUSELAGE_JOBS")) {
    const char *end = text + std::strlen(text);
    auto [read, error] = std::from_chars(text, end, asked);
    if (error == std::errc() && read == end && asked > 0)
      count = std::min(count, asked);
  }
  return count;
}

/// A figure of sysconf; 0 where it knows none.
static int64_t systemFigure(int name) { return std::max<int64_t>(sysconf(name), 0); }

static void readVectors(const HostCpu &cpu, HostProcessor &processor) {
  auto has = [&](const char *feature) { return cpu.features.count(feature) != 0; };
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq")) {
    processor.vectorBytes = 64;
    processor.vectorRegisters = 32;
    processor.vectors = "AVX-512";
  } else if (has("avx2") && has("fma")) {
    processor.vectorBytes = 32;
    processor.vectors = "AVX2";
  } else if (has("neon") || has("asimd")) {
    processor.vectorRegisters = 32;
    processor.vectors = "NEON";
  }
  processor.computesHalves = has("avx512fp16") || has("fullfp16");
  processor.knowsRegisters = cpu.knowsRegisters;
}

static HostProcessor readHostProcessor() {
  HostProcessor processor;
  const HostCpu cpu = readHostCpu();
  processor.name = cpu.name;
  processor.threads = processorCount();
  processor.cores = std::thread::hardware_concurrency();
  readVectors(cpu, processor);
#ifdef _SC_LEVEL1_DCACHE_SIZE
  processor.lineBytes = systemFigure(_SC_LEVEL1_DCACHE_LINESIZE);
  processor.level1Bytes = systemFigure(_SC_LEVEL1_DCACHE_SIZE);
  processor.level2Bytes = systemFigure(_SC_LEVEL2_CACHE_SIZE);
  processor.lastLevelBytes = std::max(systemFigure(_SC_LEVEL3_CACHE_SIZE), processor.level2Bytes);
#endif
  return processor;
}

const HostProcessor &hostProcessor() {
  static const HostProcessor processor = readHostProcessor();
  return processor;
}

std::string HostProcessor::describe() const {
  return std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + vectors;
}

std::string HostProcessor::describe(unsigned used) const {
  return (used < threads ? std::to_string(used) + " of " : "") + describe();
}

/// Sets what is known: a number above 0.
static void state(Stated<int64_t> &stated, int64_t value, const char *source) {
  if (value > 0)
    stated = {value, source};
}

constexpr const char *hostLanguage = "host";

bool isHost(const DeviceModel &model) { return model.language.value == hostLanguage; }

DeviceModel hostModel() {
  const HostProcessor &processor = hostProcessor();
  DeviceModel model;
  model.name = processor.name;
  model.kind = {DeviceKind::Software, "the host"};
  model.language = {hostLanguage, "the host"};
  model.chip = {model.name, "LLVM"};
  int64_t lanes = processor.vectorBytes / 4;
  model.subgroupSize = {lanes, "LLVM: f32 in a vector register"};
  model.maxThreads = {std::max<int64_t>(lanes, processor.cores), "the operating system (processors)"};
  constexpr const char *source = "the operating system (sysconf)";
  state(model.cacheLineBytes, processor.lineBytes, source);
  state(model.firstCacheBytes, processor.level1Bytes, source);
  state(model.secondCacheBytes, processor.level2Bytes, source);
  state(model.lastCacheBytes, processor.lastLevelBytes, source);
  state(model.computeUnits, processor.threads, "the operating system (processors of this process)");
  if (processor.computesHalves)
    model.computesHalves = {true, "LLVM: " + processor.vectors + " with arithmetic on f16"};
  if (processor.knowsRegisters)
    model.registersPerThread = {lanes * processor.vectorRegisters,
                                "LLVM: a thread's vector registers, " + processor.vectors};
  return model;
}

} // namespace fuselage
