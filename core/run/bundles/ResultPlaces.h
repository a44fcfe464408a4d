// Which dispatches of a module the rows of a results file belong to.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "core/protocol/BundleResults.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace fuselage {

/// Where a row belongs.
struct ResultPlace {
  int64_t dispatch = -1;           ///< its number in the module as formed for a run; -1: it has none
  std::string loc;                 ///< "file:line:col" of its root op, as the module says it; empty: unknown
  std::vector<mlir::Location> ops; ///< of the root op, then of its other structured ops
  std::string whyNot;              ///< a sentence; empty: it is placed, or is what ran on the host between dispatches
};

/// The dispatches that a run of a function would form, without running or compiling any. Holds no IR, only locations,
/// whose context has to live as long.
class FormedFunction {
public:
  /// Forms the dispatches in a copy of `module`. `function`: empty for the first public one. `sizes` of dynamic
  /// dimensions; those that are missing are chosen as for a run. Failure: as of runModule() before it compiles.
  static llvm::Expected<FormedFunction> form(mlir::ModuleOp module, llvm::StringRef function,
                                             const ArgumentSizes &sizes);

  /// A row belongs to the dispatch that has its name, its place (files by their names, since folders differ from
  /// machine to machine), and structured ops of the same places.
  ResultPlace placeOf(const message::Kernel<> &row) const;

private:
  struct Dispatch {
    int64_t number = -1;
    std::string loc;
    std::vector<std::string> parts; ///< places of structured ops (message::Kernel::parts)
    std::vector<mlir::Location> ops;
  };
  std::map<std::string, Dispatch> dispatches_; ///< by name
};

/// Whether results are of this file: `source`, whose bytes have the checksum `sha256` now. Failure: their bundle was
/// made of another one. If either checksum is unknown (empty), names and places decide alone.
llvm::Error checkSource(const message::Results<> &results, llvm::StringRef source, llvm::StringRef sha256);

/// Where the rows of results belong, one by one. Failure: none of them is of a dispatch of `formed`, the function of
/// `source` that they name, or, if that could not be formed, why.
llvm::Expected<std::vector<ResultPlace>>
placeResults(const message::Results<> &results, llvm::Expected<const FormedFunction *> formed, llvm::StringRef source);

} // namespace fuselage
