#include "app/cli/step/StepRewritesOutput.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/stepping/report/Report.h"
#include "core/stepping/rewrites/Breakpoints.h"
#include "core/stepping/rewrites/StepRewrites.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::cli {
namespace {

/// The lines of ops in the IR before a step, from 1.
class LinesBefore {
public:
  explicit LinesBefore(const Snapshot *before) : before_(before) {}
  unsigned operator()(int64_t id) const { return before_ ? before_->printed().linesOf(id).first + 1 : 0; }
  /// The op of a line; -1: there is no such line.
  int64_t opAt(unsigned line) const {
    return before_ && line > 0 && line <= before_->printed().lineCount() ? before_->printed().opAt(line - 1) : -1;
  }

private:
  const Snapshot *before_;
};

/// The ops that --op means, as indices in the log.
llvm::Expected<std::vector<unsigned>> opsNamed(const RewriteLog &log, llvm::StringRef name, const LinesBefore &lines) {
  std::vector<unsigned> ops;
  unsigned line = 0;
  if (!name.getAsInteger(10, line)) {
    int64_t op = lines.opAt(line);
    if (op < 0)
      return fail("the IR before the step has no line " + name.str() + "; --at N --side before prints it");
    return std::vector<unsigned>{unsigned(op)};
  }
  llvm::SmallVector<char> isTouched(log.ops.size());
  for (const PatternAttempt &attempt : log.attempts)
    isTouched[attempt.op] = true;
  for (const Rewrite &rewrite : log.rewrites)
    for (const auto *list : {&rewrite.inserted, &rewrite.erased, &rewrite.modified})
      for (unsigned op : *list)
        isTouched[op] = true;
  for (auto [index, op] : llvm::enumerate(log.ops)) {
    bool isNamed =
        name.starts_with("@") ? log.functions[op.function] == name.drop_front() : op.name.getStringRef() == name;
    if (isNamed && isTouched[index])
      ops.push_back(index);
  }
  if (ops.empty())
    return fail(
        "the step tried nothing on '" + name.str() +
        "': give a line of the IR before it, the name of an op such as linalg.generic, or a function such as @main");
  return ops;
}

/// Whether a rewrite is to be listed.
bool stopsAtAny(const RewriteLog &log, unsigned rewrite, const RewriteArguments &wanted) {
  return wanted.breakpoints.empty() || llvm::any_of(wanted.breakpoints, [&](const std::string &breakpoint) {
           return stopsAt(log, rewrite, breakpoint);
         });
}

llvm::Expected<std::string> describeStep(const Recording &recording, unsigned index, const RewriteLog &log,
                                         const RewriteArguments &wanted, bool isOnlyStep) {
  const Step &step = recording.steps[index];
  // To print the IR of every step takes longer than to list its rewrites.
  LinesBefore lines(isOnlyStep ? recording.before(step) : nullptr);
  std::string text = std::to_string(index) + "  " + step.name + ": ";
  if (wanted.op.empty())
    return text + rewritesText(
                      log, [&](unsigned rewrite) { return stopsAtAny(log, rewrite, wanted); }, lines);
  auto ops = opsNamed(log, wanted.op, lines);
  if (!ops)
    return ops.takeError();
  text += "\n";
  for (unsigned op : *ops)
    text += opText(log, op, lines);
  return text;
}

llvm::Expected<llvm::json::Value> stepJson(const Recording &recording, unsigned index, const RewriteLog &log,
                                           const RewriteArguments &wanted) {
  const Step &step = recording.steps[index];
  if (wanted.op.empty()) {
    message::StepRewrites<> message = messageOf(log, index);
    llvm::erase_if(message.rewrites,
                   [&](const message::StepRewrite<> &rewrite) { return !stopsAtAny(log, rewrite.index, wanted); });
    llvm::json::Object value = message::encode(message);
    value["name"] = step.name;
    return value;
  }
  auto ops = opsNamed(log, wanted.op, LinesBefore(recording.before(step)));
  if (!ops)
    return ops.takeError();
  llvm::json::Array rows;
  for (unsigned op : *ops)
    rows.push_back(message::encode(messageOfOp(log, op)));
  return llvm::json::Object{{"step", index}, {"name", step.name}, {"ops", std::move(rows)}};
}

} // namespace

llvm::Expected<std::string> rewritesOutput(const Recording &recording, std::optional<unsigned> at,
                                           const RewriteArguments &wanted, bool json) {
  if (at)
    if (llvm::Error error = checkStep(recording, *at))
      return error;
  std::string text;
  llvm::json::Array rows;
  for (unsigned index = at.value_or(0); index < (at ? *at + 1 : recording.steps.size()); ++index) {
    const Step &step = recording.steps[index];
    if (!at && !step.changed && !step.rewrites)
      continue;
    auto log = rewritesOf(step);
    if (!log)
      return log.takeError();
    if (json) {
      auto row = stepJson(recording, index, **log, wanted);
      if (!row)
        return row.takeError();
      rows.push_back(std::move(*row));
      continue;
    }
    auto described = describeStep(recording, index, **log, wanted, at || !wanted.op.empty());
    if (!described)
      return described.takeError();
    text += (text.empty() ? "" : "\n") + *described;
  }
  return json ? jsonText(llvm::json::Object{{"version", 1}, {"steps", std::move(rows)}}) : text;
}

llvm::Expected<std::string> rewrittenText(const Recording &recording, unsigned at, unsigned rewrite, bool before) {
  if (llvm::Error error = checkStep(recording, at))
    return error;
  if (before && rewrite == 0)
    return stepText(recording, at, StepSide::Before);
  const Step &step = recording.steps[at];
  auto log = rewritesOf(step);
  if (!log)
    return log.takeError();
  auto module = moduleAfter(step, **log, before ? rewrite - 1 : rewrite);
  if (!module)
    return module.takeError();
  std::string text;
  for (const std::string &said : {module->snapshot->problem(), module->note})
    text += said.empty() ? "" : "// " + said + "\n";
  return text + module->snapshot->lines().text();
}

} // namespace fuselage::cli
