// What the threads of a warp touch together, evaluated from a kernel's index arithmetic: nothing runs.
#pragma once
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace fuselage {

/// Index arithmetic for one thread of the first workgroup of a launch.
class ThreadEvaluator {
public:
  /// `thread`: its number, x varying fastest. `round`: the iteration that all loops are in; the first one where there
  /// is none.
  ThreadEvaluator(mlir::gpu::LaunchOp launch, int64_t thread, int64_t round = 0);

  /// An index, integer or condition; nothing where it depends on memory.
  std::optional<int64_t> valueOf(mlir::Value value);
  /// Whether the thread comes to `op` inside of the launch; nothing where that depends on memory.
  std::optional<bool> reaches(mlir::Operation *op);
  /// The place of an element of a buffer, counted in elements from the start of its memory.
  std::optional<int64_t> elementOf(mlir::Value buffer, mlir::ValueRange indices);

private:
  std::optional<int64_t> compute(mlir::Value value);
  std::optional<int64_t> offsetOf(mlir::Value buffer);

  mlir::gpu::LaunchOp launch;
  int64_t thread, round;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known;
};

/// One instruction that touches memory, as the warp does it that fares worst.
struct WarpAccess {
  mlir::Operation *op = nullptr;
  bool isWorkgroup = false; ///< else global memory
  bool isRead = false;
  unsigned bytes = 0; ///< of a thread
  /// Workgroup memory: trips through its 32 banks of 4 bytes, and the least for so many bytes. A trip serves 32 threads
  /// with 4 bytes, 16 with 8 or 8 with 16 (CUDA C++ Programming Guide, shared memory).
  unsigned trips = 0, leastTrips = 0;
  /// Global memory: 32-byte sectors that are touched, and the least for what is used of them.
  unsigned sectors = 0, leastSectors = 0;

  bool conflicts() const { return trips > leastTrips; }
  /// One sector more is a matter of where a row starts.
  bool isUncoalesced() const { return sectors > leastSectors + 1; }
};

/// All loads, stores and copies of the launch in the order of the text; those whose place is not known without running
/// it are left out, and `unknown` counts them. An asynchronous copy is two: a read of global and a write of workgroup
/// memory.
std::vector<WarpAccess> warpAccessesOf(mlir::gpu::LaunchOp launch, unsigned *unknown = nullptr);

/// Trips through the banks for the byte addresses of up to 32 threads that move `bytes` each; an absent one does not
/// take part.
unsigned tripsThroughBanks(llvm::ArrayRef<std::optional<int64_t>> addresses, unsigned bytes);

} // namespace fuselage
