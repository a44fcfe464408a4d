#include "core/engine/MethodTable.h"
#include "core/dialects/decoders/OtherCompiler.h"
#include "core/support/Expendable.h"
#include "core/support/TrialRun.h"

namespace fuselage {
namespace {

/// What a copy writes before the text of its answer, or of the `error` member.
constexpr char kAnswered = 'a', kRefused = 'r';

void writeAnswer(llvm::Expected<std::string> answer, llvm::raw_ostream &out) {
  if (answer)
    out << kAnswered << *answer;
  else
    out << kRefused << compactJson(errorToJSON(answer.takeError()));
}

llvm::Expected<std::string> readAnswer(std::string written) {
  const char kind = written.front();
  written.erase(0, 1);
  if (kind == kAnswered)
    return written;
  auto error = llvm::json::parse(written);
  if (!error)
    return error.takeError();
  return llvm::make_error<CopiedError>(std::move(*error));
}

} // namespace

llvm::Expected<std::string> answerInCopy(Engine &engine, CopiedAnswer copied,
                                         llvm::function_ref<llvm::Expected<std::string>()> answer) {
  copied.limits.cancelled = &engine.cancelled;
  std::string death;
  for (bool isExpendable : {true, false}) {
    auto copy = runInCopy(copied.limits, [&](llvm::raw_ostream &out) {
      std::optional<ExpendableScope> expendable;
      if (isExpendable)
        expendable.emplace();
      engine.send = [](llvm::StringRef, const llvm::json::Value &) {};
      writeAnswer(answer(), out);
    });
    if (!copy)
      return answer();
    if (engine.cancelled)
      return fail(copied.doing + " was cancelled");
    if (!copy->death && !copy->output.empty())
      return readAnswer(std::move(copy->output));
    death = copy->death.value_or("ends without an answer");
    if (!llvm::StringRef(death).starts_with("crashes"))
      break;
  }
  return fail(copied.doing + " " + death + (copied.advice.empty() ? "" : "; " + copied.advice));
}

llvm::Error refuseOnReadOnly(llvm::StringRef method, Document &document) {
  constexpr llvm::StringLiteral refused[] = {"fusion/fuse",  "run/start",      "kernel/code", "kernel/check",
                                             "tune/space",   "tune/step",      "tune/start",  "buffers/report",
                                             "tiles/domain", "schedule/trace", "op/patterns"};
  if (document.isLog() || !llvm::is_contained(refused, method))
    return llvm::Error::success();
  auto module = document.input();
  if (!module)
    return module.takeError();
  return refuseReadOnly(*module);
}

llvm::Expected<IndexedSnapshot> opsOf(Document &document, unsigned snapshot) {
  auto index = document.index(snapshot);
  if (!index)
    return index.takeError();
  return IndexedSnapshot{document, snapshot, *index};
}

} // namespace fuselage
