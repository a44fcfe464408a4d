// The state of one tolerant reading, and its steps; see TolerantReader.h. Not for others.
#pragma once
#include "core/ir/module/TextParser.h"
#include "core/ir/reading/OpTriage.h"
#include "core/ir/reading/ReadPlan.h"
#include "core/ir/reading/ReadReport.h"
#include "core/ir/reading/TolerantResult.h"

namespace fuselage {

class OpRepeats;

/// How often a text is parsed: one by one up to the first figure, then whole functions are demoted,
/// then dropped.
inline constexpr unsigned kFineParses = 40, kCoarseParses = 80, kParses = 120;

class TolerantReader {
public:
  TolerantReader(mlir::MLIRContext &context, llvm::StringRef file, const SourceSplit &split, const SourceScan &scan,
                 const TolerantOptions &options)
      : context_(context), file_(file), split_(split), scan_(scan), options_(options), plan_(scan, context),
        triage_(context, plan_, demotions_), report_(file, split, options.isForeign || plan_.isForeign()) {}

  TolerantResult read();

private:
  using Severity = Diagnostic::Severity;
  /// An error, at its offset in the split.
  struct ParseError {
    std::string message;
    std::optional<size_t> offset;
    std::string name; ///< of the undefined value
  };

  int32_t blamedOp(const ParseError &error) const;
  void makeGapsOfDeadlyOps();
  void repairBrackets();
  void defineAliases();
  mlir::OwningOpRef<mlir::ModuleOp> parse(bool withPlaces);
  mlir::OwningOpRef<mlir::ModuleOp> parseWithRepeats(DiagnosticCapture &capture);
  void findRepeats(OpRepeats &repeats) const;
  bool repair(const std::vector<ParseError> &errors);
  bool defineValues(const std::vector<ParseError> &errors);
  bool makeGapsOfBranches(const std::vector<ParseError> &errors);
  bool demoteBareWords(int32_t op, const ParseError &error);
  bool demoteAt(const ParseError &error);
  bool demoteOp(int32_t op, const std::string &message, size_t offset);
  void demoteUnit(int32_t op);
  bool completeBlocks(mlir::ModuleOp module);
  bool verifies(mlir::ModuleOp module);
  void verifyOpByOp(mlir::ModuleOp module);
  bool makeGapOfEarlyUse(const Diagnostic &diagnostic);
  std::optional<size_t> offsetOf(mlir::Operation *op) const;
  bool defineCaptured(mlir::Operation *isolated);
  bool demoteUnverified(mlir::ModuleOp module);
  bool demoteUnverified(mlir::ModuleOp module, bool recursively);
  std::optional<size_t> placeOfRefusal(mlir::Operation *op, llvm::ArrayRef<Diagnostic> diagnostics) const;

  mlir::MLIRContext &context_;
  std::string file_;
  SourceSplit split_;
  const SourceScan &scan_;
  const TolerantOptions &options_;
  std::vector<Demotion> demotions_;
  ReadPlan plan_;
  OpTriage triage_;
  ReadReport report_;

  std::vector<StandIn> standIns_;
  EditedText edited_;
  std::string bufferName_; ///< that edited_ is parsed under
  OpPlaces places_;
  std::vector<ParseError> errors_;
  llvm::StringMap<unsigned> failures_; ///< by op name
  llvm::DenseSet<int32_t> demotedUnits_;
  unsigned parses_ = 0;
  bool isRefused_ = false; ///< the verifier refused something
  bool triedAliases_ = false;
  llvm::StringSet<> notRepeated_; ///< names of ops of which each is read
};

} // namespace fuselage
