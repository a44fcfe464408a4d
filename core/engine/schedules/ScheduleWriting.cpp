// schedule/actions and schedule/write.
#include "core/engine/MethodTable.h"
#include "core/engine/ScriptParams.h"
#include "core/protocol/ScheduleActions.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include "core/schedules/write/WriteAction.h"

namespace fuselage {
namespace {

std::vector<std::string> registeredPasses(Engine &engine) {
  std::vector<std::string> names;
  for (const CatalogEntry &pass : engine.passes())
    names.push_back(pass.argument);
  return names;
}

message::ScheduleAction<> messageOf(Engine &engine, const ScheduleAction &action, mlir::Operation *op) {
  message::ScheduleAction<> message{.name = action.name.str(),
                                    .title = action.title.str(),
                                    .hint = action.hint.str(),
                                    .why = action.why(op),
                                    .options = {}};
  if (!message.why.empty())
    return message;
  for (ActionOption &option : action.options(op)) {
    if (option.name == "pass")
      option.choices = registeredPasses(engine);
    message.options.push_back({.name = option.name.str(),
                               .title = option.title.str(),
                               .hint = option.hint.str(),
                               .value = option.value,
                               .choices = option.choices});
  }
  return message;
}

llvm::Expected<message::ScheduleActions<>> actions(Engine &engine, const IndexedSnapshot &asked,
                                                   const method::ScheduleActions::Request<> &request) {
  if (llvm::Error error = checkRange("id", request.id, 0, asked.index->count() - 1))
    return error;
  mlir::Operation *op = asked.index->op(request.id);
  message::ScheduleActions<> answer{.op = op->getName().getStringRef().str(), .actions = {}};
  for (const ScheduleAction &action : scheduleActions())
    answer.actions.push_back(messageOf(engine, action, op));
  return answer;
}

llvm::Expected<message::WrittenSchedule<>> write(Engine &engine, const IndexedSnapshot &asked,
                                                 const method::WriteSchedule::Request<> &request) {
  Document &document = asked.document;
  if (llvm::Error error = checkRange("start", request.start, 0, int64_t(document.snapshotCount()) - 1))
    return error;
  if (llvm::Error error = checkRange("id", request.id, 0, asked.index->count() - 1))
    return error;
  if (llvm::Error error = checkRange("other", request.other, -1, asked.index->count() - 1))
    return error;
  ScriptOptions options = scriptOptions(request.script);
  PointedAction pointed{.action = findAction(request.action), .seen = {}, .op = request.id, .options = request.options};
  if (request.other >= 0)
    pointed.other = request.other;
  if (!pointed.action)
    return badParameter("action", "is '" + request.action + "', which schedule/actions does not list");
  auto seen = document.module(asked.snapshot);
  if (!seen)
    return seen.takeError();
  std::shared_ptr<const void> held =
      document.snapshot(asked.snapshot)->holdModule(); // parsing the second may release the first
  auto payload = document.module(request.start);
  if (!payload)
    return payload.takeError();
  std::shared_ptr<const void> started = document.snapshot(request.start)->holdModule();
  pointed.seen = *seen;
  auto script = parseScript(document.session(), request.text, request.path, options);
  if (!script)
    return script.takeError();
  pointed.script = options;
  auto written =
      writeAction(document.session(), std::move(*script), request.text, *payload, pointed, &engine.cancelled);
  if (!written)
    return written.takeError();
  return message::WrittenSchedule<>{
      .text = written->text, .first = static_cast<int>(written->first), .last = static_cast<int>(written->last)};
}

} // namespace

void addScheduleWriting(MethodTable &table) {
  addMethod<method::ScheduleActions, actions>(table);
  addMethod<method::WriteSchedule, write>(table);
}

} // namespace fuselage
