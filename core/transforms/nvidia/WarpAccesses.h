// The memory accesses of a warp, evaluated from a kernel's index arithmetic without running it.
#pragma once
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace fuselage {

/// Evaluates index arithmetic for one thread of the first workgroup of a launch.
class ThreadEvaluator {
public:
  /// `thread`: its number, x varying fastest. `round`: the iteration that all loops are in, or the first one for a loop
  /// with fewer iterations.
  ThreadEvaluator(mlir::gpu::LaunchOp launch, int64_t thread, int64_t round = 0);

  /// Returns an index, integer or condition; nullopt if it depends on memory.
  std::optional<int64_t> valueOf(mlir::Value value);
  /// Returns whether the thread reaches `op`; nullopt if that depends on memory.
  std::optional<bool> reaches(mlir::Operation *op);
  /// Returns the offset of an element, in elements from the start of the buffer's memory.
  std::optional<int64_t> elementOf(mlir::Value buffer, mlir::ValueRange indices);

private:
  std::optional<int64_t> compute(mlir::Value value);
  std::optional<int64_t> offsetOf(mlir::Value buffer);

  mlir::gpu::LaunchOp launch;
  int64_t thread, round;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known;
};

/// One memory access, with the numbers of the warp that needs the most trips or sectors.
struct WarpAccess {
  mlir::Operation *op = nullptr;
  bool isWorkgroup = false; ///< else global memory
  bool isRead = false;
  unsigned bytes = 0; ///< per thread
  /// Workgroup memory: trips through its 32 banks of 4 bytes, and the least possible for this number of bytes. A trip
  /// serves 32 threads with 4 bytes, 16 with 8 or 8 with 16 (CUDA C++ Programming Guide, shared memory).
  unsigned trips = 0, leastTrips = 0;
  /// Global memory: accessed sectors of 32 bytes, and the least possible for the bytes that are used.
  unsigned sectors = 0, leastSectors = 0;

  bool conflicts() const { return trips > leastTrips; }
  /// One more sector than the least is allowed, since rows may start inside of a sector.
  bool isUncoalesced() const { return sectors > leastSectors + 1; }
};

/// Returns all loads, stores and copies of the launch in program order. Those whose address depends on memory are left
/// out; `unknown` counts them. An asynchronous copy is a read of global memory and a write of workgroup memory.
std::vector<WarpAccess> warpAccessesOf(mlir::gpu::LaunchOp launch, unsigned *unknown = nullptr);

/// Returns the trips through the banks for the byte addresses of up to 32 threads with `bytes` each; a thread without
/// an address does not access memory.
unsigned tripsThroughBanks(llvm::ArrayRef<std::optional<int64_t>> addresses, unsigned bytes);

} // namespace fuselage
