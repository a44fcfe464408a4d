// Measures what a device can do at most, with kernels of our own.
#pragma once
#include "core/run/roofs/RoofNames.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"
#include "mlir/IR/MLIRContext.h"

namespace fuselage {

/// Which micro-kernels measure a device: sizes follow its kind and caches.
struct RoofPlan {
  uint64_t memoryBytes; ///< that a kernel for the memory roof moves
  uint64_t cacheBytes;  ///< of that for the last cache; 0: no such roof
  /// A cache of single processors, and how much of it each is to read again and again: of devices that run on
  /// processors.
  struct Level {
    const char *name;
    uint64_t bytesEach;
  };
  std::vector<Level> levels{}; ///< the largest first
  unsigned processors = 1;
  int64_t elements; ///< of the multiply-adds
  unsigned steps;
  std::vector<std::string> types; ///< of arithmetic
};
RoofPlan planRoofs(const DeviceInfo &info);

/// Copies, sums of rows, rows that stay in a processor's cache and chains of multiply-adds, each the fastest of some
/// launches; of a copy and sums the faster one is the roof of a memory. Takes some seconds. What
/// cannot be measured is `missing`. Failure: nothing could be, or it was cancelled.
llvm::Expected<message::DeviceRoofs<>> measureRoofs(mlir::MLIRContext &context, Device &device, const DeviceInfo &info,
                                                    const std::atomic<bool> *cancelled);

/// The roof of a name; null: there is none.
const message::Roof<> *findRoof(const message::DeviceRoofs<> &roofs, llvm::StringRef name);
/// The arithmetic's of a type: the fastest whose name is the type or begins with it ("f16 matrix").
const message::Roof<> *findPeak(const message::DeviceRoofs<> &roofs, llvm::StringRef type);

/// Bandwidth and peak that were measured take the place of those that are stated.
void applyRoofs(const message::DeviceRoofs<> &roofs, DeviceModel &model);

/// A line a roof: name, rate, how it was measured. Indented by `indent` blanks.
std::string describeRoofs(const message::DeviceRoofs<> &roofs, unsigned indent);

} // namespace fuselage
