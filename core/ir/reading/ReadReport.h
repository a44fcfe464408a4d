// What there is to say about a text that was read tolerantly.
#pragma once
#include "core/ir/reading/OpTriage.h"
#include "core/ir/source/SourceMap.h"

namespace fuselage {

/// Collects diagnostics at offsets of one split.
class ReadReport {
public:
  using Severity = Diagnostic::Severity;
  /// `isForeign`: the file is of other dialects or versions, where a demotion is no mistake of the user's.
  ReadReport(llvm::StringRef file, const SourceSplit &split, bool isForeign)
      : source_(file, split), isForeign_(isForeign) {}

  void say(Severity severity, size_t offset, std::string message);
  /// Ops that are not read as written: Warnings, one for all of a name, if the file is foreign; Errors
  /// otherwise, and for gaps.
  void sayDemotions(const ReadPlan &plan, llvm::ArrayRef<Demotion> demotions);
  /// One warning for each unknown dialect, and for each name that was read as an op of today.
  void sayForeign(const ReadPlan &plan, llvm::ArrayRef<Demotion> demotions);
  /// All, in the order of the text.
  std::vector<Diagnostic> take();

private:
  SourceMap source_;
  bool isForeign_;
  std::vector<std::pair<size_t, Diagnostic>> said_;
};

/// Takes away the warnings about unknown dialects of which `module`, made from what was read, has no op any more.
void forgetSettledDialects(std::vector<Diagnostic> &diagnostics, mlir::ModuleOp module);

/// What reading a file said, for people who read it in a row: unknown dialects take one line, after all else.
std::vector<Diagnostic> withoutLongLists(std::vector<Diagnostic> diagnostics);

} // namespace fuselage
