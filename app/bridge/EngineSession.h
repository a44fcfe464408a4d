// One document in one engine: what was opened and recorded, and how to get it back after a crash.
#pragma once
#include "app/bridge/EngineClient.h"
#include <QElapsedTimer>
#include <QTimer>
#include <optional>

namespace fuselage {

/// What to record: a textual pipeline, or a transform script; both empty: the default pipeline.
struct RecordRequest {
  QString pipeline;
  QString schedule;
  QString target; ///< "spirv" or "ptx"; empty: the engine's default
  int from = -1;  ///< snapshot of the opened log to start at; -1: where the last recording started
};

/// What to run, as run/start takes it.
struct RunRequest {
  QString device = QStringLiteral("host");
  int repeat = 20;
  int warmup = 3;
  qint64 seed = 1;
  QMap<QString, qint64> sizes;
  QString function;
};

/// An engine that ended unasked, or was ended by the user because it hung.
struct CrashReport {
  EngineExit exit;
  bool cancelled = false;                    ///< the user ended it
  std::optional<protocol::StepStarted> step; ///< the step that was running
  QString activity;                          ///< "opening", "recording", "running kernels", or empty
  int goodSteps = 0;                         ///< steps that will be back after the restart
  QString document;
};

/// Keeps an engine alive and remembers what it held. Lives on the window's thread.
class EngineSession : public QObject {
  Q_OBJECT
public:
  enum class State { Stopped, Starting, Ready, Opening, Recording, Running, Restarting, Dead };
  Q_ENUM(State)

  explicit EngineSession(QStringList command, QObject *parent = nullptr);

  EngineClient &client() { return client_; }
  const QStringList &command() const { return command_; }
  void setCommand(const QStringList &command) { command_ = command; }

  /// Starts the engine and, where there is one, opens the document again.
  void start();
  /// Opens a file; what is open stays open unless the engine could read it.
  void open(const QString &path);
  void record(const RecordRequest &request);
  void run(const RunRequest &request);
  /// Stops what goes on: a run by asking, a recording by ending the engine, which then restarts.
  void cancel();
  /// Writes the IR in front of the step that crashed last, with the pipeline that repeats it.
  void saveCrashReproducer(const QString &path, QObject *context, std::function<void(const QString &)> done,
                           EngineClient::Failed failed);

  State state() const { return state_; }
  bool isBusy() const;
  const protocol::Document &document() const { return document_; }
  bool hasDocument() const { return !document_.path.isEmpty(); }
  /// The steps of the last recording; of a log, until something is recorded from it, its own.
  const QList<protocol::Step> &steps() const { return steps_; }
  bool showsLog() const { return document_.log && !hasRecorded_; }
  const RecordRequest &recordRequest() const { return recorded_; }
  const std::optional<CrashReport> &lastCrash() const { return lastCrash_; }
  const protocol::Initialized &engineInfo() const { return info_; }

  static QString stateText(State state);

signals:
  void stateChanged(fuselage::EngineSession::State state);
  void initialized(const fuselage::protocol::Initialized &info);
  void opened(const fuselage::protocol::Document &document);
  void openFailed(const QString &path, const fuselage::protocol::Error &error);
  /// The first step of a new recording is about to run: the old recording is void.
  void recordingStarted();
  void stepStarted(const fuselage::protocol::StepStarted &step);
  void stepFinished(const fuselage::protocol::Step &step);
  void recorded(const fuselage::protocol::Recording &recording);
  void recordFailed(const fuselage::protocol::Error &error);
  void runProgress(const fuselage::protocol::RunProgress &progress);
  void runFinished(const fuselage::protocol::RunReport &report);
  void runFailed(const fuselage::protocol::Error &error);
  void crashed(const fuselage::CrashReport &report);
  /// Document and good steps are back.
  void recovered(int steps);
  void gaveUp(const QString &reason);
  void logged(const QString &line);
  /// What the engine is at while it opens or draws: "reading", "graph", "layout".
  void progressed(const QString &phase);

private:
  void setState(State state);
  void launch();
  void handleNotification(const QString &method, const QJsonObject &params);
  void handleExit(const EngineExit &exit);
  void sendRecord(const RecordRequest &request, int limit);
  void recover();
  void reopenAndRecord(int steps);
  void finishRecovery(int steps);
  void forgetRecording();
  void dropToDocument();

  EngineClient client_;
  QStringList command_;
  State state_ = State::Stopped;
  protocol::Initialized info_;
  protocol::Document document_;
  QString openingPath_;
  RecordRequest recorded_, recording_;
  QList<protocol::Step> steps_;
  std::optional<protocol::StepStarted> runningStep_;
  std::optional<CrashReport> lastCrash_;
  QElapsedTimer sinceLaunch_;
  QTimer cancelGrace_;
  bool firstStepSeen_ = false;
  bool hasRecorded_ = false;
  bool userEnded_ = false;
  int failedRecoveries_ = 0;
};

/// Words of a command line, with single and double quotes as a shell reads them.
QStringList splitCommand(const QString &line);
/// `fuselage serve`: next to this program, else from PATH.
QStringList defaultEngineCommand();

} // namespace fuselage
