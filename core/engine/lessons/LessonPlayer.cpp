#include "core/engine/lessons/LessonPlayer.h"
#include "core/protocol/json/JsonReader.h"
#include "core/schedules/script/Script.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace fuselage {

LessonPlayer::LessonPlayer() : engine_([](llvm::StringRef, llvm::json::Value) {}), methods_(allMethods()) {}

LessonPlayer::Reply LessonPlayer::call(llvm::StringRef method, llvm::json::Object params) {
  const llvm::json::Value value(std::move(params));
  Params read(value);
  llvm::Expected<std::string> text = methods_.find(method)->second(engine_, read);
  if (!text)
    return text.takeError();
  llvm::Expected<llvm::json::Value> result = llvm::json::parse(*text);
  if (!result)
    return result.takeError();
  llvm::json::Object *object = result->getAsObject();
  return object ? std::move(*object) : llvm::json::Object();
}

llvm::Error LessonPlayer::open(const Lesson &lesson) {
  folder_ = lesson.folder;
  llvm::SmallString<128> path(folder_);
  llvm::sys::path::append(path, lesson.module);
  auto document = call("document/open", llvm::json::Object{{"path", path.str()}});
  if (!document)
    return document.takeError();
  show(engine_.current->firstShown());
  told_.clear();
  selectedOp_.clear();
  tile_.reset();
  return llvm::Error::success();
}

/// The snapshot after the last of the steps in a reply that stay.
static unsigned lastOf(const llvm::json::Object &reply, unsigned otherwise) {
  const llvm::json::Array *steps = reply.getArray("steps");
  if (!steps || steps->empty())
    return otherwise;
  const llvm::json::Object *last = steps->back().getAsObject();
  return static_cast<unsigned>(last->getInteger("after").value_or(otherwise));
}

llvm::Error LessonPlayer::fuse(llvm::json::Object params) {
  params["snapshot"] = snapshot_;
  params["check"] = "never"; // a goal says where the results count
  auto reply = call("fusion/fuse", std::move(params));
  if (!reply)
    return reply.takeError();
  if (!reply->getBoolean("fused").value_or(false))
    return fail("nothing was fused");
  show(lastOf(*reply, snapshot_));
  return llvm::Error::success();
}

llvm::Error LessonPlayer::fuseEdge(llvm::StringRef from, llvm::StringRef to) {
  auto edge = LessonFacts(*engine_.current, snapshot_, told_).missedEdge(from, to);
  if (!edge)
    return edge.takeError();
  return fuse(
      llvm::json::Object{{"from", edge->from}, {"to", edge->to}, {"operand", edge->operand}, {"onlyThere", true}});
}

llvm::Error LessonPlayer::record(llvm::StringRef pipeline) {
  llvm::json::Object params;
  if (!pipeline.empty())
    params["pipeline"] = pipeline;
  auto recording = call("pipeline/record", std::move(params));
  if (!recording)
    return recording.takeError();
  if (recording->getBoolean("failed").value_or(false))
    return fail("a step of the pipeline failed");
  return llvm::Error::success();
}

llvm::Error LessonPlayer::goToStep(llvm::StringRef name) {
  std::erase_if(told_, [](const auto &fact) { return llvm::StringRef(fact.first).starts_with("step "); });
  for (const Step &step : engine_.current->recording().steps)
    if (step.name == name && step.after >= 0) {
      show(static_cast<unsigned>(step.after));
      told_["step " + name.str()] = 1;
      return llvm::Error::success();
    }
  if (name == "Input") {
    show(engine_.current->firstShown());
    told_["step Input"] = 1;
    return llvm::Error::success();
  }
  return fail("no step is called " + name.str());
}

llvm::Error LessonPlayer::runSchedule(llvm::StringRef file) {
  llvm::SmallString<128> path(folder_);
  llvm::sys::path::append(path, file);
  auto trace = call("schedule/trace", llvm::json::Object{{"snapshot", snapshot_}, {"path", path.str()}});
  if (!trace)
    return trace.takeError();
  const bool failed = trace->getBoolean("failed").value_or(true);
  told_["schedule runs"] = !failed;
  return showEnd(*trace);
}

/// Stands where a window does: at the first failure, else at the end.
llvm::Error LessonPlayer::showEnd(const llvm::json::Object &trace) {
  std::erase_if(told_, [](const auto &fact) {
    return llvm::StringRef(fact.first).starts_with("handle ") || llvm::StringRef(fact.first).starts_with("form at ");
  });
  const llvm::json::Array *steps = trace.getArray("steps");
  if (!steps || steps->empty())
    return llvm::Error::success();
  // The innermost step that failed is the one that says why.
  const auto failure = llvm::find_if(*steps, [](const llvm::json::Value &value) {
    const llvm::json::Object *step = value.getAsObject();
    const llvm::json::Array *said = step->getArray("diagnostics");
    return step->getString("outcome") != "success" && said && !said->empty();
  });
  const bool stops = trace.getBoolean("failed").value_or(false) && failure != steps->end();
  const int64_t at = stops ? failure - steps->begin() : int64_t(steps->size()) - 1;
  auto position = call("schedule/position", llvm::json::Object{{"step", at}});
  if (!position)
    return position.takeError();
  place_ = static_cast<unsigned>(position->getInteger("snapshot").value_or(snapshot_));
  double live = 0;
  for (const llvm::json::Value &value : *position->getArray("handles")) {
    const llvm::json::Object *handle = value.getAsObject();
    const llvm::StringRef state = handle->getString("state").value_or("");
    told_[("handle " + handle->getString("name").value_or("")).str()] = state == "live"       ? 0
                                                                        : state == "consumed" ? 1
                                                                                              : 2;
    live += state == "live" && handle->getString("kind") != "param";
  }
  told_["live handles"] = live;
  for (const llvm::json::Value &value : *trace.getArray("forms")) {
    const llvm::json::Object *line = value.getAsObject();
    for (const llvm::json::Value &form : *line->getArray("forms"))
      told_["form at " + std::to_string(line->getInteger("line").value_or(0)) + " -> " + form.getAsString()->str()] = 1;
  }
  return llvm::Error::success();
}

llvm::Error LessonPlayer::recordSchedule(llvm::StringRef path) {
  if (auto recorded = call("pipeline/record", llvm::json::Object{{"schedule", path}}); !recorded)
    return recorded.takeError();
  const std::vector<Step> &steps = engine_.current->recording().steps;
  const bool isFailed = !steps.empty() && steps.back().failed;
  told_["schedule runs"] = !isFailed;
  if (isFailed)
    return fail("'" + steps.back().name + "' fails", steps.back().diagnostics);
  if (!steps.empty())
    show(static_cast<unsigned>(steps.back().after));
  return llvm::Error::success();
}

llvm::Error LessonPlayer::submit(llvm::StringRef path, Submission &submission) {
  auto module = engine_.current->session().open(path);
  if (!module)
    return module.takeError();
  submission.parses = true;
  submission.isSchedule = hasSchedule(**module);
  if (submission.isSchedule)
    return recordSchedule(path);
  using Payload = mlir::OwningOpRef<mlir::ModuleOp>;
  show(engine_.current->addPlace(std::make_shared<const Payload>(std::move(*module))));
  return llvm::Error::success();
}

llvm::Expected<int64_t> LessonPlayer::find(llvm::StringRef name) {
  auto index = engine_.current->index(snapshot());
  if (!index)
    return index.takeError();
  for (int64_t id = 0; id < (*index)->count(); ++id) {
    mlir::Operation *op = (*index)->op(id);
    const std::string value = op->getNumResults() ? (*index)->nameOf(op->getResult(0)) : std::string();
    if (isCalled(name, op->getName().getStringRef(), value))
      return id;
  }
  return fail("there is no op " + name.str());
}

bool LessonPlayer::hasOp(llvm::StringRef name) {
  auto id = find(name);
  if (!id)
    llvm::consumeError(id.takeError());
  return bool(id);
}

llvm::Error LessonPlayer::select(llvm::StringRef name) {
  auto id = find(name);
  if (!id)
    return id.takeError();
  auto index = engine_.current->index(snapshot());
  if (!index)
    return index.takeError();
  mlir::Operation *op = (*index)->op(*id);
  selectedOp_ = op->getName().getStringRef().str();
  selectedValue_ = op->getNumResults() ? (*index)->nameOf(op->getResult(0)) : std::string();
  return llvm::Error::success();
}

/// "8,8,0"; false: something else.
static bool takeNumbers(llvm::StringRef text, llvm::json::Array &numbers) {
  for (llvm::StringRef part : llvm::split(text, ',')) {
    int64_t number = 0;
    if (part.trim().getAsInteger(10, number))
      return false;
    numbers.push_back(number);
  }
  return true;
}

/// The question of "matmul 8,8,0 cache 32 order 1,0,2 alone".
llvm::Expected<llvm::json::Object> LessonPlayer::askTile(llvm::StringRef how) {
  llvm::SmallVector<llvm::StringRef> words;
  how.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.size() < 2)
    return fail("'tile " + how.str() + "': write tile OP SIZES, such as tile matmul 8,8,0");
  llvm::json::Array sizes, order;
  if (!takeNumbers(words[1], sizes))
    return fail("'" + words[1].str() + "' is no list of tile sizes, such as 8,8,0");
  int64_t cache = 0;
  for (size_t i = 2; i + 1 < words.size(); ++i) {
    if (words[i] == "cache" && words[i + 1].getAsInteger(10, cache))
      return fail("'" + words[i + 1].str() + "' is no size of a cache in KiB");
    if (words[i] == "order" && !takeNumbers(words[i + 1], order))
      return fail("'" + words[i + 1].str() + "' is no order of loops, such as 1,0,2");
  }
  auto id = find(words[0]);
  if (!id)
    return id.takeError();
  return llvm::json::Object{{"snapshot", snapshot()},
                            {"id", *id},
                            {"sizes", std::move(sizes)},
                            {"order", std::move(order)},
                            {"fuse", !llvm::is_contained(words, "alone")},
                            {"cache", cache * 1024}};
}

llvm::Expected<message::TileReport<>> LessonPlayer::reportTile(llvm::StringRef how, llvm::ArrayRef<int64_t> at) {
  auto params = askTile(how);
  if (!params)
    return params.takeError();
  if (!at.empty())
    (*params)["tile"] = llvm::json::Array(at);
  auto reply = call("tiles/footprint", std::move(*params));
  if (!reply)
    return reply.takeError();
  message::TileReport<> report;
  message::decode(*reply, report);
  return report;
}

llvm::Error LessonPlayer::tile(llvm::StringRef how) {
  auto report = reportTile(how);
  if (!report)
    return report.takeError();
  tile_ = std::move(*report);
  tiled_ = how.str();
  return select(how.split(' ').first);
}

/// What all of them read, each finding what the one before it touched; none: not all of them can be counted.
std::optional<double> LessonPlayer::loadsOfTiles() {
  auto params = askTile(tiled_);
  if (!params)
    return llvm::consumeError(params.takeError()), std::nullopt;
  params->erase("cache");
  auto reply = call("tiles/sequence", std::move(*params));
  if (!reply)
    return llvm::consumeError(reply.takeError()), std::nullopt;
  message::TileSequence<> sequence;
  message::decode(*reply, sequence);
  return sequence.allLoaded();
}

std::optional<double> LessonPlayer::factOfTile(llvm::StringRef fact, llvm::StringRef op) {
  if (!tile_ || !isCalled(op, tile_->op.op, tile_->op.name) || (fact == "tile cache" && tile_->cache == 0))
    return std::nullopt;
  if (fact == "tile loads")
    return loadsOfTiles();
  return llvm::StringSwitch<double>(fact)
      .Case("tiles", double(tile_->tiles))
      .Case("smaller tiles", double(tile_->smallerTiles()))
      .Case("tile bytes", double(tile_->workgroupBytes))
      .Case("tile traffic", tile_->movedBytes())
      .Case("tile cache", double(tile_->cache))
      .Default(tile_->recomputedPoints());
}

/// What only a window knows of a task's goals.
LessonFacts::Told LessonPlayer::toldOf(const LessonTask &task) {
  LessonFacts::Told told = told_;
  for (const Goal &goal : task.goals) {
    if (goal.fact == "selected" && !selectedOp_.empty())
      told[toldName(goal)] = isCalled(goal.arguments.front(), selectedOp_, selectedValue_);
    if (goal.fact == "recomputed" || llvm::StringRef(goal.fact).contains("tile"))
      if (auto value = factOfTile(goal.fact, goal.arguments.front()))
        told[toldName(goal)] = *value;
    if (goal.fact == "form at" && told.count("schedule runs"))
      told.try_emplace(toldName(goal), 0);
  }
  return told;
}

void LessonPlayer::show(unsigned snapshot) {
  snapshot_ = snapshot;
  place_.reset();
}

llvm::Error LessonPlayer::act(llvm::StringRef action) {
  auto [verb, rest] = action.split(' ');
  rest = rest.trim();
  if (action == "fuse all")
    return fuse(llvm::json::Object{{"all", true}});
  if (action == "clean up")
    return fuse(llvm::json::Object{{"cleanUp", true}});
  if (verb == "fuse") {
    auto [from, to] = rest.split("->");
    return fuseEdge(from.trim(), to.trim());
  }
  if (verb == "pipeline")
    return fuse(llvm::json::Object{{"pipeline", rest}});
  if (verb == "record")
    return record(rest);
  if (verb == "step")
    return goToStep(rest);
  if (verb == "schedule")
    return runSchedule(rest);
  if (verb == "select")
    return select(rest);
  if (verb == "tile")
    return tile(rest);
  if (verb == "view" || verb == "panel") {
    told_[action.str()] = 1;
    return llvm::Error::success();
  }
  if (verb == "answer" || verb == "choice") {
    double number = 0;
    if (verb == "choice" && rest.size() == 1)
      number = rest[0] - 'a' + 1;
    else if (rest.getAsDouble(number))
      return fail("'" + rest.str() + "' is no answer");
    told_[verb.str()] = number;
    return llvm::Error::success();
  }
  return fail("'" + action.str() + "' is no action");
}

void LessonPlayer::beginTask() {
  told_.erase("answer");
  told_.erase("choice");
}

std::vector<GoalState> LessonPlayer::judge(const LessonTask &task) {
  const LessonFacts::Told told = toldOf(task);
  LessonFacts facts(*engine_.current, snapshot(), told);
  return facts.judge(task.goals);
}

static bool holdAll(llvm::ArrayRef<GoalState> states) {
  return llvm::all_of(states, [](const GoalState &state) { return state.holds; });
}

/// Shows one task; what is wrong with it goes to `complain`.
static void checkTask(LessonPlayer &player, const LessonTask &task,
                      llvm::function_ref<void(const std::string &)> complain) {
  player.beginTask();
  std::vector<llvm::StringRef> missing;
  for (llvm::StringRef target : task.point)
    if (target.consume_front("op ") && !player.hasOp(target))
      missing.push_back(target);
  if (holdAll(player.judge(task)))
    complain("its goals hold before anything was done");
  for (const std::string &action : task.show)
    if (llvm::Error error = player.act(action))
      return complain("'" + action + "': " + takeFailure(std::move(error)).message);
  for (llvm::StringRef op : missing)
    if (!player.hasOp(op))
      complain("there is no op " + op.str() + " to point at, neither before it nor after");
  const std::vector<GoalState> states = player.judge(task);
  for (size_t i = 0; i < states.size(); ++i)
    if (!states[i].holds)
      complain("the goal '" + task.goals[i].text + "' does not hold after it was shown: " + states[i].text);
}

/// From the state that the tasks before it lead to.
static llvm::Error goWrong(const Lesson &lesson, size_t number, llvm::StringRef way, bool &isAccepted) {
  LessonPlayer player;
  if (llvm::Error error = player.open(lesson))
    return error;
  for (const LessonTask &task : llvm::ArrayRef(lesson.tasks).take_front(number))
    for (const std::string &action : task.show)
      if (llvm::Error error = player.act(action))
        return error;
  player.beginTask();
  for (llvm::StringRef action : llvm::split(way, "; "))
    if (llvm::Error error = player.act(action.trim()))
      return error;
  isAccepted = holdAll(player.judge(lesson.tasks[number]));
  return llvm::Error::success();
}

static void checkWrongWays(const Lesson &lesson, size_t number,
                           llvm::function_ref<void(const std::string &)> complain) {
  for (const std::string &way : lesson.tasks[number].wrong) {
    bool isAccepted = false;
    if (llvm::Error error = goWrong(lesson, number, way, isAccepted))
      complain("the wrong way '" + way + "' cannot be gone: " + takeFailure(std::move(error)).message);
    else if (isAccepted)
      complain("the wrong way '" + way + "' reaches the goals");
  }
}

std::vector<LessonProblem> checkLesson(const Lesson &lesson) {
  std::vector<LessonProblem> problems;
  LessonPlayer player;
  if (llvm::Error error = player.open(lesson)) {
    problems.push_back({.what = takeFailure(std::move(error)).message});
    return problems;
  }
  for (size_t i = 0; i < lesson.tasks.size(); ++i) {
    const auto complain = [&](const std::string &what) {
      problems.push_back({.task = static_cast<unsigned>(i + 1), .line = lesson.tasks[i].line, .what = what});
    };
    checkTask(player, lesson.tasks[i], complain);
    checkWrongWays(lesson, i, complain);
  }
  return problems;
}

} // namespace fuselage
