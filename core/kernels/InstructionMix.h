// What the instructions of a kernel are, counted as they stand in its code.
#pragma once
#include "core/protocol/KernelCode.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace mlir::spirv {
class ModuleOp;
}

namespace fuselage {

/// What stands in one round of a loop, for a thread.
struct LoopMix {
  uint64_t fmas = 0;
  uint64_t sharedBytes = 0; ///< read from workgroup memory
  uint64_t matrices = 0;    ///< instructions of a subgroup that multiply matrices
  uint64_t matrixReads = 0; ///< ldmatrix
  uint64_t copies = 0;      ///< cp.async
  uint64_t elementwise = 0; ///< arithmetic on floating-point elements, multiply-adds and all

  void add(const LoopMix &other) {
    fmas += other.fmas;
    sharedBytes += other.sharedBytes;
    matrices += other.matrices;
    matrixReads += other.matrixReads;
    copies += other.copies;
    elementwise += other.elementwise;
  }
};

struct InstructionMix {
  /// "fma", "load global 16 B" -> how often it stands there.
  std::map<std::string, uint64_t> counts;
  /// Of the innermost loop with the most multiply-adds: 0 where none can be told.
  uint64_t loopFmas = 0;
  uint64_t loopSharedBytes = 0; ///< read from workgroup memory, a thread, in one round
  /// The same of the loop with the most matrix instructions.
  LoopMix matrixLoop;

  /// Reads of global memory, asynchronous copies among them, by the bytes that a thread reads at once. PTX only.
  std::map<uint64_t, uint64_t> globalReads;

  uint64_t total() const;
};

/// Of the entry in a PTX text.
InstructionMix countPtx(llvm::StringRef ptx, llvm::StringRef entry);
/// Of all functions of a module; a multiplication whose only user adds to it counts as a multiply-add.
InstructionMix countSpirv(mlir::spirv::ModuleOp module);

/// As facts, each said to be counted in `where`.
std::vector<message::KernelFact<>> describeMix(const InstructionMix &mix, llvm::StringRef where);

} // namespace fuselage
