// Typed requests to the engine, answered on the caller's thread.
#pragma once
#include "app/bridge/EngineProcess.h"
#include "app/bridge/MessageReader.h"
#include "app/bridge/RequestWriter.h"
#include <QHash>
#include <QPointer>
#include <QThread>
#include <type_traits>

namespace fuselage {

/// Speaks the protocol with one engine process at a time. Callbacks arrive through the event loop
/// of the thread that owns the client, never from inside call(); they are dropped with their
/// context object. A request that ended the engine twice is not sent again: whoever shows a view asks
/// for the same once more after each restart.
class EngineClient : public QObject {
  Q_OBJECT
public:
  explicit EngineClient(QObject *parent = nullptr);
  ~EngineClient() override;

  /// Starts an engine by a command line, e.g. {"ssh", "host", "fuselage", "serve"}; a running one
  /// is ended first. Requests may be sent at once. `graceMs`: how long it may take to end when it is asked to.
  void start(const QStringList &command, int graceMs = EngineProcess::shortGraceMs);
  /// Ends the engine now, whatever it does. Requests under way fail with EngineGone.
  void kill();
  bool isRunning() const { return running_; }
  qint64 processId() const { return pid_; }

  template <class T> using Done = std::function<void(const T &)>;
  using Failed = std::function<void(const protocol::Error &)>;

  /// Sends a request to a method of core/protocol/methods. `Reply`, where it is not the method's own, is a message, or
  /// a type with a decode(). A `tag` replaces an earlier request of the same method and tag, whose callbacks are then
  /// never called.
  template <class Method, class Reply = method::ReplyOf<Method, protocol::QtTypes>>
  quint64 call(const protocol::Request<Method> &request, QObject *context, std::type_identity_t<Done<Reply>> done,
               Failed failed = {}, const QString &tag = {}) {
    auto decoder = [](const QJsonObject &json) -> std::shared_ptr<void> {
      auto value = std::make_shared<Reply>();
      decode(json, *value);
      return value;
    };
    auto deliver = [done = std::move(done)](const std::shared_ptr<void> &value) {
      if (done)
        done(*std::static_pointer_cast<Reply>(value));
    };
    const QString method = QString::fromLatin1(Method::name);
    return send(method, parametersOf(request), tag,
                Pending{.context = context, .method = method, .tag = tag, .done = deliver, .failed = std::move(failed)},
                decoder);
  }

  /// Says something that has no answer.
  void notify(const QString &method);
  /// Keeps the replies of pure methods (ReplyCache), for engines that are far away.
  void setCaching(bool isOn);
  /// Asks ahead, in this order: a later call() of the same has its reply at once. The engine answers what waits
  /// first. What was asked ahead before and is not among these is called off.
  void prefetch(const QList<std::pair<QString, QJsonObject>> &questions);
  /// Asks a request to stop where it can; does nothing once it is over.
  void cancel(quint64 id);
  /// Somebody asks anew by hand: crashes of this method, or of all, count no more.
  template <class Method> void forgive() { forgive(QLatin1StringView(Method::name)); }
  void forgiveAll() { crashes_.clear(); }
  /// Forgets a request: its callbacks will not be called.
  void forget(quint64 id) { pending_.remove(id); }
  int pendingRequests() const { return int(pending_.size()); }
  /// A request is under way after which replies that were kept are void.
  bool isChanging() const;

signals:
  void launched(qint64 pid);
  void launchFailed(const QString &reason);
  void notified(const QString &method, const QJsonObject &params);
  void logged(const QString &line);
  /// While replies are kept: of each request, without its tag.
  void asked(const QString &method, const QJsonObject &params);
  /// After the callbacks of all requests under way have been told.
  void exited(const fuselage::EngineExit &exit);

private:
  struct Pending {
    QPointer<QObject> context;
    QString method;
    QString tag;
    std::function<void(const std::shared_ptr<void> &)> done;
    Failed failed;
  };
  void forgive(QLatin1StringView method);
  quint64 send(const QString &method, QJsonObject params, const QString &tag, Pending pending,
               EngineProcess::Decoder decoder);
  void deliver(quint64 id, const EngineReply &reply);
  void failAll(const QString &reason);
  void failLater(quint64 id, const protocol::Error &error);
  void noteCrash(EngineExit &exit);

  /// A request on its way, also where nobody waits for the answer any more.
  struct Sent {
    quint64 id;
    QString method;
    QByteArray params;
    bool isAhead = false;
  };
  /// What is the same when it is asked for again.
  using Question = QPair<QString, QByteArray>;
  struct Crashes {
    int count = 0;
    QString reason;
  };

  QThread thread_;
  EngineProcess *process_;
  QHash<quint64, Pending> pending_;
  QList<Sent> sent_; ///< unanswered, in order: the engine is at the first, or at one of those that are asked ahead
  QHash<Question, Crashes> crashes_;
  quint64 nextId_ = 1;
  int generation_ = 0;
  qint64 pid_ = 0;
  bool running_ = false;
  bool isCaching_ = false;
};

} // namespace fuselage
