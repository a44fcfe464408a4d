// Small programs of ours that do one thing: what a device reaches with them is what it can do.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace fuselage {

/// MLIR text of a function @micro that becomes one dispatch, and what it costs. All of it goes through code generation
/// and the device as every dispatch does.
struct MicroModule {
  std::string text;
  double flops = 0; ///< operations; a fused multiply-add counts 2
  double bytes = 0; ///< read once and written once
};

/// Reads `elements` f32 and writes as many, each negated.
MicroModule copyModule(int64_t elements);
/// Reads rows x columns f32 and writes the sum of each row: nearly all of its traffic is reading.
MicroModule rowSumModule(int64_t rows, int64_t columns);
/// Reads rows x columns f32 `times` times, from where the first time left them, and writes a sum of each row.
MicroModule rereadModule(int64_t rows, int64_t columns, int64_t times);
/// For each of `elements` of a type ("f32", "f16"), eight chains of `steps` multiply-adds that do not wait for each
/// other, and their sum.
MicroModule multiplyAddModule(int64_t elements, unsigned steps, llvm::StringRef type);
/// One element: what is left is the launch.
MicroModule emptyModule();

/// What multiplyAddModule makes of an element, in the precision of a double.
double multiplyAddResult(double element, unsigned steps);

} // namespace fuselage
