// tune/*.
#include "core/engine/Engine.h"
#include "core/engine/StepMessages.h"
#include "core/engine/tuning/TuneProcess.h"
#include "core/engine/tuning/TuneSubject.h"
#include "core/protocol/Document.h"
#include "core/runtime/device/Device.h"
#include "core/runtime/roofs/RoofCache.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/script/Knobs.h"
#include "core/stepping/report/Report.h"
#include "core/stepping/tool/ToolProcess.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "core/tuning/journal/Journal.h"
#include "core/tuning/search/TrialMessage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace fuselage {
namespace {

/// The subject of the parameters, which is kept until another one is asked for.
llvm::Expected<const TuneSubject *> subjectOf(Document &document, TuneSubjectParams params) {
  std::shared_ptr<TuneSubject> &held = document.tuneSubject();
  bool isSame = held && held->isOf(document.snapshot(params.snapshot).get()) &&
                held->params().key() == params.key();
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

/// Where trials of the window go, if nobody says where.
llvm::Expected<std::string> journalPath(Params &params) {
  if (params.has("journal"))
    return params.string("journal", "");
  std::string folder = userDataFolder();
  if (folder.empty())
    return std::string();
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder '" + folder +
                "' for the journal of tunings: " + error.message());
  return folder + "/tuning.jsonl";
}

/// The file that the search opens: the user's own where that is the snapshot, else a copy of it.
llvm::Expected<std::string> payloadFile(Document &document, unsigned snapshot,
                                        const ToolFolder &folder) {
  if (!document.isLog() && snapshot <= document.firstShown() &&
      llvm::sys::fs::is_regular_file(document.path()))
    return document.path();
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  std::string path = folder.file("payload.mlir");
  if (llvm::Error error =
          writeOutputFile(path, fullText(*document.snapshot(snapshot), /*hasLocations=*/false)))
    return error;
  return path;
}

/// How the search is to go, as options of the command.
struct SearchParams {
  int64_t trials = 0;
  double seconds = 0;
  std::string strategy, objective, tuned;
  int64_t rounds = 10;

  explicit SearchParams(Params &params) {
    trials = params.integer("trials", 1, INT64_MAX, 200);
    seconds = params.real("seconds", 0, 1e7, 0);
    strategy = params.string("strategy", "model");
    objective = params.string("objective", "median");
    rounds = params.integer("rounds", 3, 10000, 10);
    tuned = params.string("tuned", "");
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> words = {
        "--budget",
        seconds > 0 ? llvm::formatv("{0:f3}s", seconds).str() : std::to_string(trials),
        "--strategy",
        strategy,
        "--objective",
        objective,
        "--rounds",
        std::to_string(rounds)};
    if (!tuned.empty())
      words.insert(words.end(), {"--tuned", tuned});
    return words;
  }
};

llvm::Expected<std::vector<std::string>>
subjectArguments(Document &document, const TuneSubjectParams &params, const std::string &dispatch,
                 const ToolFolder &folder) {
  auto file = payloadFile(document, params.snapshot, folder);
  if (!file)
    return file.takeError();
  std::vector<std::string> words = {llvm::StringRef(*file).starts_with("-") ? "./" + *file : *file,
                                    "--device", params.device};
  auto add = [&](const char *option, const std::string &value) {
    words.insert(words.end(), {option, value});
  };
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
  for (const std::string &library : params.libraries)
    add("--library", library);
  for (const auto &[name, value] : params.fixed)
    add("--set", name + "=" + value);
  return words;
}

/// What the device can do at most. It is measured where nobody knows it yet, before the search has the device.
llvm::Expected<message::DeviceRoofs<>> roofsOfDevice(Engine &engine, Session &session, const std::string &id) {
  std::unique_ptr<Device> device;
  if (id != "host") {
    auto opened = openDevice(id);
    if (!opened)
      return opened.takeError();
    device = std::move(*opened);
  }
  return roofsOf(RoofCache(), session.context(), device.get(), device ? device->info() : hostDevice(), &engine.cancelled);
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
  return process ? llvm::Expected<llvm::json::Value>(
                       message::encode((*process)->progress(static_cast<size_t>(from))))
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

/// What trials have in common, with a number.
message::TuneWork<> workOf(const tune::TrialKey &key) {
  return {.module = key.module,
          .dispatch = key.dispatch,
          .schedule = key.schedule,
          .device = key.device,
          .driver = key.driver,
          .version = key.version};
}

llvm::Expected<llvm::json::Value> journal(Engine &, Params &params) {
  auto path = journalPath(params);
  if (!path)
    return path.takeError();
  std::string csv = params.string("csv", "");
  unsigned objective = params.choice("objective", {"median", "min"});
  if (llvm::Error error = params.check())
    return error;
  if (path->empty() || !llvm::sys::fs::exists(*path))
    return fail("there is no journal at '" + *path +
                "': tune something first, or name another file");
  auto opened = tune::Journal::read(*path);
  if (!opened)
    return opened.takeError();
  message::TuneJournal<> answer{.path = *path,
                                .unreadable = static_cast<int>(opened->unreadable())};
  std::map<std::string, int> works;
  std::vector<const tune::Trial *> rows;
  std::vector<double> bests;
  for (const tune::Trial &trial : opened->trials()) {
    message::TuneWork<> work = workOf(trial.key);
    std::string key = llvm::join(std::vector<std::string>{work.module, work.dispatch, work.schedule,
                                                          work.device, work.driver, work.version},
                                 "\n");
    auto [number, isNew] = works.try_emplace(key, answer.works.size());
    if (isNew) {
      answer.works.push_back(work);
      bests.push_back(std::numeric_limits<double>::infinity());
    }
    message::TuneTrial<> row =
        tune::messageOf(trial, objective == 1 ? tune::Objective::Min : tune::Objective::Median);
    row.work = number->second;
    row.number = ++answer.works[row.work].trials;
    row.seconds = trial.seconds;
    row.isBest =
        trial.status == tune::TrialStatus::Ok && row.relative > 0 && row.relative < bests[row.work];
    if (row.isBest)
      bests[row.work] = row.relative;
    answer.trials.push_back(std::move(row));
    rows.push_back(&trial);
  }
  if (!csv.empty())
    if (llvm::Error error = writeOutputFile(csv, tune::toCsv(rows)))
      return error;
  return message::encode(answer);
}

/// The script with values selected, as a text.
llvm::Expected<std::string> selectedText(Session &session, const TuneSubjectParams &wanted,
                                         const std::map<std::string, std::string> &values) {
  auto script = wanted.isText ? parseScript(session, wanted.text, wanted.path, wanted.libraries)
                              : openScript(session, wanted.path, wanted.libraries);
  if (!script)
    return script.takeError();
  if (llvm::Error error = setKnobs(*script, values))
    return error;
  return explicitText(*script);
}

llvm::Expected<llvm::json::Value> schedule(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  TuneSubjectParams wanted = TuneSubjectParams::of(params, **document);
  std::map<std::string, std::string> values = params.texts("values"),
                                     baseline = params.texts("baseline");
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
  table["tune/start"] = start;
  table["tune/poll"] = poll;
  table["tune/control"] = control;
  table["tune/journal"] = journal;
  table["tune/schedule"] = schedule;
}

} // namespace fuselage
