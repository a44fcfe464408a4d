// The IR between two steps: a module in memory, or a text that is parsed when it is looked at.
#pragma once
#include "core/ir/Session.h"
#include "core/ir/module/PrintedModule.h"
#include "core/stepping/dumps/DumpText.h"

namespace fuselage {

/// Steps that change nothing share their snapshot. Everything derived is made on first use and kept
/// until released. Not thread-safe, as the session is not.
class Snapshot {
public:
  /// IR that was made here.
  explicit Snapshot(mlir::OwningOpRef<mlir::ModuleOp> module);
  /// IR that others hold as well.
  explicit Snapshot(std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> module) : module_(std::move(module)) {}
  /// IR that need not verify, as in the middle of a step, which is found out once somebody looks at it. If it does not,
  /// it is a text alone, in generic form, and problem() says why.
  struct InStep {};
  Snapshot(mlir::OwningOpRef<mlir::ModuleOp> module, InStep);
  /// IR that somebody dumped; `session` outlives this.
  Snapshot(Session &session, DumpText text);

  /// Whether there is only a text, until somebody asks for the module.
  bool isDump() const { return session_ != nullptr; }
  /// Whether it never has a module.
  bool isTextAlone() const { return !isDump() && !holdModule(); }
  /// Why there is no module, once one was asked for; empty: there is one.
  const std::string &problem() const;
  /// Of a dump, where its text stands.
  const DumpText &dump() const { return text_; }
  /// The text as it is shown. Nothing is parsed for it: of a dump, only the lines are known, and what
  /// printed() knows of ops once that was asked for.
  const PrintedModule &lines() const;
  /// The text with the lines of every op. Of a dump that does not parse, op 0 covers all of it.
  const PrintedModule &printed() const;
  /// The module; a dump is parsed. Null: it does not parse, see problem() and diagnostics().
  mlir::ModuleOp module() const;
  /// module(), or a Failure that says why there is none.
  llvm::Expected<mlir::ModuleOp> parsed() const;
  /// What reading a dump said, in places of its file; empty before it is parsed.
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  /// Of a parsed dump: what the reader skipped, and what the universal parser read.
  unsigned gaps() const { return gaps_; }
  unsigned tolerated() const { return tolerated_; }
  /// The line of the text (from 0) that a diagnostic of reading it is about.
  std::optional<unsigned> lineOf(const Diagnostic &diagnostic) const;
  /// Whether ops know places outside of the dump's own text (it was printed with locations), so that
  /// ops of different snapshots can be told to be the same.
  bool hasPlaces() const;

  /// Forgets the text: references to it die; it comes back alike.
  void releaseText() const;
  /// Forgets the module of a dump, which is parsed again when it is asked for.
  void releaseModule() const;
  void release() const {
    releaseText();
    releaseModule();
  }
  /// Keeps the module in memory for as long as it is held, released or not.
  std::shared_ptr<const void> holdModule() const {
    verifyInStep();
    return module_;
  }
  bool isPrinted() const { return printed_ != nullptr; }

private:
  void parse() const;
  void verifyInStep() const;
  void printInvalid() const;
  llvm::Error parseText(const std::string &text) const;
  void locateOps() const;

  Session *session_ = nullptr;
  DumpText text_;
  mutable std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> module_;
  mutable mlir::OwningOpRef<mlir::ModuleOp> invalid_; ///< until it is printed
  mutable bool isUnverified_ = false;                 ///< what is in `invalid_`
  mutable std::unique_ptr<PrintedModule> printed_;
  mutable bool isLocated_ = false, wasParsed_ = false, hasPlaces_ = false;
  mutable std::vector<Diagnostic> diagnostics_;
  mutable std::string problem_;
  mutable unsigned gaps_ = 0, tolerated_ = 0;
};

} // namespace fuselage
