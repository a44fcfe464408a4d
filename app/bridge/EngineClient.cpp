#include "app/bridge/EngineClient.h"
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// How often one request may end the engine before it is not sent any more.
static constexpr int mostCrashes = 2;

static QByteArray requestText(const QString &method, const QJsonObject &params, quint64 id) {
  QJsonObject object{{u"jsonrpc"_s, u"2.0"_s}, {u"method"_s, method}, {u"params"_s, params}};
  if (id)
    object.insert("id"_L1, qint64(id));
  return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

/// The same for requests that have the same reply; empty: there are none.
static QByteArray keyOf(const QString &method, const QJsonObject &params) {
  return isPure(method) ? method.toUtf8() + '\n' + QJsonDocument(params).toJson(QJsonDocument::Compact) : QByteArray();
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
    if (generation != generation_)
      return;
    sent_.removeIf([id](const Sent &sent) { return sent.id == id; });
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
    EngineExit told = exit;
    noteCrash(told);
    failAll(u"the engine ended (%1)"_s.arg(exit.reason()));
    emit exited(told);
  });
  thread_.start();
}

EngineClient::~EngineClient() {
  pending_.clear();
  thread_.quit(); // the process object closes the engine as it goes
  thread_.wait();
}

void EngineClient::start(const QStringList &command, int graceMs) {
  failAll(u"the engine was started anew"_s);
  sent_.clear();
  ++generation_;
  running_ = true;
  QMetaObject::invokeMethod(process_, [process = process_, generation = generation_, command, graceMs] {
    process->launch(generation, command, graceMs);
  });
}

void EngineClient::kill() {
  QMetaObject::invokeMethod(process_, [process = process_] { process->kill(); });
}

void EngineClient::cancel(quint64 id) {
  const bool isUnderWay = std::any_of(sent_.begin(), sent_.end(), [id](const Sent &sent) { return sent.id == id; });
  if (isUnderWay)
    QMetaObject::invokeMethod(process_, [process = process_, id] {
      process->notify(requestText(u"$/cancel"_s, {{u"id"_s, qint64(id)}}, 0));
    });
}

void EngineClient::notify(const QString &method) {
  if (running_)
    QMetaObject::invokeMethod(process_, [process = process_, method] { process->notify(requestText(method, {}, 0)); });
}

void EngineClient::setCaching(bool isOn) {
  isCaching_ = isOn;
  QMetaObject::invokeMethod(process_, [process = process_] { process->dropReplies(); });
}

void EngineClient::prefetch(const QList<std::pair<QString, QJsonObject>> &questions) {
  if (!running_ || !isCaching_)
    return;
  QList<EngineProcess::Ahead> wanted;
  for (const auto &[method, params] : questions) {
    const QByteArray key = keyOf(method, params);
    const QByteArray content = QJsonDocument(params).toJson(QJsonDocument::Compact);
    // What the engine has died of once is not asked for without need.
    if (key.isEmpty() || crashes_.contains({method, content}))
      continue;
    QJsonObject ahead = params;
    ahead.insert("ahead"_L1, true);
    wanted.append({nextId_++, requestText(method, ahead, nextId_ - 1), key});
    sent_.append({wanted.last().id, method, content, true});
  }
  QMetaObject::invokeMethod(process_, [process = process_, wanted] { process->prefetch(wanted); });
}

bool EngineClient::isChanging() const {
  return std::any_of(pending_.cbegin(), pending_.cend(),
                     [](const Pending &pending) { return !keepsReplies(pending.method); });
}

void EngineClient::forgive(QLatin1StringView method) {
  crashes_.removeIf([&](const auto &item) { return item.key().first == method; });
}

/// Of an engine that ended by itself: counts it for the request that it was at, and for all that it was asked ahead,
/// as it may have been at any of those.
void EngineClient::noteCrash(EngineExit &exit) {
  const QList<Sent> sent = std::exchange(sent_, {});
  if (!exit.crashed || sent.isEmpty())
    return;
  const auto first = std::find_if(sent.cbegin(), sent.cend(), [](const Sent &each) { return !each.isAhead; });
  exit.request = first == sent.cend() ? sent.first().method : first->method;
  for (auto it = sent.cbegin(); it != sent.cend(); ++it)
    if (it->isAhead || it == first) {
      Crashes &crashes = crashes_[{it->method, it->params}];
      ++crashes.count;
      crashes.reason = exit.reason();
    }
}

quint64 EngineClient::send(const QString &method, QJsonObject params, const QString &tag, Pending pending,
                           EngineProcess::Decoder decoder) {
  const QByteArray key = isCaching_ ? keyOf(method, params) : QByteArray();
  if (isCaching_)
    emit asked(method, params);
  if (isCaching_ && !keepsReplies(method))
    QMetaObject::invokeMethod(process_, [process = process_] { process->dropReplies(); });
  if (!tag.isEmpty()) {
    params.insert("tag"_L1, tag);
    pending_.removeIf([&](const auto &item) { return item->method == method && item->tag == tag; });
  }
  const quint64 id = nextId_++;
  pending_.insert(id, std::move(pending));
  if (!running_) {
    failLater(id, {protocol::Error::EngineGone, u"the engine is not running"_s, {}});
    return id;
  }
  const QByteArray content = QJsonDocument(params).toJson(QJsonDocument::Compact);
  if (const Crashes crashes = crashes_.value({method, content}); crashes.count >= mostCrashes) {
    failLater(id, {protocol::Error::Refused,
                   tr("the engine died %1 times (%2) answering %3; it is not asked again until the file is reloaded")
                       .arg(crashes.count)
                       .arg(crashes.reason, method),
                   {}});
    return id;
  }
  sent_.append({id, method, content});
  QMetaObject::invokeMethod(process_, [process = process_, id, method, params, key, decoder = std::move(decoder)] {
    process->send(id, requestText(method, params, id), decoder, key);
  });
  return id;
}

void EngineClient::failLater(quint64 id, const protocol::Error &error) {
  QMetaObject::invokeMethod(
      this, [this, id, error] { deliver(id, {.value = {}, .error = error}); }, Qt::QueuedConnection);
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
