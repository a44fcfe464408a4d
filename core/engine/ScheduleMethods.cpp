// schedule/* and forms/*.
#include "core/engine/Engine.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/normalize/FormAdvice.h"
#include "core/schedules/report/FormReport.h"
#include "core/schedules/report/TraceReport.h"
#include "core/schedules/script/DeadUses.h"
#include "core/schedules/script/Knobs.h"
#include "core/schedules/trace/TracedSchedule.h"

namespace fuselage {
namespace {

/// The script of the parameters: a text that somebody is writing, or a file.
struct ScriptParam {
  std::string path, text;
  std::vector<std::string> libraries;
  bool isText = false;
};

ScriptParam scriptParam(Params &params) {
  ScriptParam script;
  script.path = params.string("path");
  script.text = params.string("text", "");
  script.isText = !script.text.empty();
  script.libraries = params.strings("libraries");
  return script;
}

llvm::Expected<Script> open(Session &session, const ScriptParam &script) {
  return script.isText ? parseScript(session, script.text, script.path, script.libraries)
                       : openScript(session, script.path, script.libraries);
}

/// What was put into the script, as diagnostics at the lines in front of which it stands.
std::vector<Diagnostic> notesOf(const Script &script, const AutoNormalized &normalized) {
  std::vector<Diagnostic> notes;
  auto note = [&](Diagnostic::Severity severity, unsigned op, std::string message) {
    const ScriptOp &at = script.ops[op];
    notes.push_back({.severity = severity, .message = std::move(message), .file = at.file, .line = at.line, .column = at.column});
  };
  for (const Insertion &insertion : normalized.insertions)
    note(Diagnostic::Severity::Remark, insertion.op, script.ops[insertion.include].text + ": " + insertion.why);
  for (const UnreachedForm &unreached : normalized.unreached)
    note(Diagnostic::Severity::Warning, unreached.op,
         "it expects " + unreached.form->name.str() + ", which normalization does not reach: " + unreached.why);
  return notes;
}

llvm::Expected<llvm::json::Value> traceMethod(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  ScriptParam wanted = scriptParam(params);
  bool normalize = params.boolean("normalize", false);
  std::map<std::string, std::string> knobs = params.texts("knobs");
  if (llvm::Error error = params.check())
    return error;
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  std::shared_ptr<const void> held = (*document)->recording().snapshots[snapshot]->holdModule();
  auto script = open((*document)->session(), wanted);
  if (!script)
    return script.takeError();
  if (llvm::Error error = setKnobs(*script, knobs))
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
  if (normalize) {
    auto normalized = autoNormalize(*script, *module, options);
    if (!normalized)
      return normalized.takeError();
    llvm::append_range(notes, notesOf(*script, *normalized));
    traced = std::move(normalized->trace);
  } else {
    auto plain = trace(*script, *module, options);
    if (!plain)
      return plain.takeError();
    traced = std::move(*plain);
    if (std::optional<Diagnostic> advice = formAdvice(*script, *module, traced))
      notes.push_back(*advice);
  }
  message::ScheduleTrace<> answer = messageOf(*script, traced);
  for (const Diagnostic &note : notes)
    answer.diagnostics.push_back(message::messageOf(note));
  answer.explicitText = normalize || !knobs.empty() ? explicitText(*script) : "";
  (*document)->traced() = std::make_shared<TracedSchedule>(std::move(*script), std::move(traced), *module, std::move(held));
  return message::encode(answer);
}

llvm::Expected<llvm::json::Value> positionMethod(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned step = params.integer("step", 0, INT32_MAX);
  if (llvm::Error error = params.check())
    return error;
  std::shared_ptr<TracedSchedule> traced = (*document)->traced();
  if (!traced)
    return fail("no schedule was traced; ask schedule/trace first");
  if (llvm::Error error = traced->record(step, &engine.cancelled))
    return error;
  return message::encode(messageOf(traced->script(), traced->trace(), step));
}

llvm::Expected<llvm::json::Value> checkMethod(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  ScriptParam wanted = scriptParam(params);
  if (llvm::Error error = params.check())
    return error;
  auto script = open((*document)->session(), wanted);
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
  return message::encode(answer);
}

llvm::Expected<llvm::json::Value> knobsMethod(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  ScriptParam wanted = scriptParam(params);
  if (llvm::Error error = params.check())
    return error;
  auto script = open((*document)->session(), wanted);
  return script ? llvm::Expected<llvm::json::Value>(message::encode(knobsOf(*script))) : script.takeError();
}

llvm::Expected<llvm::json::Value> formsMethod(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  if (llvm::Error error = params.check())
    return error;
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  return message::encode(formReport(*module));
}

} // namespace

void addScheduleMethods(MethodTable &table) {
  table["schedule/trace"] = traceMethod;
  table["schedule/position"] = positionMethod;
  table["schedule/check"] = checkMethod;
  table["schedule/knobs"] = knobsMethod;
  table["forms/check"] = formsMethod;
}

} // namespace fuselage
