// The ways to make a module smaller, whatever it means then.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <string>
#include <vector>

namespace fuselage {

/// What must stay.
struct CutLimits {
  /// Of a function that is run: its name, and at least one result.
  std::function<bool(llvm::StringRef function)> isRun = [](llvm::StringRef) { return false; };
  /// Values that mean something only within bounds, such as indices and divisors, do not become arguments.
  bool keepsMeaning = false;
};

/// A cut that can be made at many places, at any number of them at once. Places are numbered in the order of the
/// program. A place that was cut is none any more.
struct PlacedCut {
  std::string name;
  std::function<unsigned(mlir::ModuleOp module)> count; ///< of places
  /// Cuts in place; the module need not verify then. False: nothing can be cut there.
  std::function<bool(mlir::ModuleOp module, const llvm::BitVector &places)> cut;
};

/// One change of a whole module.
struct WholeCut {
  std::string name;
  std::function<bool(mlir::ModuleOp module)> cut;
};

/// Functions and other symbols are erased, or become declarations if they are used.
PlacedCut symbolCut(const CutLimits &limits);
/// A module that is all that is in the module takes its place, such as what is left of a split file.
WholeCut nestedModuleCut();
/// Ops at the top of functions that nobody calls are erased. Their results become arguments of the function, and values
/// that nobody uses then become its results.
PlacedCut sliceCut(const CutLimits &limits);
/// The same of all reshapes at once, each of which hides that a value has fewer ranks.
WholeCut reshapeCut(const CutLimits &limits);
/// What takes the place of the results of an op that is erased.
enum class Substitute { Operand, BlockArgument, Constant };
PlacedCut substituteCut(Substitute substitute);
/// Ops with a region are replaced by what is in it.
PlacedCut unwrapCut();
/// Patterns that dialects have for mlir-reduce.
PlacedCut dialectCut();

/// Arguments that nobody uses are dropped from functions that nobody calls.
PlacedCut argumentCut();
/// Arguments are replaced by earlier ones of the same type.
PlacedCut mergeCut();
/// Results are dropped from functions that nobody calls.
PlacedCut resultCut(const CutLimits &limits);

/// Attributes that are not an op's own are dropped, those of arguments and results as well.
PlacedCut attributeCut();
/// Attributes that are an op's own are dropped, which only verifies where it can do without them: overflow and
/// fast-math flags, alignments, nofold and the like.
PlacedCut inherentAttributeCut();
/// Constants with many values become splats.
PlacedCut splatCut();
/// Operands and results that a linalg.generic does not use are dropped.
WholeCut unusedOperandCut();

/// All ways to make sizes of one value smaller, the smallest first. Of one group, the first that can be taken is.
std::vector<std::vector<WholeCut>> sizeCuts(mlir::ModuleOp module);
/// Dynamic sizes become small static ones, all of one size; a group as above. Empty: there are none.
std::vector<WholeCut> staticCuts(mlir::ModuleOp module);
/// Other element types, one group for each.
std::vector<std::vector<WholeCut>> elementTypeCuts(mlir::ModuleOp module);

/// How large a module is, so that cuts never lead in a circle: ops first, then values, sizes and attributes.
double weightOf(mlir::ModuleOp module);
/// The ops in a module, itself not counted.
unsigned countOpsIn(mlir::ModuleOp module);

} // namespace fuselage
