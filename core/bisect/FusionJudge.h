// Judges what a program would cost, rather than what it computes: edges that can be fused, and bytes.
#pragma once
#include "core/bisect/Bisect.h"

namespace fuselage {

/// IR is bad in which the edge between two ops is not fused and cannot be fused any more, by the verdicts of `fuselage
/// explain`. An op is named as there: its value ("%scores"), op name ("linalg.matmul") or place ("f.mlir:12" or a part
/// of it). Several edges may fit; one that can be fused is enough. Ops are followed by the places that they and their
/// bodies come from: IR is good in which both are in one op, loop, dispatch or kernel, or the consumer does without the
/// producer; if the consumer is gone, it is unknown. Failure: no edge of `input` fits, or none of them can be fused to
/// begin with.
llvm::Expected<Judge> judgeByFusion(mlir::ModuleOp input, llvm::StringRef producer, llvm::StringRef consumer);

/// Gives the two ops of that edge of a module names, if they have none, in their locations (core/ir/ops/ValueNames.h),
/// and makes these what the ends are named by: text of the module that is printed with names has the edge, too.
/// Failure: as above.
llvm::Error nameEdge(mlir::ModuleOp module, std::string &producer, std::string &consumer);

/// Bytes that the dispatches of IR read and write through memory, those of the policy where none are formed; nullopt:
/// not known, such as of buffers.
std::optional<int64_t> bytesMoved(mlir::ModuleOp module);

/// The first step after which more bytes are moved than after a step before it.
struct MoreBytes {
  unsigned step = 0;
  int64_t before = 0; ///< the least before it
};
/// nullopt: no step made them more.
std::optional<MoreBytes> findMoreBytes(const Recording &recording);
/// IR is bad that moves more bytes than these.
Judge judgeByBytes(int64_t most);

} // namespace fuselage
