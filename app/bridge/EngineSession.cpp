#include "app/bridge/EngineSession.h"
#include "app/bridge/EngineParameters.h"
#include "core/protocol/methods/DocumentMethods.h"
#include "core/protocol/methods/FusionMethods.h"
#include "core/protocol/methods/RunMethods.h"
#include "core/protocol/methods/StepMethods.h"
#include "views/messages/BlameTypes.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace fuselage {

/// How often a restarted engine may die before its recovery is through.
static constexpr int maxFailedRecoveries = 3;
/// How long the engine may take to stop when asked to: people wait. Longer where more than that would end with it.
static constexpr int cancelGraceMs = 150, heldGraceMs = 3000;

QStringList splitCommand(const QString &line) {
  // QProcess reads "a b"; single quotes are the common way to write a remote command.
  QString normalised = line;
  return QProcess::splitCommand(normalised.replace(u'\'', u'"'));
}

QStringList defaultEngineCommand() {
  const QString beside = QCoreApplication::applicationDirPath() + u"/fuselage"_s;
  return {QFileInfo(beside).isExecutable() ? beside : u"fuselage"_s, u"serve"_s};
}

QString EngineSession::stateText(State state) {
  switch (state) {
  case State::Stopped:
    return tr("stopped");
  case State::Starting:
    return tr("starting");
  case State::Ready:
    return tr("ready");
  case State::Opening:
    return tr("opening");
  case State::Recording:
    return tr("recording");
  case State::Fusing:
    return tr("fusing");
  case State::Running:
    return tr("running");
  case State::Restarting:
    return tr("restarting");
  case State::Dead:
    return tr("not running");
  }
  return {};
}

EngineSession::EngineSession(QStringList command, QObject *parent)
    : QObject(parent), client_(this), command_(std::move(command)) {
  connect(&client_, &EngineClient::notified, this, &EngineSession::handleNotification);
  connect(&client_, &EngineClient::logged, this, &EngineSession::logged);
  connect(&client_, &EngineClient::exited, this, &EngineSession::handleExit);
  connect(&client_, &EngineClient::launchFailed, this, [this](const QString &reason) {
    setState(State::Dead);
    emit gaveUp(reason);
  });
  toolTimer_.setInterval(400);
  connect(&toolTimer_, &QTimer::timeout, this, &EngineSession::pollTool);
  cancelGrace_.setSingleShot(true);
  connect(&cancelGrace_, &QTimer::timeout, this, [this] {
    if (state_ == State::Running || state_ == State::Fusing || state_ == State::Recording)
      endEngine();
  });
}

void EngineSession::setPlace(const QString &host, const QStringList &command) {
  command_ = command;
  place_ = host;
  emit placeChanged();
}

bool EngineSession::isBusy() const {
  return state_ == State::Opening || state_ == State::Recording || state_ == State::Running ||
         state_ == State::Fusing || state_ == State::Restarting;
}

void EngineSession::setState(State state) {
  if (state == state_)
    return;
  state_ = state;
  emit stateChanged(state);
}

void EngineSession::launch() {
  linkText_.clear();
  // On a host the engine there is ended first; a process killed before would leave that to a time-out.
  constexpr int graceOfHostMs = 3000;
  client_.start(command_ + arguments_, place_.isEmpty() ? EngineProcess::shortGraceMs : graceOfHostMs);
  sinceLaunch_.start();
  client_.call<method::Initialize>(
      {.version = protocol::version}, this,
      [this](const protocol::Initialized &info) {
        info_ = info;
        emit initialized(info);
        if (state_ != State::Starting)
          return; // recovering: the document comes first
        failedRecoveries_ = 0;
        setState(State::Ready);
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone || !linkText_.isEmpty())
          return; // told by handleExit
        userEnded_ = false;
        setState(State::Dead);
        client_.kill();
        emit gaveUp(tr("The engine refused to talk: %1").arg(error.message));
      });
}

void EngineSession::start() {
  failedRecoveries_ = 0;
  client_.forgiveAll();
  if (hasDocument()) {
    recover();
    return;
  }
  setState(State::Starting);
  launch();
}

void EngineSession::open(const QString &path) {
  openingPath_ = path;
  client_.forgiveAll();
  emit documentLeft();
  // An engine that holds something is not risked.
  sendOpen(/*isExpendable=*/!hasDocument());
  setState(State::Opening); // who hears of it may ask for what comes of the file
}

void EngineSession::sendOpen(bool isExpendable) {
  isExpendable_ = isExpendable;
  client_.call<method::OpenDocument>(
      {.path = openingPath_, .expendable = isExpendable}, this,
      [this](const protocol::Document &document) {
        toolTimer_.stop();
        takeDocument(document);
      },
      [this, path = openingPath_](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone || !linkText_.isEmpty())
          return; // told by handleExit
        openingPath_.clear();
        setState(State::Ready);
        emit openFailed(path, error);
      },
      u"open"_s);
}

void EngineSession::takeDocument(const protocol::Document &document) {
  document_ = document;
  openingPath_.clear();
  recorded_ = {};
  steps_ = document.steps;
  hasRecorded_ = false;
  forgetHistory();
  lastCrash_.reset();
  setState(State::Ready);
  emit opened(document);
}

void EngineSession::record(const RecordRequest &request) {
  if (!hasDocument() || isBusy())
    return;
  setState(State::Recording);
  RecordRequest started = request;
  // Recording once more begins where the last one did, also in an engine that had to be restarted.
  // Fusions stay before it.
  if (started.from < 0 && kept_ == 0)
    started.from = recorded_.from;
  sendRecord(started, -1);
}

protocol::Request<method::RecordPipeline> requestOf(const RecordRequest &request, int limit) {
  protocol::Request<method::RecordPipeline> params;
  if (!request.schedule.isEmpty())
    params.schedule = request.schedule;
  else
    params.pipeline = request.pipeline;
  if (!request.target.isEmpty())
    params.target = request.target;
  params.device = request.device;
  if (limit >= 0)
    params.limit = limit;
  if (request.from >= 0)
    params.from = request.from;
  return params;
}

void EngineSession::sendRecord(const RecordRequest &request, int limit) {
  recording_ = request;
  firstStepSeen_ = false;
  runningStep_.reset();
  const bool recovering = limit >= 0;
  client_.forgive<method::RecordPipeline>();
  asked_ = client_.call<method::RecordPipeline>(
      requestOf(request, limit), this,
      [this, recovering](const protocol::Recording &recording) {
        cancelGrace_.stop();
        runningStep_.reset();
        recorded_ = recording_;
        hasRecorded_ = true;
        steps_ = recording.steps;
        kept_ = recording.kept;
        undo_ = recording.undo;
        redo_ = recording.redo;
        if (recovering) {
          finishRecovery(int(steps_.size()));
          return;
        }
        ++recordings_;
        noteRecord(recording_, recording.cancelled ? int(recording.steps.size()) : -1);
        setState(State::Ready);
        emit recorded(recording);
      },
      [this, recovering](const protocol::Error &error) {
        cancelGrace_.stop();
        if (error.code == protocol::Error::EngineGone || !linkText_.isEmpty())
          return;
        runningStep_.reset();
        if (recovering) {
          dropToDocument();
          return;
        }
        setState(State::Ready);
        emit recordFailed(error);
      });
}

void EngineSession::run(const RunRequest &request) {
  if (!hasDocument() || isBusy())
    return;
  setState(State::Running);
  QMap<QString, QString> parameters;
  for (const QString &file : request.parameters)
    parameters.insert(file, QString()); // of any scope
  client_.forgive<method::Run>();
  asked_ = client_.call<method::Run>(
      {.snapshot = request.snapshot,
       .device = request.device,
       .repeat = request.repeat,
       .warmup = request.warmup,
       .seed = request.seed,
       .function = request.function,
       .dispatch = request.dispatch,
       .sizes = request.sizes,
       .inputs = request.inputs,
       .caches = request.coldCaches ? u"cold"_s : u"warm"_s,
       .baselines = request.baselines,
       .parameters = parameters},
      this,
      [this](const protocol::RunReport &report) {
        cancelGrace_.stop();
        setState(State::Ready);
        emit runFinished(report);
      },
      [this](const protocol::Error &error) {
        cancelGrace_.stop();
        if (error.code == protocol::Error::EngineGone)
          return;
        setState(State::Ready);
        emit runFailed(error);
      });
}

void EngineSession::hold(const QString &what, bool holds) {
  if (holds)
    holds_.insert(what);
  else
    holds_.remove(what);
}

void EngineSession::cancel() {
  if (state_ == State::Running || state_ == State::Fusing || state_ == State::Recording) {
    client_.cancel(asked_);
    if (!cancelGrace_.isActive())
      cancelGrace_.start(holds_.isEmpty() && !isToolRunning() ? cancelGraceMs : heldGraceMs);
    return;
  }
  if (state_ == State::Opening || state_ == State::Restarting)
    endEngine();
}

void EngineSession::endEngine() {
  userEnded_ = true;
  client_.kill();
}

void EngineSession::handleNotification(const QString &method, const QJsonObject &params) {
  if (method == "step/started"_L1) {
    protocol::StepStarted step;
    decode(params, step);
    if (!firstStepSeen_ && state_ == State::Recording) {
      firstStepSeen_ = true;
      recorded_ = recording_;
      hasRecorded_ = true;
      noteRecord(recording_);
      steps_.resize(std::min<qsizetype>(steps_.size(), step.index));
      emit recordingStarted();
    }
    runningStep_ = step;
    if (state_ == State::Recording)
      emit stepStarted(step);
  } else if (method == "step/finished"_L1) {
    protocol::Step step;
    decode(params, step);
    runningStep_.reset();
    if (state_ != State::Recording)
      return;
    steps_.append(step);
    emit stepFinished(step);
  } else if (method == "fusion/progress"_L1) {
    protocol::FuseProgress progress;
    decode(params, progress);
    if (state_ != State::Fusing)
      return;
    if (!progress.found.isEmpty())
      found_.pipeline = progress.found;
    fusingPass_ = progress.what;
    emit fuseProgress(progress);
  } else if (method == "run/progress"_L1) {
    protocol::RunProgress progress;
    decode(params, progress);
    emit runProgress(progress);
  } else if (method == "kernel/progress"_L1) {
    protocol::KernelProgress progress;
    decode(params, progress);
    emit kernelProgress(progress);
  } else if (method == "blame/progress"_L1) {
    protocol::BlameProgress progress;
    decode(params, progress);
    emit blameProgress(progress.where);
  } else if (method == "document/progress"_L1) {
    protocol::DocumentProgress progress;
    decode(params, progress);
    emit progressed(progress.phase);
  } else if (method == "link/state"_L1) {
    protocol::LinkState link;
    decode(params, link);
    linkText_ = link.state == "missing"_L1 || link.state == "refused"_L1 ? link.text : QString();
    emit linkChanged(link);
  } else if (method == "log"_L1) {
    protocol::LogLine line;
    decode(params, line);
    emit logged(u"%1: %2"_s.arg(line.severity, line.message));
  }
}

/// What the engine does while it answers, for people.
static QString activityOf(const QString &method) {
  if (method.isEmpty())
    return {};
  if (method.startsWith("graph/"_L1))
    return EngineSession::tr("drawing the graph");
  if (method.startsWith("fusion/"_L1))
    return EngineSession::tr("judging edges");
  if (method.startsWith("buffers/"_L1))
    return EngineSession::tr("looking for copies");
  if (method.startsWith("tiles/"_L1))
    return EngineSession::tr("tiling an op");
  if (method.startsWith("devices/"_L1))
    return EngineSession::tr("looking for devices");
  return EngineSession::tr("answering %1").arg(method);
}

void EngineSession::handleExit(const EngineExit &exit) {
  cancelGrace_.stop();
  holds_.clear();
  if (state_ == State::Dead || state_ == State::Stopped)
    return;
  if (state_ == State::Opening && isExpendable_ && !userEnded_) {
    emit logged(tr("%1 ended the engine (%2); it is read again, with care").arg(openingPath_, exit.reason()));
    launch();
    sendOpen(/*isExpendable=*/false);
    return;
  }
  // `fuselage remote` found no engine there, or was not let in: it would find none at the next start, either.
  constexpr int noEngine = 127, refused = 1;
  if (!place_.isEmpty() && !userEnded_ && exit.signal == 0 && (exit.exitCode == noEngine || exit.exitCode == refused)) {
    setState(State::Dead);
    const QString refusal = linkText_.isEmpty() ? tr("%1 refused to start one").arg(place_) : linkText_;
    emit gaveUp(exit.exitCode == noEngine ? tr("%1 has no engine of this version").arg(place_) : refusal);
    return;
  }
  const bool duringRecovery = state_ == State::Restarting || state_ == State::Starting;
  if (state_ != State::Fusing || !userEnded_)
    found_ = {}; // it may have been the end of the engine
  // A schedule that ran to its end says no more of its last step.
  if (state_ == State::Ready && !userEnded_ && exit.request != "schedule/trace"_L1)
    runningStep_.reset();
  CrashReport report{.exit = exit,
                     .cancelled = std::exchange(userEnded_, false),
                     .step = runningStep_,
                     .activity = state_ == State::Opening     ? tr("opening %1").arg(QFileInfo(openingPath_).fileName())
                                 : state_ == State::Recording ? tr("recording")
                                 : state_ == State::Fusing    ? tr("fusing (%1)").arg(fusingPass_)
                                 : state_ == State::Running   ? tr("running kernels")
                                                              : activityOf(exit.request),
                     .wasRunning = state_ == State::Running,
                     .goodSteps = int(steps_.size()),
                     .document = document_.path};
  runningStep_.reset();
  openingPath_.clear();
  toolTimer_.stop(); // it ended with the engine
  if (duringRecovery && ++failedRecoveries_ >= maxFailedRecoveries) {
    setState(State::Dead);
    emit gaveUp(tr("The engine ended %1 times while it was restarted (%2)").arg(failedRecoveries_).arg(exit.reason()));
    return;
  }
  if (!duringRecovery || report.cancelled) {
    if (report.step || !lastCrash_ || !duringRecovery)
      lastCrash_ = report;
    emit crashed(report);
  }
  // A recording that dies a second time is given up; the document is still worth having.
  if (duringRecovery)
    forgetRecording();
  recover();
}

void EngineSession::recover() {
  setState(hasDocument() ? State::Restarting : State::Starting);
  launch();
  if (hasDocument())
    reopenAndRecord(int(steps_.size()));
}

bool EngineSession::wantsReplay(int steps) const { return (steps > 0 && hasRecorded_) || !undone_.isEmpty(); }

/// Both requests go out at once; the engine answers them in order.
void EngineSession::reopenAndRecord(int steps) {
  // Recovery counts for itself.
  client_.forgive<method::OpenDocument>();
  client_.forgive<method::RecordPipeline>();
  client_.forgive<method::Fuse>();
  client_.forgive<method::UndoFusion>();
  client_.call<method::OpenDocument>(
      {.path = document_.path}, this,
      [this, steps](const protocol::Document &) {
        if (wantsReplay(steps))
          return;
        // The steps of a log came back with it.
        forgetRecording();
        finishRecovery(int(steps_.size()));
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone || !linkText_.isEmpty())
          return;
        setState(State::Ready);
        emit openFailed(document_.path, error);
      });
  if (wantsReplay(steps))
    replay(0);
}

void EngineSession::finishRecovery(int steps) {
  failedRecoveries_ = 0;
  setState(State::Ready);
  emit recovered(steps);
  if (state_ == State::Ready)
    fuseFound();
}

void EngineSession::forgetRecording() {
  steps_ = document_.steps;
  hasRecorded_ = false;
  forgetHistory();
}

void EngineSession::dropToDocument() {
  forgetRecording();
  finishRecovery(int(steps_.size()));
}

void EngineSession::saveCrashReproducer(const QString &path, QObject *context,
                                        std::function<void(const QString &)> done, EngineClient::Failed failed) {
  if (!lastCrash_ || !lastCrash_->step) {
    failed({0, tr("No step has crashed"), {}});
    return;
  }
  client_.call<method::WriteReproducer>(
      {.pipeline = lastCrash_->step->pipeline, .step = lastCrash_->step->index, .path = path}, context,
      [done = std::move(done)](const protocol::WrittenFile &file) { done(file.path); }, std::move(failed));
}

} // namespace fuselage
