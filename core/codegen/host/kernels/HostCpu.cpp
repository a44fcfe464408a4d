#include "core/codegen/host/kernels/HostCpu.h"
#include "core/ir/module/WorkerContexts.h"
#include "llvm/TargetParser/Host.h"
#include <unistd.h>

namespace fuselage {

/// A figure of sysconf; `otherwise` where it knows none.
static uint64_t systemFigure(int name, uint64_t otherwise) {
  long value = sysconf(name);
  return value > 0 ? uint64_t(value) : otherwise;
}

static HostCpu readHostCpu() {
  HostCpu cpu;
  cpu.threads = processorCount();
  auto features = llvm::sys::getHostCPUFeatures();
  auto has = [&](llvm::StringRef feature) { return features.lookup(feature); };
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq")) {
    cpu.vectorBytes = 64;
    cpu.vectorRegisters = 32;
    cpu.vectors = "AVX-512";
  } else if (has("avx2") && has("fma")) {
    cpu.vectorBytes = 32;
    cpu.vectors = "AVX2";
  } else if (has("neon") || has("asimd")) {
    cpu.vectorRegisters = 32;
    cpu.vectors = "NEON";
  }
  cpu.computesHalves = has("avx512fp16") || has("fullfp16");
#ifdef _SC_LEVEL1_DCACHE_SIZE
  cpu.level1Bytes = systemFigure(_SC_LEVEL1_DCACHE_SIZE, cpu.level1Bytes);
  cpu.level2Bytes = systemFigure(_SC_LEVEL2_CACHE_SIZE, cpu.level2Bytes);
#endif
  return cpu;
}

const HostCpu &hostCpu() {
  static const HostCpu cpu = readHostCpu();
  return cpu;
}

std::string HostCpu::describe() const {
  return std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + vectors;
}

std::string HostCpu::describe(unsigned used) const {
  return (used < threads ? std::to_string(used) + " of " : "") + describe();
}

} // namespace fuselage
