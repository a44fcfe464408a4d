// Ops that take the place of what a text lacks: values that nobody defines, and ops that no parser reads.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// What stands in, known by its index in a table of the reader's.
struct StandIn {
  bool isGap = false;
  std::string text;                   ///< a gap's original text; an undefined value's name, with its '%'
  bool endsBlock = false;             ///< of a gap: it was a terminator
  std::vector<std::string> arguments; ///< of a gap with regions: the names in its text that they may use
};

/// Loads the dialect whose ops standInPlace() and standInValues() spell.
void loadStandInDialect(mlir::MLIRContext &context);

/// Text for the place where a gap was: an op without results, with the values that it uses; regions in
/// braces may follow, before them `isolated` if they do not see the values around.
std::string standInPlace(size_t index, llvm::ArrayRef<std::string> operands = {});

/// Text that defines values, for the end of the region that uses them: `results` as written, such as
/// "%a, %b:2". There every use was already seen, so that the parser knows their types; a value that
/// nobody uses has type none.
std::string standInValues(size_t index, llvm::StringRef results);

/// Turns the above into `"fuselage.gap"(operands) ({regions}) {text}` in their places and `"fuselage.undefined"()
/// {name}` at the start of the outermost region that may hold them, which uses of a name may share; names that are
/// arguments of a gap become arguments of its regions, with the type of their uses. Blocks
/// that got a second terminator, because these ops stood after the first, lose it again.
void settleStandIns(mlir::ModuleOp module, llvm::ArrayRef<StandIn> table);

} // namespace fuselage
