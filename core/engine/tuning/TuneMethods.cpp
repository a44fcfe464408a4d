// tune/*.
#include "core/engine/Engine.h"
#include "core/engine/StepMessages.h"
#include "core/engine/tuning/JournalView.h"
#include "core/engine/tuning/TuneProcess.h"
#include "core/engine/tuning/TuneSubject.h"
#include "core/protocol/Document.h"
#include "core/run/roofs/RoofCache.h"
#include "core/runtime/device/Device.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/script/KnobText.h"
#include "core/schedules/script/Knobs.h"
#include "core/stepping/report/Report.h"
#include "core/stepping/tool/ToolProcess.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "core/tuning/journal/Journal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace fuselage {
namespace {

/// The subject of the parameters, which is kept until another one is asked for.
llvm::Expected<const TuneSubject *> subjectOf(Document &document, TuneSubjectParams params) {
  std::shared_ptr<TuneSubject> &held = document.tuneSubject();
  bool isSame = held && held->isOf(document.snapshot(params.snapshot).get()) && held->params().key() == params.key();
  bool mayChange = !params.isText && params.dispatch.empty(); // the file of a script
  if (isSame && !mayChange)
    return held.get();
  auto opened = TuneSubject::open(document, std::move(params));
  if (!opened)
    return opened.takeError();
  held = std::move(*opened);
  return held.get();
}

llvm::Expected<llvm::json::Value> space(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  TuneSubjectParams wanted = TuneSubjectParams::of(params, **document);
  std::map<std::string, std::string> values = params.texts("values");
  std::string moved = params.string("moved", "");
  if (wanted.isAll)
    params.complain("all", "is for tune/start: each dispatch has a space of its own");
  if (llvm::Error error = params.check())
    return error;
  auto subject = subjectOf(**document, std::move(wanted));
  if (!subject)
    return subject.takeError();
  std::vector<message::TuneTrial<>> trials;
  if (engine.tuning && engine.tuning->subject() == (*subject)->params().key())
    trials = engine.tuning->trials();
  auto answer = (*subject)->at(values, moved, trials);
  if (!answer)
    return answer.takeError();
  return message::encode(*answer);
}

llvm::Expected<llvm::json::Value> step(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  TuneSubjectParams wanted = TuneSubjectParams::of(params, **document);
  std::map<std::string, std::string> values = params.texts("values");
  if (wanted.dispatch.empty())
    params.complain("dispatch", "must be there: a schedule is run by schedule/trace");
  if (llvm::Error error = params.check())
    return error;
  auto subject = subjectOf(**document, std::move(wanted));
  if (!subject)
    return subject.takeError();
  auto made = (*subject)->run(values);
  if (!made)
    return made.takeError();
  auto place = [&](mlir::OwningOpRef<mlir::ModuleOp> &module) {
    return int((*document)->addPlace(std::make_shared<const mlir::OwningOpRef<mlir::ModuleOp>>(std::move(module))));
  };
  message::TuneStep<> answer{.before = place(made->before), .snapshot = place(made->after), .title = made->title};
  return message::encode(answer);
}

/// Where trials of the window go, if nobody says where.
llvm::Expected<std::string> journalPath(Params &params) {
  if (params.has("journal"))
    return params.string("journal", "");
  std::string folder = userDataFolder();
  if (folder.empty())
    return std::string();
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder '" + folder + "' for the journal of tunings: " + error.message());
  return folder + "/tuning.jsonl";
}

/// The file that the search opens: the user's own where that is the snapshot, else a copy of it.
llvm::Expected<std::string> payloadFile(Document &document, unsigned snapshot, const ToolFolder &folder) {
  if (!document.isLog() && snapshot <= document.firstShown() && llvm::sys::fs::is_regular_file(document.path()))
    return document.path();
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  std::string path = folder.file("payload.mlir");
  if (llvm::Error error = writeOutputFile(path, fullText(*document.snapshot(snapshot), /*hasLocations=*/false)))
    return error;
  return path;
}

/// How the search is to go, as options of the command.
struct SearchParams {
  int64_t trials = 0;
  double seconds = 0;
  std::string strategy, objective, tuned;
  int64_t rounds = 10;
  bool isEach = false; ///< the budget is of each dispatch

  explicit SearchParams(Params &params) {
    trials = params.integer("trials", 1, INT64_MAX, 200);
    seconds = params.real("seconds", 0, 1e7, 0);
    strategy = params.string("strategy", "model");
    objective = params.string("objective", "median");
    rounds = params.integer("rounds", 3, 10000, 10);
    tuned = params.string("tuned", "");
    isEach = params.boolean("each", false);
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> words = {
        "--budget",    seconds > 0 ? llvm::formatv("{0:f3}s", seconds).str() : std::to_string(trials),
        "--strategy",  strategy,
        "--objective", objective,
        "--rounds",    std::to_string(rounds)};
    if (!tuned.empty())
      words.insert(words.end(), {"--tuned", tuned});
    if (isEach)
      words.push_back("--each");
    return words;
  }
};

llvm::Expected<std::vector<std::string>> subjectArguments(Document &document, const TuneSubjectParams &params,
                                                          const std::string &dispatch, const ToolFolder &folder) {
  auto file = payloadFile(document, params.snapshot, folder);
  if (!file)
    return file.takeError();
  std::vector<std::string> words = {llvm::StringRef(*file).starts_with("-") ? "./" + *file : *file, "--device",
                                    params.device};
  auto add = [&](const char *option, const std::string &value) { words.insert(words.end(), {option, value}); };
  if (!params.function.empty())
    add("--function", params.function);
  for (const auto &[name, size] : params.sizes)
    add("--size", name + "=" + std::to_string(size));
  if (params.isAll)
    return words;
  if (!dispatch.empty()) {
    add("--dispatch", dispatch);
    return words;
  }
  std::string script = params.path;
  if (params.isText) {
    script = folder.file("schedule.mlir");
    if (llvm::Error error = writeOutputFile(script, params.text))
      return error;
  }
  add("--schedule", script);
  for (const std::string &library : params.script.libraries)
    add("--library", library);
  if (!params.script.entry.empty())
    add("--entry", params.script.entry);
  for (const auto &[name, value] : params.script.arguments)
    add("--arg", name + "=" + value);
  for (const auto &[name, value] : params.fixed)
    add("--set", name + "=" + value);
  return words;
}

/// What the device can do at most. It is measured where nobody knows it yet, before the search has the device.
llvm::Expected<message::DeviceRoofs<>> roofsOfDevice(Engine &engine, Session &session, const std::string &id) {
  auto device = openDevice(id);
  if (!device)
    return device.takeError();
  return roofsOf(RoofCache(), session.context(), **device, (*device)->info(), &engine.cancelled);
}

llvm::Expected<llvm::json::Value> start(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  TuneSubjectParams wanted = TuneSubjectParams::of(params, **document);
  SearchParams search(params);
  auto journal = journalPath(params);
  if (!journal)
    return journal.takeError();
  if (!wanted.dispatch.empty() && !wanted.fixed.empty())
    params.complain("fixed", "is for schedules: sizes of a dispatch are all asked for, or none");
  if (search.isEach && !wanted.isAll)
    params.complain("each", "goes with 'all': there is one thing to tune");
  if (llvm::Error error = params.check())
    return error;
  if (engine.tuning && engine.tuning->isRunning())
    return fail("a tuning is going on; cancel it first");
  std::string dispatch;
  if (!wanted.isAll) {
    auto subject = subjectOf(**document, wanted);
    if (!subject)
      return subject.takeError();
    if (auto clash = tune::findClash((*subject)->space()))
      return fail(clash->text((*subject)->space()));
    dispatch = (*subject)->dispatch();
  }
  auto folder = ToolFolder::make();
  if (!folder)
    return folder.takeError();
  auto words = subjectArguments(**document, wanted, dispatch, **folder);
  if (!words)
    return words.takeError();
  llvm::append_range(*words, search.arguments());
  if (!journal->empty())
    words->insert(words->end(), {"--journal", *journal});
  engine.tuning.reset();
  message::TuneStarted<> started;
  auto roofs = roofsOfDevice(engine, (*document)->session(), wanted.device);
  if (roofs)
    started.roofs = std::move(*roofs);
  else
    started.note = takeFailure(roofs.takeError()).message;
  auto process = TuneProcess::start(wanted.key(), *words, *folder, started.roofs);
  if (!process)
    return process.takeError();
  engine.tuning = std::move(*process);
  return message::encode(started);
}

/// The search that was started last.
llvm::Expected<TuneProcess *> processOf(Engine &engine) {
  if (engine.tuning)
    return engine.tuning.get();
  return fail("nothing is tuned; send tune/start first");
}

llvm::Expected<llvm::json::Value> poll(Engine &engine, Params &params) {
  int64_t from = params.integer("from", 0, INT64_MAX, 0);
  if (llvm::Error error = params.check())
    return error;
  auto process = processOf(engine);
  return process ? llvm::Expected<llvm::json::Value>(message::encode((*process)->progress(static_cast<size_t>(from))))
                 : process.takeError();
}

llvm::Expected<llvm::json::Value> control(Engine &engine, Params &params) {
  unsigned action = params.choice("action", {"pause", "resume", "cancel"});
  if (llvm::Error error = params.check())
    return error;
  auto process = processOf(engine);
  if (!process)
    return process.takeError();
  if (action == 2)
    (*process)->cancel();
  else
    (*process)->pause(action == 0);
  return message::encode(message::Nothing<>());
}

/// The journal at `path`, of which only what is new is read where it was looked at last.
llvm::Expected<const JournalView *> viewOf(Engine &engine, const std::string &path, tune::Objective objective) {
  if (path.empty() || !llvm::sys::fs::exists(path))
    return fail("there is no journal at '" + path + "': tune something first, or name another file");
  if (engine.journal && engine.journal->isOf(path, objective)) {
    if (llvm::Error error = engine.journal->refresh())
      return error;
    return engine.journal.get();
  }
  engine.journal.reset();
  auto opened = JournalView::open(path, objective);
  if (!opened)
    return opened.takeError();
  engine.journal = std::move(*opened);
  return engine.journal.get();
}

llvm::Expected<llvm::json::Value> journal(Engine &engine, Params &params) {
  auto path = journalPath(params);
  if (!path)
    return path.takeError();
  std::string csv = params.string("csv", "");
  unsigned objective = params.choice("objective", {"median", "min"});
  TrialFilter filter{.work = static_cast<int>(params.integer("work", -1, INT32_MAX, -1)),
                     .status = params.string("status", ""),
                     .text = params.string("text", "")};
  int64_t from = params.integer("from", 0, INT64_MAX, 0), count = params.integer("count", 0, INT64_MAX, INT64_MAX);
  if (!filter.status.empty() && !tune::trialStatusNamed(filter.status))
    params.complain("status", "is that of no trial");
  if (llvm::Error error = params.check())
    return error;
  auto view = viewOf(engine, *path, objective == 1 ? tune::Objective::Min : tune::Objective::Median);
  if (!view)
    return view.takeError();
  if (!csv.empty())
    if (llvm::Error error = writeOutputFile(csv, tune::toCsv((*view)->trials(filter))))
      return error;
  return message::encode((*view)->page(filter, from, count));
}

/// The script with values selected, as a text: its own, where that is possible.
llvm::Expected<std::string> selectedText(Session &session, const TuneSubjectParams &wanted,
                                         const std::map<std::string, std::string> &values) {
  auto script = wanted.isText ? parseScript(session, wanted.text, wanted.path, wanted.script)
                              : openScript(session, wanted.path, wanted.script);
  if (!script)
    return script.takeError();
  if (llvm::Error error = setKnobs(*script, values))
    return error;
  auto file = llvm::MemoryBuffer::getFile(wanted.path, /*IsText=*/true);
  bool isThere = wanted.isText || file;
  auto own = isThere && wanted.script.libraries.empty()
                 ? withSelection(session, *script, wanted.isText ? llvm::StringRef(wanted.text) : (*file)->getBuffer())
                 : std::nullopt;
  return own ? *own : explicitText(*script);
}

llvm::Expected<llvm::json::Value> schedule(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  TuneSubjectParams wanted = TuneSubjectParams::of(params, **document);
  std::map<std::string, std::string> values = params.texts("values"), baseline = params.texts("baseline");
  if (wanted.path.empty())
    params.complain("path", "must be there: a dispatch has no schedule");
  if (llvm::Error error = params.check())
    return error;
  auto before = selectedText((*document)->session(), wanted, baseline);
  if (!before)
    return before.takeError();
  auto after = selectedText((*document)->session(), wanted, values);
  if (!after)
    return after.takeError();
  llvm::json::Object answer = diffToJSON(*before, *after);
  answer["text"] = *after;
  answer["baseline"] = *before;
  return answer;
}

} // namespace

void addTuneMethods(MethodTable &table) {
  table["tune/space"] = space;
  table["tune/step"] = step;
  table["tune/start"] = start;
  table["tune/poll"] = poll;
  table["tune/control"] = control;
  table["tune/journal"] = journal;
  table["tune/schedule"] = schedule;
}

} // namespace fuselage
