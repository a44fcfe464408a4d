// The names by which an object of the host meets its runtime.
#pragma once
#include <string>
#include <string_view>

namespace fuselage {

/// What compiled code calls beside the mathematical library. The runtime (core/runtime/host/HostCode.cpp) defines each.
namespace host {
inline constexpr char kAlloc[] = "_mlir_memref_to_llvm_alloc", kAlignedAlloc[] = "_mlir_memref_to_llvm_aligned_alloc",
                      kFree[] = "_mlir_memref_to_llvm_free", kPuts[] = "puts", kPutchar[] = "putchar",
                      kAbort[] = "abort";
/// void(): called in outer loops, so that a call can be cancelled.
inline constexpr char kPoll[] = "fuselage_host_poll";
/// void(tasks, context, count, portion): carries out `void tasks(begin, end, context)` on all threads.
inline constexpr char kRunTasks[] = "fuselage_host_run_tasks";
/// What instrumented code calls where a value is poison, with the number of the site and the number
/// that made it so. It gives 0 where the program is to go on with zero, and 1 where it is to go on
/// with another value.
inline constexpr char kPoison[] = "fuselage_host_poison";
/// double(bits, format), bits(double, format): floats of 8 bits and fewer, by the number of their APFloat::Semantics.
inline constexpr char kWidenFloat[] = "fuselage_widen_float", kNarrowFloat[] = "fuselage_narrow_float";
/// Of compiler-rt: what LLVM calls to narrow to bf16 where the processor cannot.
inline constexpr char kTruncateToBf16[] = "__truncsfbf2", kTruncateWideToBf16[] = "__truncdfbf2";
} // namespace host

/// What an assertion's message starts with if it is a check of ours rather than one of the module.
inline constexpr char kCheckMark[] = "fuselage: ";

/// True for the names above that compiled code may call.
bool isHostRuntimeFunction(std::string_view name);

/// True for the functions of mathematics that the lowering of math, complex and arith calls, or that LLVM makes of
/// them: for doubles, and with a suffix for other types.
bool isMathFunction(std::string_view name);

/// True for the functions of a library that compiled code may be linked to: those of mathematics,
/// and those that LLVM's code generator calls by itself.
bool isLibraryFunction(std::string_view name);

/// A name that none of ours and none of a library has: a module's own @powf must not answer a call of powf.
std::string hostSymbolOf(std::string_view function);
/// What llvm.emit_c_interface calls the functions that others may call.
std::string hostWrapperOf(std::string_view function);
/// The function that takes pointers to its arguments, and to where its result goes if there is one, in an array.
std::string hostEntryOf(std::string_view wrapper);

} // namespace fuselage
