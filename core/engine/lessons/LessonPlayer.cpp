#include "core/engine/lessons/LessonPlayer.h"
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
  snapshot_ = engine_.current->firstShown();
  told_.clear();
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
  snapshot_ = lastOf(*reply, snapshot_);
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
  for (const Step &step : engine_.current->recording().steps)
    if (step.name == name && step.after >= 0) {
      snapshot_ = static_cast<unsigned>(step.after);
      told_["step " + name.str()] = 1;
      return llvm::Error::success();
    }
  if (name == "Input") {
    snapshot_ = engine_.current->firstShown();
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
  told_["schedule runs"] = !trace->getBoolean("failed").value_or(true);
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
    snapshot_ = static_cast<unsigned>(steps.back().after);
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
  snapshot_ = engine_.current->addPlace(std::make_shared<const Payload>(std::move(*module)));
  return llvm::Error::success();
}

bool LessonPlayer::hasOp(llvm::StringRef name) {
  auto module = engine_.current->module(snapshot_);
  bool isThere = false;
  if (module)
    (*module)->walk([&](mlir::Operation *op) { isThere |= isCalled(name, op->getName().getStringRef()); });
  else
    llvm::consumeError(module.takeError());
  return isThere;
}

llvm::Error LessonPlayer::select(llvm::StringRef name) {
  if (!hasOp(name))
    return fail("there is no op " + name.str());
  std::erase_if(told_, [](const auto &fact) { return llvm::StringRef(fact.first).starts_with("selected "); });
  told_["selected " + name.str()] = 1;
  return llvm::Error::success();
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
  LessonFacts facts(*engine_.current, snapshot_, told_);
  std::vector<GoalState> states;
  for (const Goal &goal : task.goals)
    states.push_back(facts.judge(goal));
  return states;
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
