#include "core/stepping/rewrites/RewritePlayer.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// Of the IR that is kept between the passes of a step.
static constexpr size_t mostKeptOps = 250'000;
/// That one run shows for somebody who goes on: a copy is cheap beside the run that gets there.
static constexpr unsigned shownOnTheWay = 3;

llvm::Expected<std::shared_ptr<const RewriteLog>> rewritesOf(const Step &step, bool driversTell) {
  if (step.rewrites && driversTell)
    return step.rewrites;
  if (!step.replay)
    return fail("the rewrites of '" + step.name + "' are not known: another program ran this step");
  auto run = step.replay->run({.byActions = !driversTell});
  if (!run)
    return run.takeError();
  return std::make_shared<const RewriteLog>(std::move(run->log));
}

RewritePlayer::RewritePlayer(const Step &step, std::shared_ptr<const RewriteLog> log)
    : name_(step.name), replay_(step.replay), log_(std::move(log)) {}

llvm::Expected<std::unique_ptr<RewritePlayer>> RewritePlayer::listing(const Step &step) {
  auto player = std::make_unique<RewritePlayer>(step, nullptr);
  if (!step.replay || step.rewrites || !RewriteWatch::works()) {
    auto log = rewritesOf(step);
    if (!log)
      return log.takeError();
    player->log_ = std::move(*log);
  } else {
    auto run = step.replay->runKeeping(player->points_, mostKeptOps);
    if (!run)
      return run.takeError();
    player->log_ = std::make_shared<const RewriteLog>(std::move(run->log));
  }
  player->keepsMore_ = true;
  return player;
}

size_t RewritePlayer::keptOps() const {
  size_t ops = 0;
  for (const ReplayPoint &point : points_)
    ops += point.functions.size();
  return ops;
}

void RewritePlayer::forget() {
  points_.clear();
  near_.clear();
}

RewritePlayer::Stretch RewritePlayer::stretchOf(unsigned rewrite) const {
  const std::vector<Rewrite> &rewrites = log_->rewrites;
  const unsigned ordinal = rewrites[rewrite].ordinal;
  auto firstFrom = [&](unsigned ordinal) {
    return unsigned(llvm::partition_point(rewrites, [&](const Rewrite &one) { return one.ordinal < ordinal; }) -
                    rewrites.begin());
  };
  Stretch stretch{.end = unsigned(rewrites.size())};
  for (const ReplayPoint &point : points_) {
    if (point.ordinal > ordinal) {
      stretch.to = &point;
      stretch.end = firstFrom(point.ordinal);
      break;
    }
    stretch.from = &point;
    stretch.first = firstFrom(point.ordinal);
  }
  return stretch;
}

/// Whether two runs did the same: unless the pass goes by addresses or by the time.
static bool isSame(const RewriteLog &log, const Rewrite &rewrite, const RewriteLog &otherLog, const Rewrite &other) {
  auto nameOf = [](const RewriteLog &log, const Rewrite &rewrite) {
    return rewrite.root < 0 ? llvm::StringRef() : log.ops[rewrite.root].name.getStringRef();
  };
  return rewrite.kind == other.kind && log.functions[rewrite.function] == otherLog.functions[other.function] &&
         nameOf(log, rewrite) == nameOf(otherLog, other);
}

/// Rewrites of a function before a point; null: the start.
static unsigned ordinalBefore(const ReplayPoint *point, unsigned function) {
  return point && function < point->functionOrdinals.size() ? point->functionOrdinals[function] : 0;
}

RewritePlayer::Stretch RewritePlayer::wantedWith(unsigned rewrite, Stretch stretch) const {
  unsigned first = rewrite, end = rewrite + 1;
  if (keepsMore_ && last_ && rewrite == *last_ + 1)
    end = rewrite + shownOnTheWay;
  else if (keepsMore_ && last_ && rewrite < *last_ && *last_ - rewrite <= shownOnTheWay)
    first = rewrite + 1 - std::min(rewrite + 1, shownOnTheWay);
  else if (keepsMore_)
    ++end; // who jumps to a rewrite asks for the IR before it, and then for that after it
  stretch.first = std::max(stretch.first, first);
  stretch.end = std::min(stretch.end, end);
  return stretch;
}

llvm::Error RewritePlayer::show(unsigned rewrite) {
  near_.clear();
  const Stretch stretch = stretchOf(rewrite);
  const unsigned base = stretch.from ? stretch.from->ordinal : 0;
  const Stretch wanted = wantedWith(rewrite, stretch);
  const unsigned first = wanted.first, end = wanted.end;
  RewriteWatchOptions options;
  for (const Rewrite &one : llvm::ArrayRef(log_->rewrites).slice(first, end - first))
    options.captures.push_back({.function = log_->functions[one.function],
                                .functionOrdinal = one.functionOrdinal - ordinalBefore(stretch.from, one.function),
                                .end = one.end});
  options.stopsAfterCaptures = end < stretch.end;
  options.keepsReasons = false;
  options.looksAtPasses = llvm::any_of(llvm::ArrayRef(log_->rewrites).slice(stretch.first, end - stretch.first),
                                       [](const Rewrite &one) { return one.kind == RewriteKind::Pass; });
  auto run = replay_->runFrom(stretch.from, stretch.to ? stretch.to->part : ~0u, options);
  if (!run)
    return run.takeError();
  const std::vector<Rewrite> &again = run->log.rewrites;
  for (unsigned shown = first; shown < end; ++shown) {
    const Rewrite &wanted = log_->rewrites[shown];
    const CapturePoint &point = options.captures[shown - first];
    auto same = llvm::find_if(again, [&](const Rewrite &other) {
      return other.functionOrdinal == point.functionOrdinal && run->log.functions[other.function] == point.function;
    });
    const bool isLast = shown + 1 == stretch.end;
    mlir::OwningOpRef<mlir::ModuleOp> &captured = run->captured[shown - first];
    const bool isKnown = captured && same != again.end() && isSame(*log_, wanted, run->log, *same);
    const bool isInOrder = isKnown && same->ordinal + base == wanted.ordinal &&
                           (options.stopsAfterCaptures || isLast == (same + 1 == again.end()));
    if (!isInOrder && isLast && !stretch.to && run->end)
      near_[shown] = {.module = std::move(run->end)}; // in whichever order, this is where it leads to
    else if (isKnown)
      near_[shown] = {.module = std::move(captured), .isReordered = !isInOrder};
  }
  return llvm::Error::success();
}

llvm::Expected<RewrittenModule> RewritePlayer::moduleAfter(unsigned rewrite) {
  if (!replay_)
    return fail("another program ran '" + name_ + "': it cannot be run again here");
  if (log_->rewrites.empty())
    return fail("'" + name_ + "' made no rewrites");
  if (rewrite >= log_->rewrites.size())
    return fail("there is no rewrite " + std::to_string(rewrite) + "; those of '" + name_ + "' are 0 to " +
                std::to_string(log_->rewrites.size() - 1));
  if (!near_.contains(rewrite))
    if (llvm::Error error = show(rewrite))
      return error;
  last_ = rewrite;
  auto shown = near_.find(rewrite);
  if (shown == near_.end())
    return fail("'" + name_ + "' did not run the same way again; rewrite " + std::to_string(rewrite) +
                " cannot be shown");
  RewrittenModule module{
      .snapshot = std::make_shared<const Snapshot>(std::move(shown->second.module), Snapshot::InStep()), .note = {}};
  if (shown->second.isReordered)
    module.note = "the pass took the functions in another order this time: others than @" +
                  log_->functions[log_->rewrites[rewrite].function] + " may stand before or after their own rewrites";
  near_.erase(shown);
  return module;
}

} // namespace fuselage
