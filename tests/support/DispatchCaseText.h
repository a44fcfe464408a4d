// The text of dispatches' bodies, and the larger groups of cases.
#pragma once
#include "DispatchCases.h"

namespace fuselage::test {

std::vector<DispatchCase> contractionCases();
std::vector<DispatchCase> reductionCases();

/// A linalg.generic with maps, iterators ('p' and 'r') and a payload that yields `%y`.
std::string generic(llvm::StringRef result, llvm::StringRef maps, llvm::StringRef iterators, llvm::StringRef ins,
                    llvm::StringRef outs, llvm::StringRef arguments, llvm::StringRef payload, llvm::StringRef type);

/// fill of a fresh tensor with a constant.
std::string filled(llvm::StringRef name, llvm::StringRef value, llvm::StringRef element, llvm::StringRef type);

std::string empty(llvm::StringRef name, llvm::StringRef type);

/// Payloads of reductions.
inline constexpr const char *addf = "%y = arith.addf %a, %o : f32\n    linalg.yield %y : f32";
inline constexpr const char *maxf = "%y = arith.maximumf %a, %o : f32\n    linalg.yield %y : f32";

/// `%mm = A x B` of M x K x N in f32, filled with zero.
std::string matmul(llvm::StringRef a, llvm::StringRef b);

std::string biasAndRelu();

std::string transposed(llvm::StringRef result, llvm::StringRef source, llvm::StringRef from, llvm::StringRef to);

} // namespace fuselage::test
