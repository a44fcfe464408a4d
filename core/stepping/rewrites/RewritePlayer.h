// The IR in the middle of a step.
#pragma once
#include "core/stepping/record/RecordedSteps.h"
#include "core/stepping/record/StepReplay.h"
#include <map>

namespace fuselage {

/// The rewrites of a step: those that were listed while it was recorded, or else of another run. Where drivers do not
/// tell, the attempts that Actions tell of (RewriteLog::resultsAreKnown). Failure: another compiler ran the step.
llvm::Expected<std::shared_ptr<const RewriteLog>> rewritesOf(const Step &step,
                                                             bool driversTell = RewriteWatch::works());

/// The IR after a rewrite.
struct RewrittenModule {
  std::shared_ptr<const Snapshot> snapshot; ///< it need not verify, as in the middle of a conversion
  std::string note;                         ///< how it differs from what was listed; empty: it does not
};

/// Shows a step rewrite by rewrite: runs it again up to the one that is asked for. It keeps IR between the passes of
/// the step, so that a run begins close before, and what the next questions ask for, as they mostly go on in the same
/// direction.
class RewritePlayer {
public:
  /// Lists the rewrites of a step by running it, or takes those that were listed while it was recorded. Failure:
  /// another program ran the step.
  static llvm::Expected<std::unique_ptr<RewritePlayer>> listing(const Step &step);
  /// With a log that is known. Keeps nothing.
  RewritePlayer(const Step &step, std::shared_ptr<const RewriteLog> log);

  const std::shared_ptr<const RewriteLog> &log() const { return log_; }
  /// Failure: no such rewrite, or the step does not run the same way again.
  llvm::Expected<RewrittenModule> moduleAfter(unsigned rewrite);

  /// How much it keeps, and what it keeps is forgotten.
  size_t keptOps() const;
  void forget();

private:
  /// Rewrites that one run shows, and where it begins and ends.
  struct Stretch {
    const ReplayPoint *from = nullptr, *to = nullptr; ///< null: the start and the end of the step
    unsigned first = 0, end = 0;                      ///< rewrites
  };
  Stretch stretchOf(unsigned rewrite) const;
  /// The rewrites that a run for this one shows, too.
  Stretch wantedWith(unsigned rewrite, Stretch stretch) const;
  llvm::Error show(unsigned rewrite);

  std::string name_; ///< of the step
  std::shared_ptr<const StepReplay> replay_;
  std::shared_ptr<const RewriteLog> log_;
  std::vector<ReplayPoint> points_;
  bool keepsMore_ = false;         ///< what the next questions ask for
  std::optional<unsigned> last_{}; ///< that was asked for
  struct Shown {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    bool isReordered = false;
  };
  std::map<unsigned, Shown> near_; ///< by rewrite, of the last run
};

} // namespace fuselage
