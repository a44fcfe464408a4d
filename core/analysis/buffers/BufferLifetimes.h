// When the buffers of a program on memrefs live, and how much memory that takes at most.
#pragma once
#include "core/analysis/buffers/PeakMemory.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace fuselage {

/// One buffer. Places are those of ops in the order of the module's text, from 0.
struct BufferLife {
  enum class Kind {
    Heap,        ///< freed by a dealloc, or else as early as one could stand
    Stack,       ///< gone at the end of its scope
    Attribution, ///< workgroup or private memory of a kernel, there while it runs
    CallResult,  ///< allocated by a function that was called
    Carried,     ///< what an earlier iteration of a loop handed on, while a new one is made
    Argument,    ///< the caller's, not counted
  };
  Kind kind = Kind::Heap;
  mlir::Value value{};
  mlir::Operation *op = nullptr;       ///< that allocates it; of an argument or attribution, whose it is
  mlir::Operation *function = nullptr; ///< the function or kernel that it lives in
  BufferSize size{};
  std::string space{};
  int64_t first = 0, last = 0; ///< inclusive
  bool isFreed = false;        ///< by an op; else it is assumed to go as early as it can
  bool escapes = false;        ///< it is returned
};

struct MemoryUse {
  std::vector<mlir::Operation *> ops; ///< by place
  std::vector<BufferLife> buffers;    ///< by function, then in program order
  std::vector<MemoryPeak> peaks;      ///< by function, then by name of the space
};

/// Follows every buffer of the module to its last use, through views, branches and loops
/// (BufferViewFlowAnalysis). What no op frees is freed as early as a dealloc in the block of its alloc
/// could do it: after the loop or branch that uses it last. Of branches that exclude each other, the peak takes the
/// dearer one; of iterations that run at once, it counts one. Of dynamic sizes, those that are `known` are exact.
MemoryUse findMemoryUse(mlir::ModuleOp module, const KnownSizes &known = {});

} // namespace fuselage
