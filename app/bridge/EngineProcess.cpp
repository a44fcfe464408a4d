#include "app/bridge/EngineProcess.h"
#include "app/bridge/MessageReader.h"
#include <QJsonDocument>
#include <QProcess>
#include <QProcessEnvironment>
#include <csignal>

using namespace Qt::StringLiterals;

namespace fuselage {

QString signalName(int signal) {
  switch (signal) {
  case SIGABRT:
    return u"SIGABRT"_s;
  case SIGBUS:
    return u"SIGBUS"_s;
  case SIGFPE:
    return u"SIGFPE"_s;
  case SIGHUP:
    return u"SIGHUP"_s;
  case SIGILL:
    return u"SIGILL"_s;
  case SIGINT:
    return u"SIGINT"_s;
  case SIGKILL:
    return u"SIGKILL"_s;
  case SIGPIPE:
    return u"SIGPIPE"_s;
  case SIGSEGV:
    return u"SIGSEGV"_s;
  case SIGTERM:
    return u"SIGTERM"_s;
  case SIGTRAP:
    return u"SIGTRAP"_s;
  case SIGXCPU:
    return u"SIGXCPU"_s;
  default:
    return u"signal %1"_s.arg(signal);
  }
}

QString EngineExit::reason() const { return signal > 0 ? signalName(signal) : u"exit code %1"_s.arg(exitCode); }

/// The engine's heap has large pages where the kernel gives them to whoever asks: of 100,000 ops, touching fresh memory
/// page by page took a twentieth of the time to the graph. What the user has set stays.
static QProcessEnvironment engineEnvironment() {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  const QString tunables = u"GLIBC_TUNABLES"_s;
  if (!environment.contains(tunables))
    environment.insert(tunables, u"glibc.malloc.hugetlb=1"_s);
  return environment;
}

EngineProcess::EngineProcess(QObject *parent) : QObject(parent) {}

EngineProcess::~EngineProcess() { close(); }

void EngineProcess::launch(int generation, const QStringList &command, int graceMs) {
  close();
  generation_ = generation;
  graceMs_ = graceMs;
  ending_ = false;
  framer_.clear();
  decoders_.clear();
  prefetches_.clear();
  dropReplies();
  logTail_.clear();
  if (command.isEmpty()) {
    emit launchFailed(generation, u"the engine's command line is empty"_s);
    return;
  }
  process_ = new QProcess(this);
  connect(process_, &QProcess::readyReadStandardOutput, this, &EngineProcess::readMessages);
  connect(process_, &QProcess::readyReadStandardError, this, &EngineProcess::readLog);
  connect(process_, &QProcess::finished, this,
          [this](int code, QProcess::ExitStatus status) { ended(code, status == QProcess::CrashExit); });
  connect(process_, &QProcess::started, this, [this] { emit launched(generation_, process_->processId()); });
  connect(process_, &QProcess::errorOccurred, this, [this, command](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      emit launchFailed(generation_, u"cannot start '%1': %2"_s.arg(command.join(u' '), process_->errorString()));
  });
  process_->setProcessEnvironment(engineEnvironment());
  process_->start(command.first(), command.mid(1));
}

void EngineProcess::send(quint64 id, const QByteArray &payload, Decoder decoder, const QByteArray &key) {
  if (!process_)
    return;
  if (!key.isEmpty() && answerFromCache(id, payload, decoder, key))
    return;
  decoders_.insert(id, std::move(decoder));
  if (!key.isEmpty())
    keys_.insert(id, key);
  notify(payload);
}

static QByteArray about(const char *method, quint64 id) {
  return "{\"jsonrpc\":\"2.0\",\"method\":\"" + QByteArray(method) + "\",\"params\":{\"id\":" + QByteArray::number(id) +
         "}}";
}

/// Or from a reply that is on its way.
bool EngineProcess::answerFromCache(quint64 id, const QByteArray &payload, Decoder &decoder, const QByteArray &key) {
  if (const QJsonObject *reply = replies_.find(key)) {
    EngineReply answer;
    answer.value = decoder(*reply);
    emit replied(generation_, id, answer);
    return true;
  }
  for (auto it = prefetches_.begin(); it != prefetches_.end(); ++it)
    if (it->key == key && !it->isCalledOff && !it->isStale) {
      if (it->waiting.isEmpty())
        notify(about("$/hasten", it.key()));
      it->waiting.append({id, payload, std::move(decoder)});
      return true;
    }
  return false;
}

bool EngineProcess::isUnderWay(const QByteArray &key) const {
  return std::any_of(prefetches_.cbegin(), prefetches_.cend(),
                     [&](const Prefetch &each) { return each.key == key && !each.isCalledOff && !each.isStale; });
}

void EngineProcess::prefetch(const QList<Ahead> &wanted) {
  QSet<QByteArray> keys;
  for (const Ahead &each : wanted)
    keys.insert(each.key);
  for (auto it = prefetches_.begin(); it != prefetches_.end(); ++it)
    if (!it->isCalledOff && it->waiting.isEmpty() && !keys.contains(it->key)) {
      it->isCalledOff = true;
      notify(about("$/cancel", it.key()));
    }
  for (const Ahead &each : wanted)
    if (!process_ || isUnderWay(each.key) || replies_.find(each.key)) {
      emit replied(generation_, each.id, {});
    } else {
      prefetches_.insert(each.id, {.key = each.key});
      notify(each.payload);
    }
}

void EngineProcess::dropReplies() {
  replies_.clear();
  keys_.clear();
  for (Prefetch &prefetch : prefetches_)
    prefetch.isStale = true;
}

void EngineProcess::takePrefetched(quint64 id, const QJsonObject &reply, qsizetype bytes) {
  const Prefetch prefetch = prefetches_.take(id);
  emit replied(generation_, id, {}); // it is under way no more
  if (const QJsonValue result = reply.value("result"_L1); result.isObject()) {
    if (!prefetch.isStale)
      replies_.insert(prefetch.key, result.toObject(), bytes);
    for (const Waiting &each : prefetch.waiting) {
      EngineReply answer;
      answer.value = each.decoder(result.toObject());
      emit replied(generation_, each.id, answer);
    }
  } else {
    for (const Waiting &each : prefetch.waiting) // the one who asks hears why
      send(each.id, each.payload, each.decoder);
  }
}

void EngineProcess::notify(const QByteArray &payload) {
  if (process_ && process_->state() != QProcess::NotRunning)
    process_->write(MessageFramer::frame(payload));
}

void EngineProcess::readMessages() {
  framer_.append(process_->readAllStandardOutput());
  while (const std::optional<QByteArray> message = framer_.next())
    handle(*message);
  const QByteArray noise = framer_.takeNoise();
  for (const QByteArray &line : noise.split('\n'))
    if (!line.isEmpty())
      emit logged(QString::fromUtf8(line));
}

/// Decodes a reply here, so that the window's thread never sees the JSON.
void EngineProcess::handle(const QByteArray &message) {
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(message, &problem);
  if (!document.isObject()) {
    emit logged(u"the engine sent what is no JSON object: %1"_s.arg(problem.errorString()));
    return;
  }
  const QJsonObject object = document.object();
  if (object.contains("method"_L1)) {
    emit notified(generation_, object.value("method"_L1).toString(), object.value("params"_L1).toObject());
    return;
  }
  const QJsonValue idValue = object.value("id"_L1);
  const quint64 id = idValue.isString() ? idValue.toString().toULongLong() : quint64(idValue.toInteger());
  if (prefetches_.contains(id))
    return takePrefetched(id, object, message.size());
  EngineReply reply;
  const QByteArray key = keys_.take(id);
  if (!key.isEmpty() && object.value("result"_L1).isObject())
    replies_.insert(key, object.value("result"_L1).toObject(), message.size());
  const Decoder decoder = decoders_.take(id);
  if (object.contains("error"_L1))
    decode(object.value("error"_L1).toObject(), reply.error);
  else if (decoder)
    reply.value = decoder(object.value("result"_L1).toObject());
  emit replied(generation_, id, reply);
}

/// "7  libMLIR.so.22.1 0x00007f52 mlir::Pass::run() + 12", as LLVM prints it.
static bool isFrame(const QString &line) {
  static const QRegularExpression frame(u"^\\d+ +\\S+ +0x[0-9a-f]{8}"_s);
  return frame.match(line).hasMatch();
}

/// The frames below the signal handler, which are those of the crash.
static QStringList withoutHandler(const QStringList &frames) {
  constexpr qsizetype handlerFrames = 5;
  for (qsizetype i = 0; i < std::min(handlerFrames, frames.size()); ++i)
    if (frames[i].contains(" libc.so"_L1)) { // where the kernel came back to
      QStringList below;
      for (const QString &frame : frames.mid(i + 1))
        below.append(QString::number(below.size()).leftJustified(3) + frame.mid(frame.indexOf(u' ')).trimmed());
      return below;
    }
  return frames;
}

void EngineProcess::readLog() {
  logTail_ += process_->readAllStandardError();
  for (;;) {
    const qsizetype end = logTail_.indexOf('\n');
    if (end < 0)
      return;
    const QString line = QString::fromUtf8(logTail_.first(end));
    if (isFrame(line))
      frames_.append(line.trimmed());
    emit logged(line);
    logTail_.remove(0, end + 1);
  }
}

void EngineProcess::ended(int exitCode, bool bySignal) {
  readMessages();
  readLog();
  if (!logTail_.isEmpty())
    emit logged(QString::fromUtf8(std::exchange(logTail_, {})));
  EngineExit exit;
  exit.exitCode = exitCode;
  // A shell or ssh in between reports the signal as 128 + n.
  exit.signal = bySignal ? exitCode : exitCode > 128 && exitCode < 128 + 32 ? exitCode - 128 : 0;
  exit.crashed = !ending_;
  exit.stack = withoutHandler(std::exchange(frames_, {}));
  process_->deleteLater();
  process_ = nullptr;
  emit exited(generation_, exit);
}

void EngineProcess::kill() {
  ending_ = true;
  if (process_)
    process_->kill();
}

void EngineProcess::close() {
  if (!process_)
    return;
  ending_ = true;
  QProcess *process = process_;
  process->disconnect(this);
  process->closeWriteChannel();
  if (!process->waitForFinished(graceMs_)) {
    process->kill();
    process->waitForFinished(2000);
  }
  delete process;
  process_ = nullptr;
}

} // namespace fuselage
