#include "core/tuning/device/TrialMaker.h"
#include "core/protocol/Document.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/methods/TuneMethods.h"
#include "core/support/JsonDepth.h"
#include "core/support/ShellWords.h"
#include "core/tuning/device/TrialMessages.h"
#include "core/tuning/device/TrialServer.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Program.h"

namespace fuselage::tune {

namespace json = llvm::json;
using Event = TrialMaker::Event;
using End = TrialWorker::Answer::End;

/// What a trial may take longer on its way there and back: a command ends by itself what hangs.
static constexpr double kOnTheWay = 10;

std::unique_ptr<TrialMaker> TrialMaker::copy() {
  return std::unique_ptr<TrialMaker>(new TrialMaker("a copy of this process", {}, ""));
}

llvm::Expected<std::unique_ptr<TrialMaker>> TrialMaker::command(const std::string &line, const std::string &version) {
  auto words = splitShellWords(line);
  if (!words)
    return words.takeError();
  if (words->empty())
    return fail("the command of a worker is empty");
  if (auto program = llvm::sys::findProgramByName(words->front()); !program)
    return fail("the worker '" + line + "' cannot be started: there is no program '" + words->front() + "'");
  std::unique_ptr<TrialMaker> maker(new TrialMaker(line, std::move(*words), version));
  maker->worker_ = std::make_unique<TrialWorker>(maker->command_);
  return maker;
}

llvm::Error TrialMaker::ask(Asked what, llvm::StringRef method, json::Object params, double seconds) {
  asked_ = what;
  return worker_->send(requestText(++lastId_, method, std::move(params)), seconds);
}

llvm::Error TrialMaker::open(const TuneSubject &subject, double seconds, double greeting) {
  openSeconds_ = seconds;
  if (!isCommand_) {
    worker_ = std::make_unique<TrialWorker>([&subject] { return serveTrials(subject); });
    return ask(Asked::Subject, method::OpenWorker::name, {}, seconds);
  }
  auto params = encodeSubject(subject);
  if (!params)
    return params.takeError();
  if (worker_->isRunning() && isGreeted_)
    return ask(Asked::Subject, method::OpenWorker::name, std::move(*params), seconds);
  subject_ = std::move(*params);
  if (worker_->isRunning() && asked_ == Asked::Greeting)
    return llvm::Error::success();
  isGreeted_ = false;
  return ask(Asked::Greeting, "initialize", json::Object{{"version", message::version}}, greeting);
}

llvm::Error TrialMaker::prepare(const TrialRequest &request) {
  return ask(Asked::Preparation, kPrepareMethod, encodeRequest(request), request.seconds);
}

llvm::Error TrialMaker::begin(const TrialRequest &request) {
  hasBaseline_ = request.baseline.has_value();
  return ask(Asked::Trial, method::MakeTrial::name, encodeRequest(request),
             request.seconds + (isCommand_ ? kOnTheWay : 0));
}

void TrialMaker::askToStop() {
  if (worker_)
    worker_->askToStop();
}

void TrialMaker::stop(std::chrono::steady_clock::time_point deadline) {
  if (worker_)
    worker_->stop(deadline);
  asked_ = Asked::Nothing;
}

Event TrialMaker::lost(std::string why) {
  stop();
  return {.kind = Event::Kind::Lost, .why = std::move(why)};
}

/// What the end of the process means.
Event TrialMaker::ended(const TrialWorker::Answer &answer) {
  Asked what = std::exchange(asked_, Asked::Nothing);
  if (isCommand_ && what == Asked::Greeting && answer.end == End::Hung)
    return {.kind = Event::Kind::Refused,
            .why = "has not answered: it " + answer.text +
                   "; it has to speak the engine's protocol, as 'fuselage serve' does, and where it waits in a queue "
                   "--worker-wait gives it more time"};
  if (isCommand_)
    return lost(answer.text);
  if (what != Asked::Trial && what != Asked::Preparation)
    return {.kind = Event::Kind::Refused, .why = "the device cannot be opened: the process that does " + answer.text};
  return {.kind = Event::Kind::Measured,
          .measured = {.status = answer.end == End::Hung ? TrialStatus::Hung : TrialStatus::Crashed,
                       .why = (what == Asked::Trial ? "the process that ran it " : "the process that compiled it ") +
                              answer.text}};
}

std::optional<Event> TrialMaker::greeted(const json::Object &result) {
  message::Initialized<> engine;
  message::decode(result, engine);
  if (engine.engine != version_ || engine.mlir != LLVM_VERSION_STRING)
    return Event{.kind = Event::Kind::Refused,
                 .why = "is fuselage " + (engine.engine.empty() ? "of an unknown version" : shownText(engine.engine)) +
                        " with MLIR " + shownText(engine.mlir) + ", and this is fuselage " + version_ +
                        " with MLIR " LLVM_VERSION_STRING "; install the same release there"};
  isGreeted_ = true;
  if (llvm::Error error = ask(Asked::Subject, method::OpenWorker::name, std::move(subject_), openSeconds_))
    return lost(takeFailure(std::move(error)).message);
  return std::nullopt;
}

/// Nullopt: it is not what was asked for, or not all of it.
std::optional<Event> TrialMaker::answered(const std::string &text) {
  constexpr int mostNested = 100;
  auto value =
      jsonDepth(text) > mostNested ? llvm::Expected<json::Value>(fail("nested too deeply")) : json::parse(text);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!value)
    llvm::consumeError(value.takeError());
  auto id = object ? object->getInteger("id") : std::nullopt;
  if (object && (object->get("method") || (id && *id > 0 && *id < lastId_)))
    return std::nullopt; // a notification, or what nobody waits for any more
  if (id != lastId_)
    return lost("answered nonsense");
  if (const json::Object *error = object->getObject("error")) {
    bool isOfTrial = asked_ == Asked::Trial;
    stop();
    return Event{.kind = Event::Kind::Refused,
                 .why = (isCommand_ ? isOfTrial ? "makes no trials: " : "cannot be used: " : "") +
                        shownText(error->getString("message").value_or("it says not why"))};
  }
  const json::Object *result = object->getObject("result");
  if (!result)
    return lost("answered nonsense");
  if (asked_ == Asked::Greeting)
    return greeted(*result);
  if (asked_ == Asked::Subject) {
    auto device = decodeDevice(*result);
    if (!device)
      return lost("answered nonsense: " + takeFailure(device.takeError()).message);
    asked_ = Asked::Nothing;
    return Event{.kind = Event::Kind::Opened, .device = std::move(*device)};
  }
  if (asked_ == Asked::Preparation && result->getBoolean("prepared").value_or(false)) {
    asked_ = Asked::Nothing;
    return Event{.kind = Event::Kind::Prepared};
  }
  bool isSpent = false;
  auto measured = decodeMeasurement(*result, hasBaseline_, isSpent);
  if (!measured && isCommand_)
    return lost("answered nonsense");
  asked_ = Asked::Nothing;
  if (isSpent && !isCommand_)
    worker_->stop();
  return Event{.kind = Event::Kind::Measured,
               .measured = measured ? std::move(*measured)
                                    : Measurement{.status = TrialStatus::Crashed,
                                                  .why = "the process that ran it answered nonsense"}};
}

llvm::Expected<Event> TrialMaker::wait(const std::atomic<bool> &cancelled) {
  while (true) {
    if (std::optional<Event> event = take())
      return std::move(*event);
    if (cancelled) {
      stop();
      return fail("cancelled");
    }
    std::array<pollfd, 2> files = waiting();
    poll(files.data(), files.size(), 100);
  }
}

std::optional<Event> TrialMaker::take() {
  constexpr unsigned mostAtOnce = 100; // others wait
  for (unsigned messages = 0; asked_ != Asked::Nothing && messages < mostAtOnce; ++messages) {
    std::optional<TrialWorker::Answer> answer = worker_->take();
    if (!answer)
      return std::nullopt;
    if (answer->end != End::Answered)
      return ended(*answer);
    if (std::optional<Event> event = answered(answer->text))
      return event;
    if (std::optional<TrialWorker::Answer> late =
            worker_->endIfLate()) // who sends what nobody asked for is no sooner done
      return ended(*late);
  }
  return std::nullopt;
}

} // namespace fuselage::tune
