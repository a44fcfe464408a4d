#include "core/stepping/rewrites/StepRewrites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

std::string describeRewrite(const RewriteLog &log, const Rewrite &rewrite) {
  std::string text = rewrite.kind == RewriteKind::Pattern ? shortPatternName(log.patterns[rewrite.pattern].name)
                                                          : nameOf(rewrite.kind).str();
  if (rewrite.root >= 0)
    text += " on " + log.ops[rewrite.root].name.getStringRef().str();
  if (const std::string &function = log.functions[rewrite.function]; !function.empty())
    text += " in @" + function;
  return text;
}

/// "2 linalg.generic, tensor.empty".
static std::string listOf(const std::map<std::string, int64_t> &counts) {
  std::string text;
  for (const auto &[name, count] : counts)
    text += (text.empty() ? "" : ", ") + (count == 1 ? "" : std::to_string(count) + " ") + name;
  return text;
}

/// "+2 linalg.generic −tensor.empty ~func.return".
static std::string changesOf(const message::StepRewrite<> &rewrite) {
  std::string text;
  for (auto [sign, counts] : {std::pair("+ ", &rewrite.inserted), {"- ", &rewrite.erased}, {"~ ", &rewrite.modified}})
    if (!counts->empty())
      text += (text.empty() ? "" : "  ") + std::string(sign) + listOf(*counts);
  return text;
}

/// What a rewrite is called: its pattern, or what kind it is.
static std::string titleOf(const message::StepRewrite<> &rewrite) {
  return rewrite.kind == "pattern" ? rewrite.pattern : "(" + rewrite.kind + ")";
}

/// "linalg.generic @main:12".
static std::string placeOf(const message::StepRewrite<> &rewrite, llvm::function_ref<unsigned(int64_t)> lineOf) {
  std::string text = rewrite.op;
  if (!rewrite.function.empty())
    text += (text.empty() ? "@" : " @") + rewrite.function;
  if (unsigned line = rewrite.opBefore >= 0 ? lineOf(rewrite.opBefore) : 0)
    text += ":" + std::to_string(line);
  return text;
}

std::string rewritesText(const RewriteLog &log, llvm::function_ref<bool(unsigned rewrite)> isListed,
                         llvm::function_ref<unsigned(int64_t)> lineOf) {
  message::StepRewrites<> rewrites = messageOf(log, 0);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << rewrites.summary << "\n";
  llvm::erase_if(rewrites.rewrites, [&](const auto &rewrite) { return !isListed(rewrite.index); });
  size_t titles = 0, places = 0;
  constexpr size_t widest = 48;
  for (const message::StepRewrite<> &rewrite : rewrites.rewrites) {
    titles = std::max(titles, std::min(widest, titleOf(rewrite).size()));
    places = std::max(places, std::min(widest, placeOf(rewrite, lineOf).size()));
  }
  for (const message::StepRewrite<> &rewrite : rewrites.rewrites)
    os << llvm::format("%6d  ", rewrite.index) << llvm::left_justify(titleOf(rewrite), titles) << "  "
       << llvm::left_justify(placeOf(rewrite, lineOf), places) << "  " << changesOf(rewrite) << "\n";
  if (rewrites.patterns.empty())
    return text;
  os << "\n  applied  attempts        us  pattern\n";
  for (const message::PatternUse<> &use : rewrites.patterns) {
    os << llvm::format("  %7d  %8d  %8.0f  ", use.applied, use.attempts, use.microseconds) << use.pattern;
    if (use.rolledBack > 0)
      os << " (" << use.rolledBack << " rolled back)";
    os << "\n";
  }
  return text;
}

std::string opText(const RewriteLog &log, unsigned op, llvm::function_ref<unsigned(int64_t)> lineOf) {
  message::OpRewrites<> about = messageOfOp(log, op);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << about.op;
  if (!about.function.empty())
    os << " @" << about.function;
  if (about.before >= 0)
    os << ":" << lineOf(about.before);
  if (about.made >= 0)
    os << ", made by rewrite " << about.made;
  if (about.removed >= 0)
    os << ", erased by rewrite " << about.removed;
  os << "\n";
  if (about.attempts.empty())
    os << "  no pattern was tried on it\n";
  for (const message::OpAttempt<> &attempt : about.attempts) {
    os << "  " << attempt.pattern << ": " << attempt.outcome;
    if (attempt.rewrite >= 0)
      os << ", rewrite " << attempt.rewrite;
    else if (!attempt.reason.empty())
      os << ": " << attempt.reason;
    else if (attempt.outcome == "declined")
      os << " without a reason";
    if (attempt.times > 1)
      os << " (" << attempt.times << " times)";
    os << "\n";
  }
  return text;
}

} // namespace fuselage
