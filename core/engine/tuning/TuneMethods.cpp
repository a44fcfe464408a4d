// tune/*.
#include "core/engine/MethodTable.h"
#include "core/engine/StepMessages.h"
#include "core/engine/tuning/JournalView.h"
#include "core/engine/tuning/TuneProcess.h"
#include "core/engine/tuning/TuneSubject.h"
#include "core/protocol/Document.h"
#include "core/run/peaks/PeakCache.h"
#include "core/runtime/device/Device.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/script/KnobText.h"
#include "core/schedules/script/Knobs.h"
#include "core/stepping/report/Report.h"
#include "core/stepping/tool/ToolProcess.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "core/support/ResultErrors.h"
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
  std::shared_ptr<TuneSubject> &held = document.extension<TuneSubject>();
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

llvm::Expected<message::TuneSpace<>> space(Engine &engine, Document &document,
                                           const method::TuneSpace::Request<> &request) {
  auto wanted = TuneSubjectParams::of(request.subject);
  if (!wanted)
    return wanted.takeError();
  if (wanted->isAll)
    return badParameter("all", "is for tune/start: each dispatch has a space of its own");
  auto subject = subjectOf(document, std::move(*wanted));
  if (!subject)
    return subject.takeError();
  std::vector<message::TuneTrial<>> trials;
  // The trials of a search stay when it has ended.
  if (const auto &tuning = engine.extension<TuneProcess>(); tuning && tuning->subject() == (*subject)->params().key())
    trials = tuning->trials();
  return (*subject)->at(request.values, request.moved, trials);
}

llvm::Expected<message::TuneStep<>> step(Engine &, Document &document, const method::TuneStep::Request<> &request) {
  auto wanted = TuneSubjectParams::of(request.subject);
  if (!wanted)
    return wanted.takeError();
  if (wanted->dispatch.empty())
    return badParameter("dispatch", "must be there: a schedule is run by schedule/trace");
  auto subject = subjectOf(document, std::move(*wanted));
  if (!subject)
    return subject.takeError();
  auto made = (*subject)->run(request.values);
  if (!made)
    return made.takeError();
  auto place = [&](mlir::OwningOpRef<mlir::ModuleOp> &module) {
    return int(document.addPlace(std::make_shared<const mlir::OwningOpRef<mlir::ModuleOp>>(std::move(module))));
  };
  return message::TuneStep<>{.before = place(made->before), .snapshot = place(made->after), .title = made->title};
}

/// Where trials of the window go, if nobody says where.
llvm::Expected<std::string> journalPath(const std::optional<std::string> &journal) {
  if (journal)
    return *journal;
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
std::vector<std::string> searchArguments(const method::StartTuning::Request<> &search) {
  std::string budget =
      search.seconds > 0 ? llvm::formatv("{0:f3}s", search.seconds).str() : std::to_string(search.trials);
  std::vector<std::string> words = {"--budget",    budget,           "--strategy", search.strategy,
                                    "--objective", search.objective, "--rounds",   std::to_string(search.rounds)};
  if (!search.tuned.empty())
    words.insert(words.end(), {"--tuned", search.tuned});
  if (search.each)
    words.push_back("--each");
  return words;
}

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
llvm::Expected<message::DevicePeaks<>> peaksOfDevice(Engine &engine, Session &session, const std::string &id) {
  auto device = openDevice(id);
  if (!device)
    return device.takeError();
  return peaksOf(PeakCache(), session.context(), **device, (*device)->info(), &engine.cancelled);
}

llvm::Expected<message::TuneStarted<>> start(Engine &engine, Document &document,
                                             const method::StartTuning::Request<> &request) {
  auto wanted = TuneSubjectParams::of(request.subject);
  if (!wanted)
    return wanted.takeError();
  auto journal = journalPath(request.journal);
  if (!journal)
    return journal.takeError();
  if (!wanted->dispatch.empty() && !wanted->fixed.empty())
    return badParameter("fixed", "is for schedules: sizes of a dispatch are all set, or none");
  if (request.each && !wanted->isAll)
    return badParameter("each", "goes with 'all': there is one thing to tune");
  std::shared_ptr<TuneProcess> &tuning = engine.extension<TuneProcess>();
  if (tuning && tuning->isRunning())
    return fail("a tuning is going on; cancel it first");
  std::string dispatch;
  if (!wanted->isAll) {
    auto subject = subjectOf(document, *wanted);
    if (!subject)
      return subject.takeError();
    if (auto clash = tune::findClash((*subject)->space()))
      return fail(clash->text((*subject)->space()));
    dispatch = (*subject)->dispatch();
  }
  auto folder = ToolFolder::make();
  if (!folder)
    return folder.takeError();
  auto words = subjectArguments(document, *wanted, dispatch, **folder);
  if (!words)
    return words.takeError();
  llvm::append_range(*words, searchArguments(request));
  if (!journal->empty())
    words->insert(words->end(), {"--journal", *journal});
  tuning.reset();
  message::TuneStarted<> started;
  auto peaks = peaksOfDevice(engine, document.session(), wanted->device);
  if (peaks)
    started.peaks = std::move(*peaks);
  else
    started.note = takeFailure(peaks.takeError()).message;
  auto process = TuneProcess::start(wanted->key(), *words, *folder, started.peaks);
  if (!process)
    return process.takeError();
  tuning = std::move(*process);
  return started;
}

/// The search that was started last.
llvm::Expected<TuneProcess *> processOf(Engine &engine) {
  if (const auto &tuning = engine.extension<TuneProcess>())
    return tuning.get();
  return fail("nothing is tuned; send tune/start first");
}

llvm::Expected<message::TuneProgress<>> poll(Engine &engine, const method::PollTuning::Request<> &request) {
  auto process = processOf(engine);
  if (!process)
    return process.takeError();
  return (*process)->progress(static_cast<size_t>(request.from));
}

llvm::Expected<message::Nothing<>> control(Engine &engine, const method::ControlTuning::Request<> &request) {
  auto process = processOf(engine);
  if (!process)
    return process.takeError();
  if (request.action == method::TuneAction::Cancel)
    (*process)->cancel();
  else
    (*process)->pause(request.action == method::TuneAction::Pause);
  return message::Nothing<>();
}

/// The journal at `path`, of which only what is new is read where it was looked at last.
llvm::Expected<const JournalView *> viewOf(Engine &engine, const std::string &path, tune::Objective objective) {
  if (path.empty() || !llvm::sys::fs::exists(path))
    return fail("there is no journal at '" + path + "': tune something first, or name another file");
  std::shared_ptr<JournalView> &last = engine.extension<JournalView>();
  if (last && last->isOf(path, objective)) {
    if (llvm::Error error = last->refresh())
      return error;
    return last.get();
  }
  last.reset();
  auto opened = JournalView::open(path, objective);
  if (!opened)
    return opened.takeError();
  last = std::move(*opened);
  return last.get();
}

llvm::Expected<message::TuneJournal<>> journal(Engine &engine, const method::ReadJournal::Request<> &request) {
  auto path = journalPath(request.journal);
  if (!path)
    return path.takeError();
  TrialFilter filter{.work = static_cast<int>(request.work), .status = request.status, .text = request.text};
  if (!filter.status.empty() && !tune::trialStatusNamed(filter.status))
    return badParameter("status", "is that of no trial");
  auto view = viewOf(engine, *path,
                     request.objective == method::TuneObjective::Min ? tune::Objective::Min : tune::Objective::Median);
  if (!view)
    return view.takeError();
  if (!request.csv.empty())
    if (llvm::Error error = writeOutputFile(request.csv, tune::toCsv((*view)->trials(filter))))
      return error;
  return (*view)->page(filter, request.from, request.count);
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

llvm::Expected<llvm::json::Value> schedule(Engine &, Document &document,
                                           const method::CompareSchedules::Request<> &request) {
  auto wanted = TuneSubjectParams::of(request.subject);
  if (!wanted)
    return wanted.takeError();
  if (wanted->path.empty())
    return badParameter("path", "must be there: a dispatch has no schedule");
  auto before = selectedText(document.session(), *wanted, request.baseline);
  if (!before)
    return before.takeError();
  auto after = selectedText(document.session(), *wanted, request.values);
  if (!after)
    return after.takeError();
  llvm::json::Object answer = diffToJSON(*before, *after);
  answer["text"] = *after;
  answer["baseline"] = *before;
  return answer;
}

} // namespace

void addTuneMethods(MethodTable &table) {
  addMethod<method::TuneSpace, space>(table);
  addMethod<method::TuneStep, step>(table);
  addMethod<method::StartTuning, start>(table);
  addMethod<method::PollTuning, poll>(table);
  addMethod<method::ControlTuning, control>(table);
  addMethod<method::ReadJournal, journal>(table);
  addMethod<method::CompareSchedules, schedule>(table);
}

} // namespace fuselage
