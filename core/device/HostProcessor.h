// The processor that this process runs on.
#pragma once
#include "core/device/DeviceModel.h"

namespace fuselage {

/// The number of processors that this process may use; FUSELAGE_JOBS lowers it.
unsigned processorCount();

/// As LLVM and the operating system describe it; 0 for what they do not know.
struct HostProcessor {
  std::string name;          ///< "znver4"
  unsigned threads = 1;      ///< that kernels use, see processorCount()
  unsigned cores = 1;        ///< of the machine
  unsigned vectorBytes = 16; ///< of one register
  unsigned vectorRegisters = 16;
  bool knowsRegisters = false; ///< else the number of registers is a guess
  int64_t lineBytes = 0, level1Bytes = 0, level2Bytes = 0, lastLevelBytes = 0; ///< caches
  std::string vectors = "SSE2";                                                ///< how the vectors are called
  bool computesHalves = false; ///< vectors of f16 are multiplied and added as such, and need not become f32 for it

  /// "2 threads, AVX-512"
  std::string describe() const;
  /// The same of something that runs on so many of the threads: "1 of 2 threads, AVX-512".
  std::string describe(unsigned used) const;
};

/// Read once.
const HostProcessor &hostProcessor();

/// The host as a device model. Its compute units are the processors that this process may use.
DeviceModel hostModel();
/// Whether a model is of a host, this one or another: its code is machine code.
bool isHost(const DeviceModel &model);

} // namespace fuselage
