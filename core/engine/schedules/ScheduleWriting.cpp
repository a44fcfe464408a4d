// schedule/actions and schedule/write.
#include "core/engine/Engine.h"
#include "core/engine/ScriptParams.h"
#include "core/protocol/ScheduleActions.h"
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

llvm::Expected<mlir::Operation *> opParam(Params &params, const IndexedSnapshot &asked) {
  OpId id = params.integer("id", 0, asked.index->count() - 1);
  if (llvm::Error error = params.check())
    return error;
  return asked.index->op(id);
}

llvm::Expected<llvm::json::Value> actions(Engine &engine, Params &params) {
  auto asked = indexedSnapshotParam(engine, params);
  if (!asked)
    return asked.takeError();
  auto op = opParam(params, *asked);
  if (!op)
    return op.takeError();
  message::ScheduleActions<> answer{.op = (*op)->getName().getStringRef().str(), .actions = {}};
  for (const ScheduleAction &action : scheduleActions())
    answer.actions.push_back(messageOf(engine, action, *op));
  return message::encode(answer);
}

llvm::Expected<llvm::json::Value> write(Engine &engine, Params &params) {
  auto asked = indexedSnapshotParam(engine, params);
  if (!asked)
    return asked.takeError();
  Document &document = *asked->document;
  int64_t start = params.integer("start", 0, int64_t(document.snapshotCount()) - 1, 0);
  std::string path = params.string("path"), text = params.string("text"), name = params.string("action");
  ScriptOptions options = scriptOptions(params);
  PointedAction pointed{.action = findAction(name), .seen = {}, .op = 0, .options = params.texts("options")};
  pointed.op = params.integer("id", 0, asked->index->count() - 1);
  if (int64_t other = params.integer("other", -1, asked->index->count() - 1, -1); other >= 0)
    pointed.other = other;
  if (!pointed.action)
    params.complain("action", "is '" + name + "', which schedule/actions does not list");
  if (llvm::Error error = params.check())
    return error;
  auto seen = document.module(asked->snapshot);
  if (!seen)
    return seen.takeError();
  std::shared_ptr<const void> held =
      document.snapshot(asked->snapshot)->holdModule(); // parsing the second may release the first
  auto payload = document.module(start);
  if (!payload)
    return payload.takeError();
  std::shared_ptr<const void> started = document.snapshot(start)->holdModule();
  pointed.seen = *seen;
  auto script = parseScript(document.session(), text, path, options);
  if (!script)
    return script.takeError();
  pointed.script = options;
  auto written = writeAction(document.session(), std::move(*script), text, *payload, pointed, &engine.cancelled);
  if (!written)
    return written.takeError();
  return message::encode(message::WrittenSchedule<>{
      .text = written->text, .first = static_cast<int>(written->first), .last = static_cast<int>(written->last)});
}

} // namespace

void addScheduleWriting(MethodTable &table) {
  table["schedule/actions"] = actions;
  table["schedule/write"] = write;
}

} // namespace fuselage
