// What happened inside of a step, rewrite by rewrite.
#pragma once
#include "mlir/IR/Location.h"
#include "mlir/IR/OperationSupport.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

enum class RewriteKind {
  Pattern,    ///< a pattern of a greedy driver, of a walk or of a dialect conversion
  Fold,       ///< Operation::fold replaced the op or changed it in place
  Dead,       ///< a driver erased an op that nobody uses
  Cse,        ///< an op was replaced by an equal one: by the pass cse, or a constant by a driver
  Hoist,      ///< a driver moved constants to the front of their region, before it began
  Regions,    ///< blocks were erased, merged, or lost arguments (simplifyRegions)
  Conversion, ///< the end of a dialect conversion: what its patterns replaced is erased
  Direct,     ///< the pass's own code replaced, erased, inserted or modified ops through a rewriter
  Pass,       ///< what else the pass did, without a rewriter
};
/// "pattern", "fold", ..: the names that JSON and filters use.
llvm::StringRef nameOf(RewriteKind kind);

/// An op that took part in a step, known by its index in RewriteLog::ops.
struct RewriteOp {
  mlir::OperationName name;
  mlir::LocationAttr location;
  unsigned function = 0; ///< index in RewriteLog::functions
  int64_t before = -1;   ///< OpId in the IR before the step; -1: the step made it
  int64_t after = -1;    ///< OpId in the IR after it; -1: it is gone by then
  int32_t made = -1;     ///< the rewrite that inserted it; -1: none that is known
  int32_t removed = -1;  ///< the rewrite that erased it
};

/// When the IR is that of after a rewrite.
enum class RewriteEnd : uint8_t {
  AtOnce,
  BeforeNext, ///< of direct changes: where the next rewrite or driver begins
  WithPass    ///< of the last one in a pass, where what the pass does after its drivers was not looked at
};

/// One effective change, in the order in which they happened.
struct Rewrite {
  RewriteKind kind = RewriteKind::Pattern;
  unsigned pattern = 0;  ///< index in RewriteLog::patterns, if a pattern
  unsigned pass = 0;     ///< index in RewriteLog::passes
  int32_t root = -1;     ///< index in RewriteLog::ops; -1: there is no one op, see `function`
  unsigned function = 0; ///< index in RewriteLog::functions
  /// Indices in RewriteLog::ops. What was both inserted and erased within the rewrite is in neither.
  std::vector<unsigned> inserted{}, erased{}, modified{};
  unsigned ordinal = 0; ///< counts what was rolled back, too: it finds the rewrite when the step runs again
  /// The same among those of its function: some passes take functions in an order of their addresses.
  unsigned functionOrdinal = 0;
  uint32_t attempt = ~0u;    ///< index in RewriteLog::attempts, if a pattern
  bool inConversion = false; ///< of a dialect conversion: what it replaced is in the IR until its end
  RewriteEnd end = RewriteEnd::AtOnce;
  std::optional<float> microseconds{}; ///< of a pattern
};

/// A pattern that was tried on an op.
struct PatternAttempt {
  enum class Outcome : uint8_t {
    Declined,
    Applied,
    RolledBack,
    Unknown ///< known by an Action only
  };
  unsigned pattern = 0; ///< index in RewriteLog::patterns
  unsigned op = 0;      ///< index in RewriteLog::ops
  unsigned reason = 0;  ///< index in RewriteLog::reasons; 0: none was given
  Outcome outcome = Outcome::Declined;
};

/// A pattern, and what came of it.
struct PatternSum {
  std::string name; ///< its debug name: mostly a C++ type
  unsigned attempts = 0, applied = 0, rolledBack = 0;
  double microseconds = 0;
};

struct RewriteLog {
  std::vector<Rewrite> rewrites;
  std::vector<PatternAttempt> attempts;
  std::vector<PatternSum> patterns;
  std::vector<std::string> passes, functions; ///< functions: symbol names, "" for none
  std::vector<std::string> reasons{""};       ///< as patterns gave them; several in one attempt are joined by "; "
  /// False: MLIR told of attempts by Actions alone. Then a RewriteOp that was tried stands for all of its name in its
  /// function, and rewrites are what passes did as a whole.
  bool resultsAreKnown = true;
  std::vector<RewriteOp> ops; ///< in the beginning those of the IR before the step, by OpId
};

/// A pattern's name as people say it: without the namespaces of its type and of template arguments.
std::string shortPatternName(llvm::StringRef debugName);

} // namespace fuselage
