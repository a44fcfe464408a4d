// The engine's process and the parsing of what it says, on a thread of its own.
#pragma once
#include "app/bridge/MessageFramer.h"
#include "app/bridge/ReplyCache.h"
#include "views/messages/DocumentTypes.h"
#include <QHash>
#include <QObject>
#include <functional>
#include <memory>

class QProcess;

namespace fuselage {

/// How the engine ended.
struct EngineExit {
  bool crashed = false; ///< by a signal, or unasked
  int signal = 0;       ///< 0: none
  int exitCode = 0;
  QString request;   ///< method of the request that it was answering; empty: none
  QStringList stack; ///< frames as it printed them when it crashed, the innermost first
  /// "SIGSEGV", "exit code 3".
  QString reason() const;
};

/// "SIGSEGV" for 11; "signal 99" for one without a name.
QString signalName(int signal);

/// A reply, decoded on the transport thread.
struct EngineReply {
  std::shared_ptr<void> value; ///< null on an error
  protocol::Error error;
};

/// Runs on the transport thread; EngineClient is its only user. Signals carry the number of the
/// launch they belong to, so that words of a dead engine are told from those of its successor.
class EngineProcess : public QObject {
  Q_OBJECT
public:
  using Decoder = std::function<std::shared_ptr<void>(const QJsonObject &)>;

  explicit EngineProcess(QObject *parent = nullptr);
  ~EngineProcess() override;

  /// How long an engine may take to end when it is asked to.
  static constexpr int shortGraceMs = 300;
  /// `graceMs`: of this one.
  void launch(int generation, const QStringList &command, int graceMs = shortGraceMs);
  /// `key`: what the same reply comes for again (ReplyCache); empty: it may be another one each time.
  void send(quint64 id, const QByteArray &payload, Decoder decoder, const QByteArray &key = {});
  /// A request that nobody waits for yet.
  struct Ahead {
    quint64 id;
    QByteArray payload, key;
  };
  /// Asks for replies that are kept until send() wants them, and for no others any more: those of the last time that
  /// are not among these are called off. All of them are over, for the client, once they are replied to.
  void prefetch(const QList<Ahead> &wanted);
  /// Forgets replies that were kept.
  void dropReplies();
  void notify(const QByteArray &payload);
  /// SIGKILL; `exited` follows with `crashed` false.
  void kill();
  /// Asks the engine to end, kills it after a short while; returns when it is gone.
  void close();

signals:
  void launched(int generation, qint64 pid);
  void launchFailed(int generation, const QString &reason);
  void replied(int generation, quint64 id, const fuselage::EngineReply &reply);
  void notified(int generation, const QString &method, const QJsonObject &params);
  void logged(const QString &line);
  void exited(int generation, const fuselage::EngineExit &exit);

private:
  void readMessages();
  void readLog();
  void handle(const QByteArray &message);
  bool answerFromCache(quint64 id, const QByteArray &payload, Decoder &decoder, const QByteArray &key);
  void takePrefetched(quint64 id, const QJsonObject &reply, qsizetype bytes);
  bool isUnderWay(const QByteArray &key) const;
  void ended(int exitCode, bool bySignal);

  QProcess *process_ = nullptr;
  MessageFramer framer_;
  /// A request that waits for a reply that was asked for ahead.
  struct Waiting {
    quint64 id;
    QByteArray payload;
    Decoder decoder;
  };
  struct Prefetch {
    QByteArray key;
    bool isCalledOff = false;
    bool isStale = false; ///< what it asked about is another by now
    QList<Waiting> waiting{};
  };

  QHash<quint64, Decoder> decoders_;
  QHash<quint64, QByteArray> keys_; ///< of requests whose replies are kept
  QHash<quint64, Prefetch> prefetches_;
  ReplyCache replies_;
  QByteArray logTail_;
  QStringList frames_; ///< of a stack in the log
  int generation_ = 0;
  int graceMs_ = shortGraceMs;
  bool ending_ = false; ///< we asked for it
};

} // namespace fuselage

Q_DECLARE_METATYPE(fuselage::EngineReply)
Q_DECLARE_METATYPE(fuselage::EngineExit)
