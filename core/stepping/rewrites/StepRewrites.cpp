#include "core/stepping/rewrites/StepRewrites.h"
#include "core/ir/module/Diagnostics.h"
#include "core/rewrites/PatternOffers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>

namespace fuselage {

static llvm::Error checkRewrite(const Step &step, const RewriteLog &log, unsigned rewrite) {
  if (!step.replay)
    return fail("another program ran '" + step.name + "': it cannot be run again here");
  if (rewrite < log.rewrites.size())
    return llvm::Error::success();
  if (log.rewrites.empty())
    return fail("'" + step.name + "' made no rewrites");
  return fail("there is no rewrite " + std::to_string(rewrite) + "; those of '" + step.name + "' are 0 to " +
              std::to_string(log.rewrites.size() - 1));
}

llvm::Expected<RewrittenModule> moduleAfter(const Step &step, const RewriteLog &log, unsigned rewrite) {
  // The caller's, for as long as this takes.
  return RewritePlayer(step, std::shared_ptr<const RewriteLog>(std::shared_ptr<void>(), &log)).moduleAfter(rewrite);
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> runWithout(const Step &step, const RewriteLog &log, unsigned rewrite,
                                                             bool wholePattern) {
  if (llvm::Error error = checkRewrite(step, log, rewrite))
    return error;
  const Rewrite &skipped = log.rewrites[rewrite];
  RewriteSkips skips;
  if (skipped.kind == RewriteKind::Pattern && wholePattern)
    skips.patterns.push_back(log.patterns[skipped.pattern].name);
  else if (skipped.kind == RewriteKind::Pattern)
    skips.patternsOnOps.emplace_back(log.patterns[skipped.pattern].name, skipped.root);
  else if (skipped.kind == RewriteKind::Fold && !wholePattern)
    skips.foldsOfOps.push_back(skipped.root);
  else
    return fail("only patterns and folds can be left out, and rewrite " + std::to_string(rewrite) + " is neither");
  auto run = step.replay->run({.skips = &skips});
  if (!run)
    return run.takeError();
  if (!run->ok)
    return fail("'" + step.name + "' fails without it");
  return std::move(run->end);
}

std::string pipelineWithout(const Step &step, const RewriteLog &log, unsigned rewrite, bool wholePattern) {
  const Rewrite &skipped = log.rewrites[rewrite];
  std::string pattern =
      skipped.kind == RewriteKind::Fold ? kFoldPattern.str() : optionText(log.patterns[skipped.pattern].name);
  return "builtin.module(fuselage-without-pattern{passes=" + step.pipeline + " pattern=" + pattern +
         (wholePattern ? "" : " op=" + std::to_string(skipped.root)) + "})";
}

std::string sourceOf(const RewriteOp &op) {
  SourcePosition position = positionOf(mlir::Location(op.location));
  if (position.line == 0)
    return "";
  return (llvm::sys::path::filename(position.file) + ":" + llvm::Twine(position.line)).str();
}

static std::map<std::string, int64_t> countsOf(const RewriteLog &log, const std::vector<unsigned> &ops) {
  std::map<std::string, int64_t> counts;
  for (unsigned op : ops)
    ++counts[log.ops[op].name.getStringRef().str()];
  return counts;
}

static message::StepRewrite<> messageOf(const RewriteLog &log, const Rewrite &rewrite, unsigned index) {
  message::StepRewrite<> message{.index = int(index),
                                 .kind = nameOf(rewrite.kind).str(),
                                 .pattern = {},
                                 .patternName = {},
                                 .pass = rewrite.pass < log.passes.size() ? log.passes[rewrite.pass] : "",
                                 .op = {},
                                 .source = {},
                                 .function = log.functions[rewrite.function],
                                 .inserted = countsOf(log, rewrite.inserted),
                                 .erased = countsOf(log, rewrite.erased),
                                 .modified = countsOf(log, rewrite.modified),
                                 .microseconds = rewrite.microseconds.value_or(-1),
                                 .inConversion = rewrite.inConversion};
  if (rewrite.kind == RewriteKind::Pattern) {
    message.patternName = log.patterns[rewrite.pattern].name;
    message.pattern = shortPatternName(message.patternName);
  }
  if (rewrite.root >= 0) {
    message.op = log.ops[rewrite.root].name.getStringRef().str();
    message.opBefore = log.ops[rewrite.root].before;
    message.source = sourceOf(log.ops[rewrite.root]);
  }
  return message;
}

static std::string plural(size_t count, const char *one, const char *many) {
  return llvm::formatv("{0:N} {1}", count, count == 1 ? one : many);
}

/// "17 rewrites by 3 patterns, 4 folds, 34 dead ops erased; 1,269 attempts".
static std::string summaryOf(const message::StepRewrites<> &rewrites) {
  std::map<std::string, size_t> kinds;
  for (const message::StepRewrite<> &rewrite : rewrites.rewrites)
    ++kinds[rewrite.kind];
  size_t patterns = llvm::count_if(rewrites.patterns, [](const auto &use) { return use.applied > 0; });
  std::string text = plural(kinds["pattern"], "rewrite", "rewrites") + " by " + plural(patterns, "pattern", "patterns");
  const std::tuple<const char *, const char *, const char *> others[] = {
      {"fold", "fold", "folds"},
      {"dead", "dead op erased", "dead ops erased"},
      {"cse", "op replaced by an equal one", "ops replaced by equal ones"},
      {"hoist", "hoist of constants", "hoists of constants"},
      {"regions", "simplification of regions", "simplifications of regions"},
      {"conversion", "end of a conversion", "ends of conversions"},
      {"direct", "direct change", "direct changes"},
      {"pass", "change without a rewriter", "changes without a rewriter"}};
  for (const auto &[kind, one, many] : others)
    if (size_t count = kinds[kind])
      text += ", " + plural(count, one, many);
  text += "; " + plural(rewrites.attempts, "attempt", "attempts");
  if (!rewrites.resultsAreKnown)
    text += ", whose results are not known: the drivers of this MLIR do not tell, as its library was linked with "
            "-Bsymbolic";
  return text;
}

message::StepRewrites<> messageOf(const RewriteLog &log, unsigned step) {
  message::StepRewrites<> message{.step = int(step),
                                  .rewrites = {},
                                  .patterns = {},
                                  .attempts = int(log.attempts.size()),
                                  .resultsAreKnown = log.resultsAreKnown,
                                  .summary = {}};
  for (auto [index, rewrite] : llvm::enumerate(log.rewrites))
    message.rewrites.push_back(messageOf(log, rewrite, index));
  for (const PatternSum &sum : log.patterns)
    message.patterns.push_back({.pattern = shortPatternName(sum.name),
                                .patternName = sum.name,
                                .attempts = int(sum.attempts),
                                .applied = int(sum.applied),
                                .rolledBack = int(sum.rolledBack),
                                .microseconds = sum.microseconds});
  llvm::stable_sort(message.patterns, [](const auto &a, const auto &b) {
    return std::pair(a.applied, a.attempts) > std::pair(b.applied, b.attempts);
  });
  message.summary = summaryOf(message);
  return message;
}

static const char *nameOf(PatternAttempt::Outcome outcome) {
  switch (outcome) {
  case PatternAttempt::Outcome::Declined:
    return "declined";
  case PatternAttempt::Outcome::Applied:
    return "applied";
  case PatternAttempt::Outcome::RolledBack:
    return "rolled back";
  case PatternAttempt::Outcome::Unknown:
    return "unknown";
  }
  return "";
}

message::OpRewrites<> messageOfOp(const RewriteLog &log, unsigned op) {
  const RewriteOp &about = log.ops[op];
  message::OpRewrites<> message{.op = about.name.getStringRef().str(),
                                .function = log.functions[about.function],
                                .before = about.before,
                                .after = about.after,
                                .made = about.made,
                                .removed = about.removed,
                                .rewrites = {},
                                .attempts = {}};
  llvm::DenseMap<unsigned, int> rewriteOfAttempt;
  for (auto [index, rewrite] : llvm::enumerate(log.rewrites)) {
    bool concerns = rewrite.root == int(op) || llvm::is_contained(rewrite.modified, op) ||
                    llvm::is_contained(rewrite.inserted, op) || llvm::is_contained(rewrite.erased, op);
    if (concerns)
      message.rewrites.push_back(index);
    if (rewrite.attempt != ~0u)
      rewriteOfAttempt[rewrite.attempt] = index;
  }
  auto isAbout = [&](unsigned other) {
    return other == op ||
           (!log.resultsAreKnown && log.ops[other].name == about.name && log.ops[other].function == about.function);
  };
  for (auto [index, attempt] : llvm::enumerate(log.attempts)) {
    if (!isAbout(attempt.op))
      continue;
    message::OpAttempt<> row{.pattern = shortPatternName(log.patterns[attempt.pattern].name),
                             .patternName = log.patterns[attempt.pattern].name,
                             .outcome = nameOf(attempt.outcome),
                             .reason = log.reasons[attempt.reason]};
    if (auto known = rewriteOfAttempt.find(index); known != rewriteOfAttempt.end())
      row.rewrite = known->second;
    auto same = llvm::find_if(message.attempts, [&](const message::OpAttempt<> &other) {
      return other.patternName == row.patternName && other.outcome == row.outcome && other.reason == row.reason &&
             other.rewrite < 0 && row.rewrite < 0;
    });
    if (same != message.attempts.end())
      ++same->times;
    else
      message.attempts.push_back(std::move(row));
  }
  return message;
}

} // namespace fuselage
