// Text of other LLVM releases in the words of the one that parses it.
#pragma once
#include "core/ir/source/LegacyOps.h"

namespace fuselage {

/// Adds the edits that turn op `index` of the scan into the assembly that is parsed (LegacyOps.h has the table), and
/// says whether there are any. Only faithful ones: the op must mean the same, and its operands and types must all be in
/// the text.
///   - `func @f` is func.func (private where it has no body), `module` inside of foreign ops builtin.module
///   - bare ops of std are those of arith, math, cf, memref, tensor and func
///   - renamed ops, and those that are written in another way
///   - constants of type i1 in hexadecimal digits, a byte for each element
/// Bare words are left alone inside of functions that are not func's: there they are that function's
/// own dialect's.
bool modernizeOp(const SourceScan &scan, int32_t index, SourceEdits &edits);

/// The text of an alias's value with `#linalg.iterator_type<parallel>` as "parallel": the parser dies of the former.
std::string modernAlias(llvm::StringRef value);

/// What is said of an op that modernizeOp changes: "old syntax: 'tensor.pack' is read as 'linalg.pack', its name since
/// LLVM 21".
std::string describeModernized(const SourceScan &scan, int32_t index);

/// Whether bare words at op `index` are those of std and func: it is not inside of a function of
/// another dialect.
bool readsBareWords(const SourceScan &scan, int32_t index);

} // namespace fuselage
