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

struct InstructionMix {
  /// "fma", "load global 16 B" -> how often it stands there.
  std::map<std::string, uint64_t> counts;
  /// Of the innermost loop with the most multiply-adds, where it runs straight through: 0 where none can be told.
  uint64_t loopFmas = 0;
  uint64_t loopSharedBytes = 0; ///< read from workgroup memory, a thread, in one round

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
