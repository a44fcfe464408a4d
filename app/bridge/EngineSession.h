// One document in one engine: what was opened and recorded, and how to get it back after a crash.
#pragma once
#include "app/bridge/EngineClient.h"
#include "views/messages/FusionTypes.h"
#include "views/messages/KernelTypes.h"
#include "views/messages/LinkTypes.h"
#include "views/messages/Requests.h"
#include "views/messages/RunTypes.h"
#include <QElapsedTimer>
#include <QSet>
#include <QTimer>
#include <optional>

namespace fuselage {

/// What to fuse, as fusion/fuse takes it: an edge, a pipeline, or everything.
struct FuseRequest {
  enum class What { Edge, All, CleanUp, Pipeline } what = What::Edge;
  int snapshot = 0;
  QString policy = QStringLiteral("aggressive");
  qint64 from = -1, to = -1;
  int operand = -1;
  bool onlyThere = false; ///< of equal edges this one alone
  QString pipeline{};
  QString device{};      ///< to measure a goal on; empty: what pays is predicted
  bool isChecked = true; ///< as far as that is quick
};

/// An engine that ended unasked, or was ended by the user because it hung.
struct CrashReport {
  EngineExit exit;
  bool cancelled = false;                    ///< the user ended it
  std::optional<protocol::StepStarted> step; ///< the step that was running
  QString activity;                          ///< "recording", "running kernels", "drawing the graph", or empty
  bool wasRunning = false;                   ///< kernels
  int goodSteps = 0;                         ///< steps that will be back after the restart
  QString document;
};

/// Keeps an engine alive and remembers what it held. Lives on the window's thread.
class EngineSession : public QObject {
  Q_OBJECT
public:
  enum class State { Stopped, Starting, Ready, Opening, Recording, Fusing, Running, Restarting, Dead };
  Q_ENUM(State)

  explicit EngineSession(QStringList command, QObject *parent = nullptr);

  EngineClient &client() { return client_; }
  const QStringList &command() const { return command_; }
  void setCommand(const QStringList &command) { command_ = command; }
  /// Where the engine runs from its next start on: the name of a host, or nothing for here, and its command.
  void setPlace(const QString &host, const QStringList &command);
  const QString &place() const { return place_; }
  /// What follows the command at the next start, such as plugins to load.
  const QStringList &arguments() const { return arguments_; }
  void setArguments(const QStringList &arguments) { arguments_ = arguments; }

  /// Starts the engine and, where there is one, opens the document again.
  void start();
  /// Opens a file; what is open stays open unless the engine could read it.
  void open(const QString &path);
  void record(const RecordRequest &request);
  /// Runs another compiler on a file, and opens its passes as a log that grows while it runs.
  void runTool(const QString &path, const QString &command);
  /// Ends it; what it printed so far stays.
  void stopTool();
  bool isToolRunning() const { return toolTimer_.isActive(); }
  void run(const RunRequest &request);
  /// Fuses after a snapshot, in place of the steps that were there. A search for all that pays that is cancelled leaves
  /// what it has found, which is fused without a check.
  void fuse(const FuseRequest &request);
  /// Back to the recording before the last fusion, and forth again.
  void undoFusion();
  void redoFusion();
  /// Stops what goes on, by asking. An engine that does not stop at once is ended, unless somebody holds it, and
  /// restarts; what the window has of a run or a recording stays.
  void cancel();
  /// While anything holds the engine, such as a search that it goes on with beside others, cancel() gives it more time.
  void hold(const QString &what, bool holds);
  /// Ends an engine that does not stop where it was asked to; it restarts, as if cancel() had ended it.
  void endEngine();
  /// Writes the IR before the step that crashed last, with the pipeline that repeats it.
  void saveCrashReproducer(const QString &path, QObject *context, std::function<void(const QString &)> done,
                           EngineClient::Failed failed);

  State state() const { return state_; }
  bool isBusy() const;
  const protocol::Document &document() const { return document_; }
  bool hasDocument() const { return !document_.path.isEmpty(); }
  /// Of the file that is being opened; empty: none is.
  const QString &openingPath() const { return openingPath_; }
  /// The steps of the last recording; of a log, until something is recorded from it, its own.
  const QList<protocol::Step> &steps() const { return steps_; }
  bool showsLog() const { return document_.log && !hasRecorded_; }
  const RecordRequest &recordRequest() const { return recorded_; }
  int undoLevels() const { return undo_; }
  int redoLevels() const { return redo_; }
  /// Steps at the front that stay when something is recorded: those up to the last fusion.
  int keptSteps() const { return kept_; }
  /// Spells what the program is that run() runs: equal where it is the same.
  QString programKey() const;
  /// The same of a snapshot: equal where the same steps led to it.
  QString programKey(int snapshot) const;
  const std::optional<CrashReport> &lastCrash() const { return lastCrash_; }
  const protocol::Initialized &engineInfo() const { return info_; }

  static QString stateText(State state);

signals:
  void stateChanged(fuselage::EngineSession::State state);
  void initialized(const fuselage::protocol::Initialized &info);
  /// Another one is about to be asked for: the last moment to ask for anything of the one that is open.
  void documentLeft();
  void opened(const fuselage::protocol::Document &document);
  void openFailed(const QString &path, const fuselage::protocol::Error &error);
  /// The first step of a new recording is about to run: the old recording is void.
  void recordingStarted();
  void stepStarted(const fuselage::protocol::StepStarted &step);
  void stepFinished(const fuselage::protocol::Step &step);
  void recorded(const fuselage::protocol::Recording &recording);
  void recordFailed(const fuselage::protocol::Error &error);
  void toolFailed(const fuselage::protocol::Error &error);
  /// Its log has grown; new steps have come by stepFinished() before, unless all were replaced.
  void toolProgressed(const fuselage::protocol::ToolProgress &progress);
  /// Steps that were shown are others now.
  void toolStepsReplaced();
  void fuseProgress(const fuselage::protocol::FuseProgress &progress);
  /// Where `fused` is false, nothing has changed.
  void fused(const fuselage::protocol::FuseResult &result);
  void fuseFailed(const fuselage::protocol::Error &error);
  /// Undone or done again: the steps are others. `snapshot` is where the fusion begins, or where it led.
  void historyMoved(int snapshot);
  void runProgress(const fuselage::protocol::RunProgress &progress);
  /// Of a check for races.
  void kernelProgress(const fuselage::protocol::KernelProgress &progress);
  /// Where a search for what is to blame is.
  void blameProgress(const QString &where);
  void runFinished(const fuselage::protocol::RunReport &report);
  void runFailed(const fuselage::protocol::Error &error);
  void crashed(const fuselage::CrashReport &report);
  /// Document and good steps are back.
  void recovered(int steps);
  void gaveUp(const QString &reason);
  void logged(const QString &line);
  void placeChanged();
  /// Of an engine on another machine.
  void linkChanged(const fuselage::protocol::LinkState &link);
  /// What the engine is at while it opens or draws: "reading", "graph", "layout".
  void progressed(const QString &phase);

private:
  void setState(State state);
  void takeDocument(const protocol::Document &document);
  void pollTool();
  void takeToolProgress(const protocol::ToolProgress &progress);
  void launch();
  void sendOpen(bool isExpendable);
  void handleNotification(const QString &method, const QJsonObject &params);
  void handleExit(const EngineExit &exit);
  void sendRecord(const RecordRequest &request, int limit);
  void recover();
  void reopenAndRecord(int steps);
  bool wantsReplay(int steps) const;
  void finishRecovery(int steps);
  void forgetRecording();
  void dropToDocument();
  void noteRecord(const RecordRequest &request, int limit = -1);
  template <class Method> void moveInHistory();
  void setHistory(const protocol::FusionHistory &history);
  void forgetHistory();
  void replay(qsizetype next);
  void stepBack(qsizetype fusions);
  /// After a search was cancelled; false: it had found nothing.
  bool fuseFound();

  /// A recording or a fusion that led to the steps that there are.
  struct HistoryEntry {
    RecordRequest record{};
    FuseRequest fuse{};
    bool isFusion = false;
    int limit = -1; ///< steps that a recording got to before it was stopped; -1: to its end
  };

  EngineClient client_;
  QStringList command_, arguments_;
  QString place_;
  QString linkText_; ///< why there is no engine, as the link to it says; empty: there may be one
  State state_ = State::Stopped;
  protocol::Initialized info_;
  protocol::Document document_;
  QString openingPath_;
  quint64 asked_ = 0;  ///< the run or the fusion that goes on, for cancel()
  QString fusingPass_; ///< that the search or the recording is at
  FuseRequest found_;  ///< what a search for all that pays has found so far; without a pipeline, nothing
  RecordRequest recorded_, recording_;
  QList<protocol::Step> steps_;
  QList<HistoryEntry> done_, undone_; ///< of `undone_`, the last is done again first
  int kept_ = 0, undo_ = 0, redo_ = 0;
  int recordings_ = 0; ///< so far: a schedule may have changed between two
  std::optional<protocol::StepStarted> runningStep_;
  std::optional<CrashReport> lastCrash_;
  QElapsedTimer sinceLaunch_;
  QTimer cancelGrace_;
  QSet<QString> holds_;
  QTimer toolTimer_; ///< active while a tool runs
  bool firstStepSeen_ = false;
  bool hasRecorded_ = false;
  bool userEnded_ = false;
  bool isExpendable_ = false; ///< the engine may die of the file that it is opening
  int failedRecoveries_ = 0;
};

/// Words of a command line, with single and double quotes as a shell reads them.
QStringList splitCommand(const QString &line);
/// `fuselage serve`: next to this program, else from PATH.
QStringList defaultEngineCommand();

} // namespace fuselage
