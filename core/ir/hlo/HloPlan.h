// Where the computations of an HLO module go. Internal to core/ir/hlo.
#pragma once
#include "core/ir/hlo/HloModule.h"

namespace fuselage::hlo {

/// What an instruction has a computation for.
enum class CallKind {
  Fusion,  ///< the body of a fusion
  Control, ///< runs as a part of the program: while, conditional, call, async-start
  Payload, ///< runs for each element: the sum of a reduce, the comparison of a sort
};

struct Call {
  llvm::StringRef attribute; ///< "calls"
  unsigned computation = 0;
  CallKind kind = CallKind::Control;
};

/// The computations that an instruction names, those that the module has, in order.
llvm::SmallVector<Call, 2> callsOf(const Module &module, const Instruction &instruction);

/// What becomes of a computation.
struct Placement {
  enum Kind {
    Function, ///< a function of its own: the entry, and what several instructions call
    Region,   ///< a region of the only instruction that calls it
    Word,     ///< an attribute, such as "add": a payload of one op on its two parameters
  } kind = Function;
  bool isProgram = true;     ///< its instructions run one by one, each as a kernel: no body of a fusion, no payload
  llvm::StringRef word = ""; ///< of a Word
};

/// By computation. Regions nest at most kMaxRegionDepth deep, and no computation is in itself, whatever the text says.
std::vector<Placement> placeComputations(const Module &module);

constexpr unsigned kMaxRegionDepth = 32;

/// Whether XLA has made its kernels: it is scheduled, or has fusions. Otherwise it is a program before optimizations.
bool hasKernels(const Module &module);
/// Whether an instruction that is no fusion is a kernel, or a call of a library, in a program that has kernels.
bool isKernel(const Instruction &instruction);

} // namespace fuselage::hlo
