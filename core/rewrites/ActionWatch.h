// What MLIR's Actions tell of patterns: that each was tried, and nothing of what came of it.
#pragma once
#include "core/rewrites/Rewrites.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace fuselage {

/// For an MLIR whose drivers do not tell a RewriteWatch. While one lives, it takes the place of the context's handler
/// of Actions, and notes every pattern that is tried, by the name of the op and its function: nobody says when an op is
/// erased and another one lies in its place, so that single ops are not known. The context runs passes on one thread.
class ActionWatch {
public:
  explicit ActionWatch(mlir::MLIRContext &context);
  ~ActionWatch();
  ActionWatch(const ActionWatch &) = delete;
  ActionWatch &operator=(const ActionWatch &) = delete;

  /// Puts the attempts into a log, in place of those that it has; it knows its ops then by name and function only.
  void addTo(RewriteLog &log);

private:
  void note(llvm::StringRef pattern, mlir::Operation *op);

  struct Attempt {
    unsigned pattern;
    mlir::OperationName op;
    std::string function;
  };
  mlir::MLIRContext &context_;
  std::vector<Attempt> attempts_;
  std::vector<std::string> patterns_;
  llvm::StringMap<unsigned> patternIndices_;
};

} // namespace fuselage
