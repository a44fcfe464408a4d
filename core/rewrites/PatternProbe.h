// Looks at the patterns of drivers, which then do not run.
#pragma once
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <functional>
#include <memory>

namespace fuselage {

/// While one lives, greedy drivers and walks on this thread change nothing: they show their patterns, and are done.
/// Dialect conversions run as ever, since their patterns only make sense together.
class PatternProbe {
public:
  /// `folds`: the driver also folds ops.
  using Look = std::function<void(llvm::StringRef pass, const mlir::FrozenRewritePatternSet &patterns, bool folds)>;

  explicit PatternProbe(Look look);
  ~PatternProbe();
  PatternProbe(const PatternProbe &) = delete;
  PatternProbe &operator=(const PatternProbe &) = delete;

  /// The one of this thread; null: there is none, or it is looking.
  static PatternProbe *current();
  /// Interposition.cpp tells of a driver. What `look` calls is not probed.
  void look(const mlir::FrozenRewritePatternSet &patterns, bool folds);
  /// Tells it which pass runs.
  std::unique_ptr<mlir::PassInstrumentation> tellPasses();

private:
  Look look_;
  PatternProbe *outer_;
  std::string pass_; ///< that runs
};

} // namespace fuselage
