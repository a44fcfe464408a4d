// The ops that are written in another way in other releases of LLVM, and what each is in the one that parses here.
#pragma once
#include "core/ir/source/OpText.h"

namespace fuselage {

/// The LLVM whose parser reads all text. What is `since` a later one is newer than it.
inline constexpr unsigned kParsedLlvm = 22;

/// A row of the table.
struct LegacyOp {
  llvm::StringLiteral name;  ///< as written elsewhere; without a dot: of the std dialect
  unsigned since;            ///< the release from which on `name` is not, or not only, written so
  llvm::StringLiteral today; ///< the name that is parsed; empty: the same
  /// What else of the text changes, the name aside; null: nothing. False: the op is in today's words, or has no form in
  /// them, and stays as it is.
  bool (*rewrite)(const OpText &op, SourceEdits &edits) = nullptr;

  llvm::StringRef nameToday() const { return today.empty() ? name : today; }
};

llvm::ArrayRef<LegacyOp> legacyOps();
/// The row of an op name; null if there is none.
const LegacyOp *findLegacyOp(llvm::StringRef name);

/// Whether a word without a dot names an op of the std dialect that modernizeOp knows, or another one
/// that it had, which then is read as `std.word`.
bool isStdOp(llvm::StringRef word);

/// Today's name of the op `name`; empty if it has none, or is called so today. `text` is what stands after the name: it
/// tells a `dim` of a tensor from one of a memref.
llvm::StringRef renamedOp(llvm::StringRef name, llvm::StringRef text);

/// The rewrites, by dialect. Each does what its name says to one op's own text; exceptions are told.
namespace legacy {
// LegacyTensors.cpp
bool initTensor(const OpText &op, SourceEdits &edits); ///< `[4, %d] : T` is `(%d) : T`
bool padTensor(const OpText &op, SourceEdits &edits);  ///< the yield in its region is tensor.yield
bool expandShape(const OpText &op,
                 SourceEdits &edits); ///< gets its output_shape; sizes that the types lack, by ops before it
bool toTensor(const OpText &op, SourceEdits &edits);      ///< `: memref` is `: memref to tensor`
bool toBuffer(const OpText &op, SourceEdits &edits);      ///< `: memref` is `: tensor to memref`
bool tensorStore(const OpText &op, SourceEdits &edits);   ///< `%t, %m : memref` is `%t in writable %m`
bool copyTensor(const OpText &op, SourceEdits &edits);    ///< `%a, %b : T` is `%a in %b : (T, T) -> T`
bool materialize(const OpText &op, SourceEdits &edits);   ///< `: T` is `: (T, T) -> T`
bool emptySlice(const OpText &op, SourceEdits &edits);    ///< slices of size 0 start at 0
bool packOfBuffers(const OpText &op, SourceEdits &edits); ///< on tensors between to_tensor and materialize
// LegacyLinalg.cpp
bool transposeA(const OpText &op, SourceEdits &edits); ///< gets indexing maps
bool transposeB(const OpText &op, SourceEdits &edits);
bool batchTransposeA(const OpText &op, SourceEdits &edits);
bool batchTransposeB(const OpText &op, SourceEdits &edits);
bool unsignedCast(const OpText &op, SourceEdits &edits); ///< gets `cast = #linalg.type_fn<cast_unsigned>`
bool elemwise(const OpText &op, SourceEdits &edits);     ///< `{fun = #linalg.unary_fn<exp>}` is `kind=...`
bool elementwise(const OpText &op,
                 SourceEdits &edits);                 ///< `<add>` is `kind=...`; kinds of later releases are linalg.map
bool mapRegion(const OpText &op, SourceEdits &edits); ///< its region takes the output's element, too
bool winograd(const OpText &op, SourceEdits &edits);  ///< `m(4) r(3)` is `fmr(F_4_3)`
bool iteratorTypes(const OpText &op, SourceEdits &edits); ///< `#linalg.iterator_type<parallel>` is "parallel"
bool callLike(const OpText &op, SourceEdits &edits);      ///< `op(%a, %b) : A, B` and `init(..)` have ins and outs
// LegacyVectors.cpp
bool extract(const OpText &op, SourceEdits &edits); ///< `: vector` is `: element from vector`
bool extractElement(const OpText &op, SourceEdits &edits);
bool insertElement(const OpText &op, SourceEdits &edits);
bool vectorSplat(const OpText &op, SourceEdits &edits);    ///< `: vector` is `: element to vector`
bool combiningKind(const OpText &op, SourceEdits &edits);  ///< `"add"` is `<add>`, maxf and minf have new names
bool multiReduction(const OpText &op, SourceEdits &edits); ///< gets its accumulator, a constant before it
bool warpYield(const OpText &op, SourceEdits &edits);      ///< in an op that moved: moved, too
// LegacyLoops.cpp
bool parallelYield(const OpText &op, SourceEdits &edits); ///< in scf.parallel: scf.reduce, or nothing
bool reduce(const OpText &op, SourceEdits &edits);        ///< several are one, at the loop's end
bool foreachThread(const OpText &op, SourceEdits &edits); ///< what its slices go into is shared_outs
// LegacySchedules.cpp
bool handles(const OpText &op, SourceEdits &edits);      ///< handles have types, one that all ops have
bool handlesAlone(const OpText &op, SourceEdits &edits); ///< the same for ops that spell their operand's alone
bool sequence(const OpText &op, SourceEdits &edits);
bool match(const OpText &op, SourceEdits &edits);         ///< of ops by their old names, too
bool tileFor(const OpText &op, SourceEdits &edits);       ///< `[4, 4]` is `tile_sizes [4, 4]`
bool tileForall(const OpText &op, SourceEdits &edits);    ///< the loop is the last result
bool tileReduction(const OpText &op, SourceEdits &edits); ///< the loop is the last result
bool fuse(const OpText &op, SourceEdits &edits);          ///< sizes and interchange out of the dictionary
bool fuseInto(const OpText &op, SourceEdits &edits);      ///< two results
bool interchange(const OpText &op, SourceEdits &edits);
bool vectorize(const OpText &op, SourceEdits &edits);      ///< with a result: the op for all children
bool registeredPass(const OpText &op, SourceEdits &edits); ///< options are a dictionary
bool split(const OpText &op, SourceEdits &edits);          ///< one result, which split_handle takes apart
bool pad(const OpText &op, SourceEdits &edits);            ///< three results
bool twoLoops(const OpText &op, SourceEdits &edits);       ///< two results
bool isolatedParent(const OpText &op, SourceEdits &edits);
bool parentLoop(const OpText &op, SourceEdits &edits);
bool splitHandle(const OpText &op, SourceEdits &edits);  ///< without the count of results
bool mapToThreads(const OpText &op, SourceEdits &edits); ///< sizes out of the dictionary
} // namespace legacy

} // namespace fuselage
