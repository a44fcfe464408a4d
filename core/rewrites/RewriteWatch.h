// Watches the drivers of MLIR while they rewrite a module.
#pragma once
#include "core/rewrites/ActionWatch.h"
#include "core/rewrites/ContentHash.h"
#include "core/rewrites/OpNumbers.h"
#include "core/rewrites/OpenRewrite.h"
#include "core/rewrites/TickClock.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassInstrumentation.h"
#include <memory>

namespace fuselage {

/// What not to do when a step runs again.
struct RewriteSkips {
  std::vector<std::string> patterns{}; ///< debug names, or short ones: nowhere
  /// On these ops, by their index in RewriteLog::ops of the run that this one repeats; a driver that is kept from
  /// it once would come back to it later.
  std::vector<std::pair<std::string, unsigned>> patternsOnOps{};
  std::vector<unsigned> foldsOfOps{};

  bool skips(llvm::StringRef pattern, unsigned op) const;
};

/// Hears of rewrites while they happen, for a process that may not come to its end.
class RewriteMonitor {
public:
  virtual ~RewriteMonitor() = default;
  /// A pattern is tried on `op`; it is in no log yet.
  virtual void begins(const RewriteLog &log, const Rewrite &rewrite, mlir::Operation *op) = 0;
  /// The pattern did not match.
  virtual void declines() = 0;
  /// It is the last of the log.
  virtual void ends(const RewriteLog &log, const Rewrite &rewrite) = 0;
};

/// A rewrite after which the IR is copied.
struct CapturePoint {
  std::string function{};              ///< its name
  unsigned functionOrdinal = 0;        ///< Rewrite::functionOrdinal
  RewriteEnd end = RewriteEnd::AtOnce; ///< Rewrite::end of it
};

/// What RewriteWatch does beside watching.
struct RewriteWatchOptions {
  std::vector<CapturePoint> captures{};
  /// Once all captures are made, the rest of the run is cut short: see RewriteWatch::isDone().
  bool stopsAfterCaptures = false;
  llvm::ArrayRef<mlir::StringAttr> functions{}; ///< of the root's ops: functionsOfOps() of a watch that this continues
  const RewriteSkips *skips = nullptr;
  RewriteMonitor *monitor = nullptr;
  PassHashes *hashes = nullptr; ///< of the passes before, if what they left is what the watch begins with
  /// False: the run repeats one that is known, to get at its IR. Patterns need not say why they do not match.
  bool keepsReasons = true;
  /// False: it is known that passes change nothing without a rewriter, so that their IR is not hashed. Rewrite::end of
  /// the last rewrite of a pass is not found out then, either.
  bool looksAtPasses = true;
  bool byActions = false; ///< lists the attempts that Actions tell of: for where works() is false
};

/// While one lives, it notes all that changes `root` on this thread: applications of patterns by greedy drivers, walks
/// and conversions, folds, dead ops, CSE, and what passes do through a rewriter by themselves. MLIR has no hook for the
/// drivers of stock passes; their entry points are defined once more in Interposition.cpp, and tell the watch of
/// their thread. Changes to other IR (copies that a pass makes to try something) are not noted. The context runs
/// passes on one thread.
class RewriteWatch {
public:
  explicit RewriteWatch(mlir::Operation *root, RewriteWatchOptions options = {});
  ~RewriteWatch();
  RewriteWatch(const RewriteWatch &) = delete;
  RewriteWatch &operator=(const RewriteWatch &) = delete;

  /// The one of this thread; null: nobody watches.
  static RewriteWatch *current();
  /// Whether the drivers of the linked MLIR do tell a watch; found out once, by a small module. False: an MLIR that was
  /// linked so that its own calls cannot be redirected (-Bsymbolic).
  static bool works();

  bool watches(mlir::Operation *root) const { return root_ == root; }
  /// A copy of the root as it is now, perhaps in the middle of a rewrite. It need not verify.
  mlir::OwningOpRef<mlir::ModuleOp> copy() const;
  /// What not to do from now on; null: everything may be done. Returns what was not to be done before.
  const RewriteSkips *skip(const RewriteSkips *skips) { return std::exchange(options_.skips, skips); }

  /// Whether nothing that follows is of interest. Drivers then try no pattern more and fail, as where they have reached
  /// a limit of rewrites, so that passes give up soon. What becomes of the root, and the end of the log, mean nothing.
  bool isDone() const { return isDone_; }

  /// Between these, what runs is `pass` on `op`; a pass may run others.
  void beginPass(llvm::StringRef pass, mlir::Operation *op);
  void endPass();
  /// Rewrite::ordinal of the next one.
  unsigned ordinal() const { return ordinal_; }
  /// Rewrite::functionOrdinal of the next one in each of RewriteLog::functions; 0 in those beyond.
  const std::vector<unsigned> &functionOrdinals() const { return functionOrdinals_; }
  /// The function of each op, in pre-order, as the log has it: for a watch that goes on with a copy.
  std::vector<mlir::StringAttr> functionsOfOps() { return numbers_.functionsIn(root_); }
  /// Ends the watch. The root is as the step leaves it.
  RewriteLog take();
  /// The copies that the options asked for, one each; null: the step did not get that far.
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> takeCaptured() { return std::move(captured_); }

  /// @name What Interposition.cpp tells
  /// @{
  enum class Driver { Patterns, Conversion, Foreign };
  /// A driver runs on what is in `scope`, which need not be watched.
  void driverBegins(Driver driver, mlir::Operation *scope);
  void driverEnds(bool failed);
  /// Whether anything that happens now is of interest.
  bool isWatching() const { return drivers_.empty() || drivers_.back().driver != Driver::Foreign; }
  bool inConversion() const { return !drivers_.empty() && drivers_.back().driver == Driver::Conversion; }

  /// Patterns that are tried on one op, one after the other.
  struct Tries {
    std::optional<unsigned> op{};  ///< its number, once known
    std::optional<uint64_t> end{}; ///< TickClock::now() of the last one, where the next begins
  };
  /// Whether a pattern may be tried. If so, one of the next three follows.
  bool patternBegins(const mlir::Pattern &pattern, mlir::Operation *op, Tries &tries);
  void patternFails(Tries &tries);
  void patternSucceeds(Tries &tries);
  /// A pattern that succeeded is taken back, with all that followed from it.
  size_t rewriteCount() const { return log_.rewrites.size(); }
  void rollBack(size_t count);
  /// Why the pattern that is being tried does not match.
  void reason(mlir::Location location, llvm::function_ref<void(mlir::Diagnostic &)> describe);

  bool isInDriver() const { return !drivers_.empty() && isWatching(); }
  /// Whether it is a driver that is at work now, rather than a pattern.
  bool isDriver() const { return isInDriver() && !unit_; }
  bool mayFold(mlir::Operation *op);
  void folded(mlir::Operation *op, bool inPlace);

  /// An op is going to be put into a block by a pass itself. Whether to tell of it.
  bool insertionBegins(mlir::Block *block);
  void inserted(mlir::Operation *op);
  void hoisted(mlir::Operation *op);
  void erased(mlir::Operation *op);
  void modified(mlir::Operation *op);
  /// An op comes to be, perhaps where one lay that is gone.
  void created(mlir::Operation *op) { numbers_.forget(op); }
  /// Around a call that replaces or erases an op; calls nest.
  void changeBegins(mlir::Operation *op, bool replaces);
  void changeEnds();
  /// modifyOpInPlace ends.
  void modificationEnds(mlir::Operation *op);
  /// Around simplifyRegions() on regions of `owner`.
  void regionsBegin(mlir::Operation *owner);
  void regionsEnd(bool changed);
  /// @}

private:
  /// Null is what is not in an op yet.
  bool isWatched(mlir::Operation *op) const { return op && root_->isAncestor(op); }
  /// Whether what happens is a pass's own doing.
  bool isDirect() const { return drivers_.empty() && passDepth_ > 0 && regionsDepth_ == 0; }
  unsigned patternOf(const mlir::Pattern &pattern);
  unsigned lookUp(const mlir::Pattern &pattern);
  void open(RewriteKind kind, std::optional<unsigned> root = std::nullopt);
  void close();
  std::optional<size_t> captureOf(const Rewrite &rewrite) const;
  void captureIfDue();
  void captureNow();
  PassHashes &hashes() { return options_.hashes ? *options_.hashes : ownHashes_; }
  void checkPassEnd();
  void findPassChange();
  void trace() const;

  mlir::Operation *root_;
  RewriteWatchOptions options_;
  RewriteWatch *outer_; ///< of this thread, before
  RewriteLog log_;
  OpNumbers numbers_;
  std::optional<ActionWatch> actions_;
  llvm::DenseMap<const mlir::Pattern *, unsigned> patterns_;
  struct RecentPattern {
    const mlir::Pattern *pattern = nullptr;
    unsigned index = 0, drivers = 0; ///< in the log; driversSeen_ when it was looked up
  };
  std::array<RecentPattern, 256> recentPatterns_{}; ///< by their addresses: most tries are of the same few
  llvm::StringMap<unsigned> patternsByName_, reasons_, passes_;
  std::vector<unsigned> lastReasons_; ///< by pattern

  struct OpenDriver {
    Driver driver;
    size_t rewrites; ///< before it
    bool isNested;   ///< a pattern runs it
  };
  llvm::SmallVector<OpenDriver> drivers_;      ///< those that run, the innermost last
  unsigned driversSeen_ = 0;                   ///< counts where one begins or ends
  OpenRewrite unit_;                           ///< the rewrite that is going on
  unsigned nestedPatterns_ = 0;                ///< that are tried by drivers within it
  TickClock clock_;                            ///< of the log's times, which are ticks until take()
  uint64_t start_ = 0;                         ///< of the pattern that is tried, in ticks
  llvm::DenseMap<unsigned, double> traceEnds_; ///< by Rewrite::attempt, where the process writes a trace
  mlir::Operation *folding_ = nullptr;         ///< was folded, and is going to be replaced
  llvm::SmallVector<unsigned> pending_;        ///< inserted by a driver for what comes next
  unsigned changeDepth_ = 0, regionsDepth_ = 0;
  llvm::SmallVector<mlir::Operation *> dying_; ///< in the op that a pass itself replaces or erases
  bool isChanging_ = false;                    ///< the change that goes on is a rewrite of its own
  unsigned ordinal_ = 0;
  std::vector<unsigned> functionOrdinals_;
  std::optional<size_t> dueCapture_; ///< of the options
  size_t captures_ = 0;              ///< that are made
  bool isDone_ = false;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> captured_;

  unsigned passDepth_ = 0;
  llvm::SmallVector<unsigned> passNames_;
  mlir::Operation *passOp_ = nullptr; ///< of the outermost pass
  bool looksAtPass_ = false;          ///< whether it may change something without a rewriter
  size_t passRewrites_ = 0;           ///< rewrites before it
  PassHashes ownHashes_;              ///< of IR before and after passes, if the options have none
  uint64_t passStart_ = 0;            ///< hash of its IR before
  std::optional<uint64_t> driverEnd_; ///< and where the last driver ended that changed something, if taken
  size_t driverEndRewrites_ = 0;      ///< rewrites by then
  unsigned driversOfPass_ = 0;
  llvm::SmallVector<unsigned> modifiedBefore_; ///< by the pass itself, before its first rewrite
};

/// Tells a watch which pass runs.
std::unique_ptr<mlir::PassInstrumentation> tellPasses(RewriteWatch &watch);

} // namespace fuselage
