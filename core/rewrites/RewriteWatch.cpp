#include "core/rewrites/RewriteWatch.h"
#include "core/rewrites/CopyOfRewritten.h"
#include "core/rewrites/LinkInterposition.h"
#include "core/trace/TraceLog.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

static thread_local RewriteWatch *watchOfThread = nullptr;

RewriteWatch *RewriteWatch::current() { return watchOfThread; }

/// The index of `text` in a list of different texts.
static unsigned indexIn(std::vector<std::string> &list, llvm::StringMap<unsigned> &indices, llvm::StringRef text) {
  auto [known, isNew] = indices.try_emplace(text, list.size());
  if (isNew)
    list.push_back(text.str());
  return known->second;
}

bool RewriteSkips::skips(llvm::StringRef pattern, unsigned op) const {
  const std::string shortName = shortPatternName(pattern);
  auto isMeant = [&](llvm::StringRef name) { return name == pattern || name == shortName; };
  return llvm::any_of(patterns, isMeant) ||
         llvm::any_of(patternsOnOps, [&](const auto &one) { return one.second == op && isMeant(one.first); });
}

RewriteWatch::RewriteWatch(mlir::Operation *root, RewriteWatchOptions options)
    : root_(root), options_(options), outer_(watchOfThread), numbers_(log_, root, options.functions) {
  linkInterposition();
  captured_.resize(options_.captures.size());
  reasons_[""] = 0;
  if (options.byActions)
    actions_.emplace(*root->getContext());
  watchOfThread = this;
}

RewriteWatch::~RewriteWatch() {
  if (watchOfThread == this)
    watchOfThread = outer_;
}

RewriteLog RewriteWatch::take() {
  watchOfThread = outer_;
  if (!isDone_)
    numbers_.finish(root_);
  const double microsecondsPerTick = clock_.microsecondsPerTick();
  for (PatternSum &sum : log_.patterns)
    sum.microseconds *= microsecondsPerTick;
  for (auto [index, rewrite] : llvm::enumerate(log_.rewrites)) {
    if (rewrite.microseconds)
      *rewrite.microseconds *= float(microsecondsPerTick);
    for (unsigned op : rewrite.inserted)
      log_.ops[op].made = index;
    for (unsigned op : rewrite.erased)
      log_.ops[op].removed = index;
  }
  for (const PatternAttempt &attempt : log_.attempts) {
    PatternSum &sum = log_.patterns[attempt.pattern];
    ++sum.attempts;
    sum.applied += attempt.outcome == PatternAttempt::Outcome::Applied;
    sum.rolledBack += attempt.outcome == PatternAttempt::Outcome::RolledBack;
  }
  trace();
  if (actions_)
    actions_->addTo(log_);
  return std::move(log_);
}

/// The patterns that were applied, and not rolled back, as events of the trace.
void RewriteWatch::trace() const {
  TraceLog *log = traceLog();
  if (!log)
    return;
  for (const Rewrite &rewrite : log_.rewrites) {
    auto end = rewrite.attempt == ~0u ? traceEnds_.end() : traceEnds_.find(rewrite.attempt);
    if (end == traceEnds_.end())
      continue;
    const double duration = rewrite.microseconds.value_or(0);
    log->add({.category = "rewrite",
              .name = llvm::json::fixUTF8(shortPatternName(log_.patterns[rewrite.pattern].name)),
              .start = end->second - duration,
              .duration = duration,
              .thread = log->thread(),
              .args = llvm::json::Object{{"op", log_.ops[rewrite.root].name.getStringRef()},
                                         {"function", llvm::json::fixUTF8(log_.functions[rewrite.function])}}});
  }
}

//===- Rewrites -----------------------------------------------------------===//

void RewriteWatch::open(RewriteKind kind, std::optional<unsigned> root) {
  captureIfDue();
  unit_.open(kind, passNames_.empty() ? 0 : passNames_.back());
  if (root) {
    unit_->root = int32_t(*root);
    unit_->function = log_.ops[*root].function;
  }
  auto take = [](llvm::SmallVector<unsigned> &ops, std::vector<unsigned> &into) {
    into.insert(into.end(), ops.begin(), ops.end());
    ops.clear();
  };
  if (!pending_.empty())
    take(pending_, unit_->inserted);
  if (!modifiedBefore_.empty())
    take(modifiedBefore_, unit_->modified);
}

/// Lists each op once, and what was both inserted and erased nowhere.
static void tidyOps(Rewrite &rewrite) {
  auto tidy = [](std::vector<unsigned> &ops) {
    if (ops.size() < 2)
      return;
    llvm::sort(ops);
    ops.erase(llvm::unique(ops), ops.end());
  };
  tidy(rewrite.inserted);
  tidy(rewrite.erased);
  tidy(rewrite.modified);
  auto isIn = [](const std::vector<unsigned> &ops) {
    return [&ops](unsigned op) { return std::binary_search(ops.begin(), ops.end(), op); };
  };
  if (!rewrite.modified.empty())
    llvm::erase_if(rewrite.modified, [inserted = isIn(rewrite.inserted), erased = isIn(rewrite.erased)](unsigned op) {
      return inserted(op) || erased(op);
    });
  if (!llvm::any_of(rewrite.inserted, isIn(rewrite.erased)))
    return;
  std::vector<unsigned> inserted = rewrite.inserted;
  llvm::erase_if(rewrite.inserted, isIn(rewrite.erased));
  llvm::erase_if(rewrite.erased, isIn(inserted));
}

void RewriteWatch::close() {
  Rewrite rewrite = unit_.take();
  tidyOps(rewrite);
  bool isOver = rewrite.kind == RewriteKind::Pass || rewrite.kind == RewriteKind::Conversion;
  if ((drivers_.empty() && !isOver) || rewrite.kind == RewriteKind::Hoist)
    rewrite.end = RewriteEnd::BeforeNext;
  rewrite.ordinal = ordinal_++;
  if (functionOrdinals_.size() <= rewrite.function)
    functionOrdinals_.resize(rewrite.function + 1);
  rewrite.functionOrdinal = functionOrdinals_[rewrite.function]++;
  log_.rewrites.push_back(std::move(rewrite));
  if (options_.monitor)
    options_.monitor->ends(log_, log_.rewrites.back());
  dueCapture_ = captureOf(log_.rewrites.back());
  if (dueCapture_ && options_.captures[*dueCapture_].end == RewriteEnd::AtOnce)
    captureNow();
}

std::optional<size_t> RewriteWatch::captureOf(const Rewrite &rewrite) const {
  for (auto [index, point] : llvm::enumerate(options_.captures))
    if (point.functionOrdinal == rewrite.functionOrdinal && point.function == log_.functions[rewrite.function])
      return index;
  return std::nullopt;
}

void RewriteWatch::captureIfDue() {
  if (dueCapture_ && options_.captures[*dueCapture_].end == RewriteEnd::BeforeNext)
    captureNow();
}

mlir::OwningOpRef<mlir::ModuleOp> RewriteWatch::copy() const {
  return copyOfRewritten(llvm::cast<mlir::ModuleOp>(root_));
}

void RewriteWatch::captureNow() {
  captured_[*dueCapture_] = copy();
  dueCapture_.reset();
  isDone_ = ++captures_ == captured_.size() && options_.stopsAfterCaptures;
}

//===- Passes -------------------------------------------------------------===//

void RewriteWatch::beginPass(llvm::StringRef pass, mlir::Operation *op) {
  numbers_.forgetFunction();
  passNames_.push_back(indexIn(log_.passes, passes_, pass));
  if (passDepth_++ > 0)
    return;
  // A driver and nothing else, which tells all: there is nothing to find out.
  const bool isDriverAlone = pass == "canonicalize" && !actions_;
  looksAtPass_ = options_.looksAtPasses && !isDriverAlone;
  passStart_ = looksAtPass_ ? hashes().beginPass(op) : 0;
  passOp_ = op;
  passRewrites_ = log_.rewrites.size();
  driverEnd_.reset();
  driverEndRewrites_ = passRewrites_;
  driversOfPass_ = 0;
}

void RewriteWatch::endPass() {
  if (!unit_ && !modifiedBefore_.empty() && drivers_.empty())
    open(RewriteKind::Direct);
  if (unit_ && drivers_.empty()) // direct changes, which only a next one would have ended
    close();
  pending_.clear();
  if (passDepth_ == 1)
    checkPassEnd();
  --passDepth_;
  passNames_.pop_back();
}

void RewriteWatch::checkPassEnd() {
  if (isDone_)
    return;
  if (looksAtPass_)
    findPassChange();
  else if (options_.looksAtPasses)
    hashes().forget(passOp_);
  if (dueCapture_)
    captureNow();
}

void RewriteWatch::findPassChange() {
  Rewrite *last = log_.rewrites.size() > passRewrites_ ? &log_.rewrites.back() : nullptr;
  bool isUnknown = driversOfPass_ > 0 && !driverEnd_;
  bool isLate = last && last->end == RewriteEnd::BeforeNext && log_.rewrites.size() > driverEndRewrites_;
  if (last && isUnknown && !isLate) {
    last->end = RewriteEnd::WithPass;
  } else if (!isLate) {
    if (hashes().endPass(passOp_) != driverEnd_.value_or(passStart_)) {
      open(RewriteKind::Pass);
      unit_->function = numbers_.functionOf(passOp_);
      close();
    }
  }
}

//===- Drivers ------------------------------------------------------------===//

void RewriteWatch::driverBegins(Driver driver, mlir::Operation *scope) {
  numbers_.forgetFunction();
  if (!isWatching() || !isWatched(scope))
    driver = Driver::Foreign;
  ++driversSeen_;
  bool isNested = !drivers_.empty() && unit_;
  if (driver != Driver::Foreign && drivers_.empty()) {
    if (unit_)
      close(); // direct changes before it
    captureIfDue();
  }
  drivers_.push_back({.driver = driver, .rewrites = log_.rewrites.size(), .isNested = isNested});
}

void RewriteWatch::driverEnds(bool failed) {
  ++driversSeen_;
  OpenDriver ended = drivers_.pop_back_val();
  captureIfDue(); // of constants that it has moved
  folding_ = nullptr;
  pending_.clear();
  if (ended.driver == Driver::Foreign || ended.isNested || isDone_)
    return;
  if (ended.driver == Driver::Conversion && log_.rewrites.size() > ended.rewrites) {
    if (failed) {
      rollBack(ended.rewrites);
    } else {
      open(RewriteKind::Conversion);
      unit_->function = log_.rewrites.back().function;
      close();
    }
  }
  const bool isAsBefore = log_.rewrites.size() == driverEndRewrites_;
  if (!drivers_.empty() || passDepth_ == 0 || isAsBefore || !looksAtPass_)
    return;
  // What the pass does after its last driver has to be found out; a few looks at the IR are cheap.
  constexpr unsigned looks = 2;
  driverEnd_.reset();
  driverEndRewrites_ = log_.rewrites.size();
  if (++driversOfPass_ <= looks)
    driverEnd_ = contentHash(passOp_);
}

unsigned RewriteWatch::patternOf(const mlir::Pattern &pattern) {
  constexpr unsigned alignment = 4; // bits of addresses that are all alike
  RecentPattern &recent =
      recentPatterns_[(reinterpret_cast<uintptr_t>(&pattern) >> alignment) % recentPatterns_.size()];
  if (recent.pattern == &pattern && recent.drivers == driversSeen_)
    return recent.index;
  recent.pattern = &pattern;
  recent.drivers = driversSeen_;
  return recent.index = lookUp(pattern);
}

unsigned RewriteWatch::lookUp(const mlir::Pattern &pattern) {
  auto [known, isNew] = patterns_.try_emplace(&pattern, 0);
  llvm::StringRef name = pattern.getDebugName();
  // Patterns of another driver may lie where those of an earlier one were.
  if (!isNew && log_.patterns[known->second].name == name)
    return known->second;
  auto [byName, isNewName] = patternsByName_.try_emplace(name, log_.patterns.size());
  if (isNewName)
    log_.patterns.push_back({.name = name.str()});
  return known->second = byName->second;
}

bool RewriteWatch::patternBegins(const mlir::Pattern &pattern, mlir::Operation *op, Tries &tries) {
  if (unit_) {
    ++nestedPatterns_;
    return true;
  }
  if (isDone_)
    return false;
  folding_ = nullptr;
  pending_.clear();
  if (!tries.op)
    tries.op = numbers_.of(op);
  unsigned name = patternOf(pattern);
  if (options_.skips && options_.skips->skips(log_.patterns[name].name, *tries.op))
    return false;
  open(RewriteKind::Pattern, tries.op);
  unit_->pattern = name;
  unit_->attempt = log_.attempts.size();
  log_.attempts.push_back({.pattern = name, .op = *tries.op});
  unit_->inConversion = inConversion();
  if (options_.monitor)
    options_.monitor->begins(log_, *unit_, op);
  start_ = tries.end ? *tries.end : TickClock::now();
  return true;
}

void RewriteWatch::patternFails(Tries &tries) {
  if (nestedPatterns_ > 0) {
    --nestedPatterns_;
    return;
  }
  tries.end = TickClock::now();
  log_.patterns[unit_->pattern].microseconds += double(*tries.end - start_); // ticks, until take()
  unit_.reset();
  if (options_.monitor)
    options_.monitor->declines();
}

void RewriteWatch::patternSucceeds(Tries &tries) {
  if (nestedPatterns_ > 0) {
    --nestedPatterns_;
    return;
  }
  const auto ticks = double(TickClock::now() - start_);
  tries.end.reset();                  // a conversion goes on with what the pattern has made before it tries another
  unit_->microseconds = float(ticks); // until take()
  log_.patterns[unit_->pattern].microseconds += ticks;
  if (const TraceLog *trace = traceLog())
    traceEnds_[unit_->attempt] = trace->now();
  log_.attempts[unit_->attempt].outcome = PatternAttempt::Outcome::Applied;
  close();
}

void RewriteWatch::rollBack(size_t count) {
  for (const Rewrite &rewrite : llvm::ArrayRef(log_.rewrites).drop_front(count))
    if (rewrite.attempt != ~0u)
      log_.attempts[rewrite.attempt].outcome = PatternAttempt::Outcome::RolledBack;
  log_.rewrites.resize(count);
}

void RewriteWatch::reason(mlir::Location location, llvm::function_ref<void(mlir::Diagnostic &)> describe) {
  if (!unit_ || unit_->kind != RewriteKind::Pattern || !options_.keepsReasons)
    return;
  mlir::Diagnostic diagnostic(location, mlir::DiagnosticSeverity::Remark);
  describe(diagnostic);
  PatternAttempt &attempt = log_.attempts[unit_->attempt];
  const llvm::ArrayRef<mlir::DiagnosticArgument> arguments = diagnostic.getArguments();
  const bool isOneString =
      arguments.size() == 1 && arguments[0].getKind() == mlir::DiagnosticArgument::DiagnosticArgumentKind::String;
  std::string composed; // of the few that are not a string
  if (!isOneString)
    composed = diagnostic.str();
  llvm::StringRef said = isOneString ? arguments[0].getAsString() : llvm::StringRef(composed);
  if (attempt.reason != 0 && log_.reasons[attempt.reason] != said)
    said = composed = log_.reasons[attempt.reason] + "; " + said.str();
  lastReasons_.resize(log_.patterns.size());
  unsigned &last = lastReasons_[attempt.pattern]; // mostly the same again
  if (log_.reasons[last] != said)
    last = indexIn(log_.reasons, reasons_, said);
  attempt.reason = last;
}

bool RewriteWatch::mayFold(mlir::Operation *op) {
  if (isDone_)
    return false;
  return !options_.skips || options_.skips->foldsOfOps.empty() ||
         !llvm::is_contained(options_.skips->foldsOfOps, numbers_.of(op));
}

void RewriteWatch::folded(mlir::Operation *op, bool inPlace) {
  pending_.clear();
  if (!inPlace) {
    folding_ = op;
    return;
  }
  open(RewriteKind::Fold, numbers_.of(op));
  unit_->modified.push_back(unit_->root);
  close();
}

} // namespace fuselage
