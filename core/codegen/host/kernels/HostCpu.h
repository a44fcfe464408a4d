// What kernels on the host are made for.
#pragma once
#include <cstdint>
#include <string>

namespace fuselage {

/// This machine's processors.
struct HostCpu {
  unsigned threads = 1;      ///< that kernels use: the processors of this process, or fewer where FUSELAGE_JOBS says so
  unsigned vectorBytes = 16; ///< of one register
  unsigned vectorRegisters = 16;
  uint64_t level1Bytes = 32 << 10, level2Bytes = 512 << 10; ///< caches of one processor
  std::string vectors = "SSE2";                             ///< how the vectors are called
  bool computesHalves = false; ///< vectors of f16 are multiplied and added as such, and need not become f32 for it

  /// "2 threads, AVX-512"
  std::string describe() const;
  /// The same of something that runs on so many of the threads: "1 of 2 threads, AVX-512".
  std::string describe(unsigned used) const;
};

const HostCpu &hostCpu();

} // namespace fuselage
