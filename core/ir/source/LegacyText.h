// Text of MLIR before 2022, and what was renamed since, in today's words.
#pragma once
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceScan.h"

namespace fuselage {

/// Adds the edits that turn op `index` of the scan into today's assembly of the same op, and says
/// whether there are any. Only faithful ones: the op must mean the same, and its operands and types
/// must all be in the text.
///   - `func @f` is func.func (private where it has no body), `module` inside of foreign ops
///     builtin.module; bare ops of std are those of arith, math, cf, memref, tensor and func
///   - ops that were renamed and kept their assembly (`arith.maxf`, `bufferization.to_memref`)
///   - `linalg.init_tensor [4, %d]` is `tensor.empty(%d)`, `linalg.op(%a, %b) : A, B` and
///     `linalg.op ins(..) init(..)` have `ins`/`outs`, `linalg.pad_tensor` is tensor.pad,
///     tensor.expand_shape to a static type gets its output_shape
/// Edits are of the op's own text, never of ops in its regions, except the yield of a pad_tensor.
/// Bare words are left alone inside of functions that are not func's: there they are that function's
/// own dialect's.
bool modernizeOp(const SourceScan &scan, int32_t index, SourceEdits &edits);

/// Whether a word without a dot names an op of the std dialect that modernizeOp knows, or another one
/// that it had, which then is read as `std.word`.
bool isStdOp(llvm::StringRef word);

/// Whether bare words at op `index` are those of std and func: it is not inside of a function of
/// another dialect.
bool readsBareWords(const SourceScan &scan, int32_t index);

/// Today's name of an op that was renamed and kept its assembly; empty if there is none. `text` is
/// what stands behind the name: it tells a `dim` of a tensor from one of a memref.
llvm::StringRef renamedOp(llvm::StringRef name, llvm::StringRef text);

/// The pieces of a text between `separator`s that stand in no bracket or string, trimmed.
llvm::SmallVector<llvm::StringRef> splitOutsideBrackets(llvm::StringRef text, char separator);

/// The offset of `word` outside of brackets and strings, npos if there is none.
size_t findOutsideBrackets(llvm::StringRef text, llvm::StringRef word);

} // namespace fuselage
