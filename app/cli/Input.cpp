#include "app/cli/Input.h"
#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "core/dialects/decoders/OtherCompiler.h"
#include "core/ir/reading/ReadReport.h"
#include "core/ir/source/SourceText.h"
#include "core/run/RunOptions.h"
#include "core/stepping/record/DumpTimeline.h"
#include "core/stepping/tool/ToolAdvice.h"
#include "core/support/Paths.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::cli {

/// What can be read only once: what it is, is told from its text.
static llvm::Expected<Input> openStream(Session &session, llvm::StringRef path) {
  auto source = loadSource(path);
  if (!source)
    return source.takeError();
  Input input;
  if (isDumpLog(source->text)) {
    auto log = DumpLog::index(std::move(source->buffer));
    if (!log)
      return log.takeError();
    input.log = readTimeline(session, std::move(*log));
    return input;
  }
  auto module = session.readText(source->text, source->name);
  if (!module)
    return module.takeError();
  input.module = std::move(*module);
  return input;
}

/// A file or a directory.
static llvm::Expected<Input> openPath(Session &session, llvm::StringRef path) {
  Input input;
  if (DumpLog::isDump(path)) {
    auto log = openTimeline(session, path);
    if (!log)
      return log.takeError();
    input.log = std::move(*log);
    return input;
  }
  auto module = session.read(path);
  if (!module)
    return module.takeError();
  input.module = std::move(*module);
  return input;
}

/// Puts the normalized module in place of what was read. Where that fails, the module stays as it is, with a warning.
static void normalize(Input &input) {
  ReadResult &read = input.module;
  std::vector<Diagnostic> said;
  auto module = normalized(*read.module, &said);
  if (!module) {
    Failure failure = takeFailure(module.takeError());
    llvm::append_range(read.diagnostics, failure.diagnostics);
    read.diagnostics.push_back({.severity = Diagnostic::Severity::Warning, .message = failure.message});
  } else if (*module) {
    input.written = std::exchange(read.module, std::move(*module));
    forgetSettledDialects(read.diagnostics, *read.module);
    llvm::append_range(read.diagnostics, said);
  }
}

static llvm::Expected<Input> readInput(Session &session, llvm::StringRef path, Form form) {
  std::optional<RepeatableScope> repeatable;
  if (!isStream(path)) // which is there once
    repeatable.emplace();
  auto input = isStream(path) ? openStream(session, path) : openPath(session, path);
  watchPasses(session.context());
  if (input && !input->log && form == Form::Normalized)
    normalize(*input);
  return input;
}

llvm::Expected<Input> openInput(Session &session, llvm::StringRef path, int &exitCode, Form form) {
  std::string file = path == "-" ? "the standard input" : "'" + shortPath(path) + "'";
  setActivity("reading " + file);
  auto input = readInput(session, path, form);
  setActivity("working on " + file);
  if (input && !input->module.diagnostics.empty())
    allowRepeating(false); // they would be said twice
  if (input && sayErrors(withoutLongLists(input->module.diagnostics)))
    exitCode = ExitInputError;
  if (!input || input->log)
    return input;
  if (form == Form::Normalized)
    advise(*input->module.module, path);
  else if (llvm::Error error = refuseReadOnly(*input->module.module, path))
    return error;
  return input;
}

llvm::Error refuseReadOnly(mlir::ModuleOp module, llvm::StringRef path) {
  std::string reason = readOnlyReason(module);
  return reason.empty() ? llvm::Error::success() : fail("'" + shortPath(path) + "': " + reason);
}

void advise(mlir::ModuleOp module, llvm::StringRef path) {
  if (std::optional<ToolAdvice> advice = adviceFor(module))
    hold({.severity = Diagnostic::Severity::Note, .message = adviceNote(*advice, path)});
}

llvm::Expected<ReadResult> openModule(Session &session, llvm::StringRef path, int &exitCode,
                                      mlir::OwningOpRef<mlir::ModuleOp> *written) {
  auto input = openInput(session, path, exitCode);
  if (!input)
    return input.takeError();
  if (input->log)
    return fail("'" + path.str() +
                "' is a log of passes, not a module; 'fuselage step' shows it, and "
                "'fuselage step --at N' prints the module of a step");
  if (llvm::Error error = refuseReadOnly(*input->module.module, path))
    return error;
  if (written)
    *written = std::move(input->written);
  return std::move(input->module);
}

llvm::Expected<const Snapshot *> snapshotAt(const Recording &recording, std::optional<unsigned> at, bool before) {
  if (recording.steps.empty() && !at)
    return recording.snapshots.back().get();
  if (recording.steps.empty())
    return fail("there are no steps");
  if (at && *at >= recording.steps.size())
    return fail("there is no step " + std::to_string(*at) + "; the steps are 0 to " +
                std::to_string(recording.steps.size() - 1));
  const Step &step = at ? recording.steps[*at] : recording.steps.back();
  const Snapshot *snapshot = !at      ? recording.snapshots[recording.shown(step)].get()
                             : before ? recording.before(step)
                                      : recording.after(step);
  if (!snapshot)
    return fail("there is no IR " + std::string(before ? "before" : "after") + " step " + std::to_string(*at));
  return snapshot;
}

llvm::Expected<mlir::ModuleOp> moduleOf(const Snapshot &snapshot, int &exitCode) {
  auto module = snapshot.parsed();
  if (module && sayErrors(withoutLongLists(snapshot.diagnostics())))
    exitCode = ExitInputError;
  return module;
}

void declareRunInputs(Options &options, RunOptions &run) {
  options.inputs("", run.inputs);
  options.text("inputs", "DIR", "a folder of .npy files: arg0.npy and so on, or NAME.npy of a weight",
               run.files.folder);
  options.custom("parameters", "[SCOPE=]FILE",
                 "the weights, a .safetensors or .irpa file (default: random); may be repeated",
                 [&run](llvm::StringRef text) -> std::string {
                   run.files.parameters.push_back(text.str());
                   return text.empty() ? "takes a file" : "";
                 });
  options.number("seed", "the seed of random inputs (default: 1)", run.seed, 0, UINT64_MAX);
}

std::string parseStepNumber(llvm::StringRef value, std::optional<unsigned> &number) {
  unsigned parsed = 0;
  if (value.getAsInteger(10, parsed) || parsed >= INT32_MAX)
    return "takes a step number, not '" + value.str() + "'";
  number = parsed;
  return std::string();
}

} // namespace fuselage::cli
