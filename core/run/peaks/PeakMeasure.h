// Measures what a device can do at most, with kernels of our own.
#pragma once
#include "core/run/peaks/PeakNames.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"
#include "mlir/IR/MLIRContext.h"

namespace fuselage {

/// Which micro-kernels measure a device: sizes follow its kind and caches.
struct PeakPlan {
  uint64_t trafficBytes; ///< that a kernel for the memory peak moves
  uint64_t cacheBytes;   ///< of that for the last cache; 0: no such peak
  /// A cache of single processors, and how much of it each is to read again and again: of devices that run on
  /// processors.
  struct Level {
    const char *name;
    uint64_t bytesEach;
  };
  std::vector<Level> levels{}; ///< the largest first
  unsigned processors = 1;
  int64_t elements;               ///< of the kernel of multiply-adds, each with 8 chains
  unsigned steps;                 ///< multiply-adds of a chain
  std::vector<std::string> types; ///< of arithmetic
};
PeakPlan planPeaks(const DeviceInfo &info);

/// Copies, reductions of rows, rows that stay in a processor's cache and chains of multiply-adds, each the fastest of
/// some launches; of a copy and a reduction the faster one is the peak of a memory. Takes some seconds. What cannot be
/// measured is `missing`. Failure: nothing could be, or it was cancelled.
llvm::Expected<message::DevicePeaks<>> measurePeaks(mlir::MLIRContext &context, Device &device, const DeviceInfo &info,
                                                    const std::atomic<bool> *cancelled);

/// The peak of a name; null: there is none.
const message::Peak<> *findPeak(const message::DevicePeaks<> &peaks, llvm::StringRef name);
/// The fastest arithmetic of an element type: for "f16", of "f16" and "f16 matrix". Null: there is none.
const message::Peak<> *arithmeticPeak(const message::DevicePeaks<> &peaks, llvm::StringRef type);

/// Bandwidth and peak that were measured take the place of those that are stated.
void applyPeaks(const message::DevicePeaks<> &peaks, DeviceModel &model);

/// A line a peak: name, rate, how it was measured. Indented by `indent` blanks.
std::string describePeaks(const message::DevicePeaks<> &peaks, unsigned indent);

} // namespace fuselage
