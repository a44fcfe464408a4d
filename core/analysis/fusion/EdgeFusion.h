// "Fuse this edge": the shortest list of unlock passes that turns a separate edge into a fused one.
#pragma once
#include "core/analysis/fusion/FusionStep.h"
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/module/PrintedModule.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <optional>

namespace fuselage {

/// An edge as `fuselage explain` and the dispatch graph name it.
struct EdgeAddress {
  OpId from = 0, to = 0;
  std::optional<unsigned> operand{}; ///< none: all values that go from one to the other
};

/// Reads "FROM:TO" or "FROM:TO:OPERAND". Failure: anything else.
llvm::Expected<EdgeAddress> parseEdgeAddress(llvm::StringRef text);

struct EdgeFusionOptions {
  unsigned maxSteps = 4;
  /// Pass runs of the search. In functions of many ops there are fewer, so that it ends in seconds.
  unsigned maxTries = 96;
  /// Asked before each pass run of the search, with how many ran before; false ends it with a Failure.
  std::function<bool(llvm::StringRef pass, unsigned tries)> proceed{};
};

struct EdgeFusion {
  bool fused = false;     ///< now or from the start (then there are no steps)
  std::string function{}; ///< that the edge is in
  std::vector<FusionStep> steps{};
  std::string pipeline{};  ///< does the steps; empty if there are none
  unsigned dispatches = 0; ///< in the edge's function, before
  /// Where it is not fused: the reasons as the edge stands, a code and a sentence each, and what they say
  /// once the unlocks that change anything have run.
  std::vector<std::string> reasons{};
  unsigned tries = 0;
  std::vector<std::string> tried{}; ///< what the tries were made of: names of transforms, as in EdgeVerdict::tried
  bool gaveUp = false;              ///< the number of tries ended the search, not a lack of passes to try
};

/// An edge with its verdict, and where it is.
struct FoundEdge {
  const BodyVerdicts *body = nullptr;
  const EdgeVerdict *edge = nullptr;
  mlir::func::FuncOp function;
};
/// The edge of an address among the verdicts on a module. Failure: there is none, or it is in a function of a foreign
/// dialect.
llvm::Expected<FoundEdge> findEdge(mlir::ModuleOp module, const EdgeAddress &address,
                                   llvm::ArrayRef<BodyVerdicts> bodies);

/// Searches breadth first, on copies of the edge's function: the passes that the reasons name, then those
/// that the new verdict names, at last the presets fuselage-fusion-cleanup and fuselage-fuse-all. What counts
/// as fused: see MarkedVerdicts::isFused.
/// `module` is not changed. Failure: there is no such edge, or it is in a function of a foreign dialect.
llvm::Expected<EdgeFusion> fuseEdge(mlir::ModuleOp module, const EdgeAddress &address, const FusionPolicy &policy,
                                    const EdgeFusionOptions &options = {});

} // namespace fuselage
