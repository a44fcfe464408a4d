// schedule/* and forms/*.
#include "core/protocol/methods/ScheduleMethods.h"
#include "core/engine/MethodTable.h"
#include "core/engine/ScriptParams.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/schedules/edit/Completion.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/normalize/FormAdvice.h"
#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/report/FormPages.h"
#include "core/schedules/report/FormReport.h"
#include "core/schedules/report/TraceReport.h"
#include "core/schedules/script/DeadUses.h"
#include "core/schedules/script/Knobs.h"
#include "core/schedules/trace/TracedSchedule.h"
#include "core/tuning/space/Selection.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuselage {
namespace {

llvm::Expected<Script> open(Session &session, const method::ScriptSource<> &script) {
  ScriptOptions options = scriptOptions(script.options);
  return script.text ? parseScript(session, *script.text, script.path, options)
                     : openScript(session, script.path, options);
}

/// What was put into the script, as diagnostics at the lines before which it stands.
std::vector<Diagnostic> notesOf(const Script &script, const AutoNormalized &normalized) {
  std::vector<Diagnostic> notes;
  auto note = [&](Diagnostic::Severity severity, unsigned op, std::string message) {
    const ScriptOp &at = script.ops[op];
    notes.push_back(
        {.severity = severity, .message = std::move(message), .file = at.file, .line = at.line, .column = at.column});
  };
  for (const Insertion &insertion : normalized.insertions)
    if (!insertion.why.empty())
      note(Diagnostic::Severity::Remark, insertion.op, script.ops[insertion.include].text + ": " + insertion.why);
  for (const UnreachedForm &unreached : normalized.unreached)
    note(Diagnostic::Severity::Warning, unreached.op,
         "it expects " + unreached.form->name + ", which normalization does not reach: " + unreached.why);
  return notes;
}

llvm::Expected<AutoNormalized> hoisted(Script &script, mlir::ModuleOp payload, const TraceOptions &options,
                                       std::vector<Diagnostic> &notes) {
  auto found = hoistNormalization(script, payload, options);
  if (!found)
    return found.takeError();
  Diagnostic note{.severity = Diagnostic::Severity::Remark, .message = describeHoist(script, *found)};
  if (found->form) {
    const ScriptOp &at = script.ops[found->place];
    note.file = at.file;
    note.line = at.line;
    note.column = at.column;
  }
  notes.push_back(std::move(note));
  return std::move(found->normalized);
}

llvm::Expected<message::ScheduleTrace<>> traceMethod(Engine &engine, Document &document,
                                                     const method::TraceSchedule::Request<> &request) {
  unsigned snapshot = request.snapshot;
  bool hoist = request.hoist, normalize = request.normalize || hoist;
  const std::map<std::string, std::string> &knobs = request.knobs;
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  std::shared_ptr<const void> held = document.snapshot(snapshot)->holdModule();
  auto script = open(document.session(), request.script);
  if (!script)
    return script.takeError();
  if (llvm::Error error = setKnobs(*script, knobs))
    return error;
  if (llvm::Error error = tune::resolveConstraints(*script))
    return error;
  TraceOptions options;
  options.last = 1;
  options.budget = 0.25;
  options.cancelled = &engine.cancelled;
  options.beforeStep = [&](unsigned step, const ScriptOp &op) {
    message::StepStarted<> started;
    started.index = static_cast<int>(step);
    started.name = op.line > 0 ? "line " + std::to_string(op.line) + ": " + op.text : op.text;
    started.pass = op.name;
    engine.notify(started);
  };
  std::vector<Diagnostic> notes = script->diagnostics;
  Trace traced;
  std::vector<message::LineForms<>> forms;
  if (normalize) {
    auto normalized = hoist ? hoisted(*script, *module, options, notes) : autoNormalize(*script, *module, options);
    if (!normalized)
      return normalized.takeError();
    llvm::append_range(notes, notesOf(*script, *normalized));
    llvm::append_range(notes, normalized->broken);
    traced = std::move(normalized->trace);
    forms = std::move(normalized->forms);
  } else {
    FormColumn column(*script);
    auto plain = trace(*script, *module, column.watching(options));
    if (!plain)
      return plain.takeError();
    llvm::append_range(notes, column.broken());
    traced = std::move(*plain);
    forms = column.lines();
    if (std::optional<Diagnostic> advice = formAdvice(*script, *module, traced, options))
      notes.push_back(*advice);
  }
  message::ScheduleTrace<> answer = messageOf(*script, traced);
  for (const Diagnostic &note : notes)
    answer.diagnostics.push_back(message::messageOf(note));
  answer.forms = std::move(forms);
  answer.explicitText = normalize || !knobs.empty() ? explicitText(*script) : "";
  document.forgetPlaces();
  document.extension<TracedSchedule>() =
      std::make_shared<TracedSchedule>(std::move(*script), std::move(traced), *module, std::move(held));
  return answer;
}

llvm::Expected<message::SchedulePosition<>> positionMethod(Engine &engine, Document &document,
                                                           const method::SchedulePosition::Request<> &request) {
  unsigned step = request.step;
  std::shared_ptr<TracedSchedule> traced = document.extension<TracedSchedule>();
  if (!traced)
    return fail("no schedule was traced; ask schedule/trace first");
  auto place = [&](unsigned of) -> llvm::Expected<unsigned> {
    if (llvm::Error error = traced->record(of, &engine.cancelled))
      return error;
    return document.addPlace(traced->trace().positions[of]->payload);
  };
  auto snapshot = place(step);
  if (!snapshot)
    return snapshot.takeError();
  message::SchedulePosition<> answer = messageOf(traced->script(), traced->trace(), step);
  answer.snapshot = *snapshot;
  if (std::optional<unsigned> applied = traced->trace().appliedBefore(step)) {
    auto before = place(*applied);
    if (!before)
      return before.takeError();
    answer.before = *before;
  }
  return answer;
}

llvm::Expected<message::Nothing<>> prepareMethod(Engine &engine, Document &document,
                                                 const method::PreparePosition::Request<> &request) {
  unsigned step = request.step;
  if (std::shared_ptr<TracedSchedule> traced = document.extension<TracedSchedule>())
    if (llvm::Error error = traced->prepare(step, &engine.cancelled))
      return error;
  return message::Nothing<>();
}

llvm::Expected<message::ScheduleCheck<>> checkMethod(Engine &, Document &document,
                                                     const method::CheckSchedule::Request<> &request) {
  auto script = open(document.session(), request);
  message::ScheduleCheck<> answer;
  answer.ok = static_cast<bool>(script);
  if (script) {
    std::vector<Diagnostic> found = script->diagnostics;
    llvm::append_range(found, predictDeadUses(*script));
    answer.diagnostics = message::messagesOf(found);
  } else {
    Failure failure = takeFailure(script.takeError());
    answer.problem = failure.message;
    answer.diagnostics = message::messagesOf(failure.diagnostics);
  }
  return answer;
}

/// The text at `line` and `column`, from 1 and in bytes, as an offset; past the end of a line: its end.
size_t offsetOf(llvm::StringRef text, int64_t line, int64_t column) {
  llvm::StringRef rest = text;
  while (--line > 0 && rest.contains('\n'))
    rest = rest.split('\n').second;
  size_t length = std::min(rest.find('\n'), rest.size());
  return (text.size() - rest.size()) + std::min<size_t>(column - 1, length);
}

llvm::Expected<message::ScriptCompletion<>> completeMethod(Engine &engine, Document &document,
                                                           const method::CompleteScript::Request<> &request) {
  std::string text = request.script.text.value_or("");
  CompletionQuery query{
      .text = text, .caret = offsetOf(text, request.line, request.column), .context = &document.session().context()};
  auto module = document.module(0);
  if (module)
    query.payload = *module;
  else
    llvm::consumeError(module.takeError());
  for (const std::string &library : request.script.options.libraries)
    if (auto buffer = llvm::MemoryBuffer::getFile(library, /*IsText=*/true))
      query.libraries.push_back((*buffer)->getBuffer().str());
  for (const CatalogEntry &pass : engine.passes())
    query.passes.push_back({pass.argument, "pass", pass.description});
  Completion completion = completeScript(query);
  message::ScriptCompletion<> answer;
  llvm::StringRef front = llvm::StringRef(text).take_front(completion.begin);
  answer.column = static_cast<int>(completion.begin - (front.rfind('\n') + 1)) + 1;
  for (CompletionItem &item : completion.items)
    answer.items.push_back(
        {.text = std::move(item.text), .kind = std::move(item.kind), .detail = std::move(item.detail)});
  return answer;
}

llvm::Expected<message::ScheduleKnobs<>> knobsMethod(Engine &, Document &document,
                                                     const method::ScheduleKnobs::Request<> &request) {
  auto script = open(document.session(), request);
  if (!script)
    return script.takeError();
  return knobsOf(*script);
}

llvm::Expected<message::FormReport<>> formsMethod(Engine &, Document &document,
                                                  const method::CheckForms::Request<> &request) {
  auto module = document.module(request.snapshot);
  if (!module)
    return module.takeError();
  auto forms = openForms(document.session(), request.libraries);
  if (!forms)
    return forms.takeError();
  return formReport(*module, *forms);
}

llvm::Expected<message::FormHelps<>> formsHelpMethod(Engine &, const method::FormHelp::Request<> &) {
  return formHelps();
}

} // namespace

void addScheduleMethods(MethodTable &table) {
  addMethod<method::TraceSchedule, traceMethod>(table);
  addMethod<method::SchedulePosition, positionMethod>(table);
  addMethod<method::PreparePosition, prepareMethod>(table);
  addMethod<method::CheckSchedule, checkMethod>(table);
  addMethod<method::CompleteScript, completeMethod>(table);
  addMethod<method::ScheduleKnobs, knobsMethod>(table);
  addMethod<method::CheckForms, formsMethod>(table);
  addMethod<method::FormHelp, formsHelpMethod>(table);
}

} // namespace fuselage
