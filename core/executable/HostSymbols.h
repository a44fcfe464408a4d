// The names by which an object of the host meets its runtime.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// What compiled code calls beside the mathematical library. The runtime (core/runtime/host/HostCode.cpp) defines each.
namespace host {
inline constexpr llvm::StringLiteral kAlloc = "_mlir_memref_to_llvm_alloc",
                                     kAlignedAlloc = "_mlir_memref_to_llvm_aligned_alloc",
                                     kFree = "_mlir_memref_to_llvm_free", kPuts = "puts", kPutchar = "putchar",
                                     kAbort = "abort";
/// void(): called in outer loops, so that a call can be cancelled.
inline constexpr llvm::StringLiteral kPoll = "fuselage_host_poll";
/// void(tasks, context, count, portion): carries out `void tasks(begin, end, context)` on all threads.
inline constexpr llvm::StringLiteral kRunTasks = "fuselage_host_run_tasks";
/// What instrumented code calls where a value is poison, with the number of the site and the number
/// that made it so. It gives 0 where the program is to go on with zero, and 1 where it is to go on
/// with another value.
inline constexpr llvm::StringLiteral kPoison = "fuselage_host_poison";
/// double(bits, format), bits(double, format): floats of 8 bits and fewer, by the number of their APFloat::Semantics.
inline constexpr llvm::StringLiteral kWidenFloat = "fuselage_widen_float", kNarrowFloat = "fuselage_narrow_float";
/// Of compiler-rt: what LLVM calls to narrow to bf16 where the processor cannot.
inline constexpr llvm::StringLiteral kTruncateToBf16 = "__truncsfbf2", kTruncateWideToBf16 = "__truncdfbf2";
} // namespace host

/// What an assertion's message starts with if it is a check of ours rather than one of the module.
inline constexpr llvm::StringLiteral kCheckMark = "fuselage: ";

/// True for the names above that compiled code may call.
bool isHostRuntimeFunction(llvm::StringRef name);

/// True for the functions of mathematics that the lowering of math, complex and arith calls, or that LLVM makes of
/// them: for doubles, and with a suffix for other types.
bool isMathFunction(llvm::StringRef name);

/// True for the functions of a library that compiled code may be linked to: those of mathematics,
/// and those that LLVM's code generator calls by itself.
bool isLibraryFunction(llvm::StringRef name);

/// A name that none of ours and none of a library has: a module's own @powf must not answer a call of powf.
std::string hostSymbolOf(llvm::StringRef function);
/// What llvm.emit_c_interface calls the functions that others may call.
std::string hostWrapperOf(llvm::StringRef function);
/// The function that takes pointers to its arguments, and to where its result goes if there is one, in an array.
std::string hostEntryOf(llvm::StringRef wrapper);

} // namespace fuselage
