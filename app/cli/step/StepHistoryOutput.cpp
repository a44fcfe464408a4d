#include "app/cli/step/StepHistoryOutput.h"
#include "core/engine/search/StepHistory.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/stepping/report/Report.h"
#include "core/stepping/rewrites/StepRewrites.h"
#include "core/support/JsonText.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {
namespace {

/// The snapshot in which a line or a value is looked for.
llvm::Expected<unsigned> snapshotOf(Document &document, const HistoryArguments &wanted) {
  if (!wanted.at)
    return document.firstShown();
  if (llvm::Error error = checkStep(document.recording(), *wanted.at))
    return std::move(error);
  const Step &step = document.recording().steps[*wanted.at];
  const int snapshot = wanted.before ? step.before : step.after;
  if (snapshot < 0)
    return fail("step " + std::to_string(*wanted.at) + " has no IR " + (wanted.before ? "before" : "after") + " it");
  return unsigned(snapshot);
}

/// The op that defines a value; nullopt: none does, such as an argument's.
llvm::Expected<std::optional<OpId>> definingOp(Document &document, unsigned snapshot, llvm::StringRef value) {
  auto index = document.index(snapshot);
  if (!index)
    return index.takeError();
  for (OpId op = 0; op < (*index)->count(); ++op)
    for (mlir::Value result : (*index)->op(op)->getResults())
      if (llvm::StringRef((*index)->nameOf(result)).split('#').first == value)
        return std::optional(op);
  return std::optional<OpId>();
}

llvm::Expected<HistorySubject> subjectOf(Document &document, const HistoryArguments &wanted) {
  auto snapshot = snapshotOf(document, wanted);
  if (!snapshot)
    return snapshot.takeError();
  HistorySubject subject{.kind = HistorySubject::Kind::Name, .text = wanted.of, .snapshot = *snapshot};
  unsigned line = 0;
  std::optional<OpId> op;
  if (!llvm::StringRef(wanted.of).getAsInteger(10, line)) {
    const PrintedModule &printed = document.printed(*snapshot);
    const OpId found = line > 0 && line <= printed.lineCount() ? printed.opAt(line - 1) : -1;
    if (found < 0)
      return fail("no op is in line " + wanted.of +
                  " of the IR; --at N prints that of step N, and --at 0 --side before "
                  "that of the input");
    op = found;
  } else if (llvm::StringRef(wanted.of).starts_with("%")) {
    auto defined = definingOp(document, *snapshot, wanted.of);
    if (!defined)
      return defined.takeError();
    op = *defined;
  }
  if (!op)
    return subject;
  subject.kind = HistorySubject::Kind::Op;
  subject.op = *op;
  subject.logOf = [&document](unsigned step) { return rewritesOf(document.recording().steps[step]); };
  return subject;
}

/// "created linalg.generic", "erased 3 arith.addf".
std::string describe(const message::HistoryRewrite<> &rewrite) {
  return std::string(message::rewriteChanges[unsigned(rewrite.change)]) + " " +
         (rewrite.count == 1 ? "" : std::to_string(rewrite.count) + " ") + rewrite.op;
}

std::string textOf(const message::History<> &history, const Recording &recording) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::StringRef(history.subject).trim() << "\n"
     << "followed by its " << history.followed << " over " << history.steps << (history.steps == 1 ? " step" : " steps")
     << "\n";
  if (history.events.empty())
    os << "  it is in the IR of no step\n";
  for (const message::HistoryEvent<> &event : history.events) {
    if (event.step < 0)
      os << "  input";
    else
      os << llvm::format("  %5d", event.step) << "  " << recording.steps[event.step].name;
    os << ": " << message::historyChanges[unsigned(event.change)] << ", " << llvm::StringRef(event.text).trim() << "\n";
    for (const message::HistoryRewrite<> &rewrite : event.rewrites)
      os << "         " << event.step << "." << rewrite.rewrite << "  "
         << (rewrite.kind == "pattern" ? rewrite.pattern : "(" + rewrite.kind + ")") << ": " << describe(rewrite)
         << "\n";
  }
  return text;
}

} // namespace

llvm::Expected<std::string> historyOutput(llvm::StringRef file, const RecordOptions *options,
                                          const HistoryArguments &wanted) {
  auto opened = Document::open(file);
  if (!opened)
    return opened.takeError();
  Document &document = **opened;
  if (options)
    if (llvm::Error error = document.record(*options))
      return std::move(error);
  auto subject = subjectOf(document, wanted);
  if (!subject)
    return subject.takeError();
  const std::atomic<bool> cancelled = false;
  auto history = historyOf(document, *subject, cancelled, [](unsigned, unsigned) {});
  if (!history)
    return history.takeError();
  if (!wanted.json)
    return textOf(*history, document.recording());
  llvm::json::Object value = message::encode(*history);
  value["version"] = 1;
  return jsonText(std::move(value));
}

} // namespace fuselage::cli
