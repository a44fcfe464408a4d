#include "app/bridge/EngineClient.h"
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace fuselage {

static QByteArray message(const QString &method, const QJsonObject &params, quint64 id) {
  QJsonObject object{{u"jsonrpc"_s, u"2.0"_s}, {u"method"_s, method}, {u"params"_s, params}};
  if (id)
    object.insert("id"_L1, qint64(id));
  return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

EngineClient::EngineClient(QObject *parent) : QObject(parent), process_(new EngineProcess) {
  qRegisterMetaType<EngineReply>();
  qRegisterMetaType<EngineExit>();
  thread_.setObjectName("engine transport"_L1);
  process_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, process_, &QObject::deleteLater);
  connect(process_, &EngineProcess::launched, this, [this](int generation, qint64 pid) {
    if (generation != generation_)
      return;
    pid_ = pid;
    emit launched(pid);
  });
  connect(process_, &EngineProcess::launchFailed, this, [this](int generation, const QString &reason) {
    if (generation != generation_)
      return;
    running_ = false;
    failAll(reason);
    emit launchFailed(reason);
  });
  connect(process_, &EngineProcess::replied, this, [this](int generation, quint64 id, const EngineReply &reply) {
    if (generation == generation_)
      deliver(id, reply);
  });
  connect(process_, &EngineProcess::notified, this,
          [this](int generation, const QString &method, const QJsonObject &params) {
            if (generation == generation_)
              emit notified(method, params);
          });
  connect(process_, &EngineProcess::logged, this, &EngineClient::logged);
  connect(process_, &EngineProcess::exited, this, [this](int generation, const EngineExit &exit) {
    if (generation != generation_)
      return;
    running_ = false;
    pid_ = 0;
    failAll(u"the engine ended (%1)"_s.arg(exit.reason()));
    emit exited(exit);
  });
  thread_.start();
}

EngineClient::~EngineClient() {
  pending_.clear();
  thread_.quit(); // the process object closes the engine as it goes
  thread_.wait();
}

void EngineClient::start(const QStringList &command) {
  failAll(u"the engine was started anew"_s);
  ++generation_;
  running_ = true;
  QMetaObject::invokeMethod(process_, [process = process_, generation = generation_, command] {
    process->launch(generation, command);
  });
}

void EngineClient::kill() {
  QMetaObject::invokeMethod(process_, [process = process_] { process->kill(); });
}

void EngineClient::cancel() {
  QMetaObject::invokeMethod(process_, [process = process_] { process->notify(message(u"$/cancel"_s, {}, 0)); });
}

quint64 EngineClient::send(const QString &method, QJsonObject params, const QString &tag, Pending pending,
                           EngineProcess::Decoder decoder) {
  if (!tag.isEmpty()) {
    params.insert("tag"_L1, tag);
    pending_.removeIf([&](const auto &item) { return item->method == method && item->tag == tag; });
  }
  const quint64 id = nextId_++;
  pending_.insert(id, std::move(pending));
  if (!running_) {
    QMetaObject::invokeMethod(
        this,
        [this, id] {
          deliver(id, {.value = {}, .error = {protocol::Error::EngineGone, u"the engine is not running"_s, {}}});
        },
        Qt::QueuedConnection);
    return id;
  }
  QMetaObject::invokeMethod(process_, [process = process_, id, method, params, decoder = std::move(decoder)] {
    process->send(id, message(method, params, id), decoder);
  });
  return id;
}

void EngineClient::deliver(quint64 id, const EngineReply &reply) {
  const auto it = pending_.constFind(id);
  if (it == pending_.cend())
    return;
  const Pending pending = *it;
  pending_.erase(it);
  if (!pending.context)
    return;
  if (reply.value)
    pending.done(reply.value);
  else if (pending.failed)
    pending.failed(reply.error);
}

void EngineClient::failAll(const QString &reason) {
  const auto pending = std::exchange(pending_, {});
  for (const Pending &request : pending)
    if (request.context && request.failed)
      request.failed({protocol::Error::EngineGone, reason, {}});
}

} // namespace fuselage
