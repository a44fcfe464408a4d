// A stable way for a script to come to an op: never by a line.
#pragma once
#include "core/schedules/trace/Trace.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {

/// Names that a script does not have yet.
class ScriptNames {
public:
  explicit ScriptNames(llvm::StringRef script);
  /// "%matmul", or "%matmul_0" where there is one.
  std::string fresh(llvm::StringRef stem);

private:
  llvm::StringSet<> taken_;
};

/// A handle, and the lines of a script that make it; none where the handle is there.
struct FoundHandle {
  std::vector<std::string> lines{};
  std::string handle; ///< "%matmul"
  std::string type = "!transform.any_op";
};

/// A handle to exactly this op of the position's payload. What holds it already is taken; else it is matched in the
/// innermost op that a live handle holds: by its name, by an attribute or its result type where that tells it from
/// others of its name, in its function if that has a symbol, at last by its number among its like. Failure: no live
/// handle is around it.
llvm::Expected<FoundHandle> findOp(mlir::Operation *op, const TracePosition &position, ScriptNames &names);

} // namespace fuselage
