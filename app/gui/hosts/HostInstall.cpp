#include "app/gui/hosts/HostInstall.h"
#include "app/gui/hosts/HostCommand.h"
#include <QJsonDocument>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace fuselage {

RemoteAction::RemoteAction(const QString &action, const QString &command, QObject *parent)
    : QObject(parent), process_(new QProcess(this)) {
  connect(process_, &QProcess::readyReadStandardOutput, this, [this] { read(/*isLast=*/false); });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      emit finished({}, tr("cannot start '%1': %2").arg(process_->program(), process_->errorString()));
  });
  connect(process_, &QProcess::finished, this, [this](int code) {
    read(/*isLast=*/true);
    const QString messages = QString::fromUtf8(process_->readAllStandardError()).trimmed();
    // An answer is one, whatever the exit code says about it.
    const QString problem = isCancelled_                      ? tr("cancelled")
                            : code == 0 || !answer_.isEmpty() ? QString()
                            : messages.isEmpty()              ? tr("it ended with exit code %1").arg(code)
                                                              : messages;
    emit finished(answer_, problem);
  });
  QStringList words = remoteCommand(action) + QStringList{u"--command"_s, command, u"--format"_s, u"json"_s};
  const QString program = words.takeFirst();
  process_->start(program, words);
  process_->closeWriteChannel();
}

RemoteAction::~RemoteAction() {
  process_->disconnect(this);
  process_->kill();
  process_->waitForFinished(1000);
}

void RemoteAction::cancel() {
  isCancelled_ = true;
  process_->terminate();
}

/// Progress is a line each; the answer is the last object, which may have several lines.
void RemoteAction::read(bool isLast) {
  output_ += process_->readAllStandardOutput();
  if (isLast) {
    const QJsonDocument whole = QJsonDocument::fromJson(output_);
    if (whole.isObject())
      answer_ = whole.object();
    output_ += '\n';
  }
  for (qsizetype end = output_.indexOf('\n'); end >= 0 && answer_.isEmpty(); end = output_.indexOf('\n')) {
    const QJsonObject line = QJsonDocument::fromJson(output_.first(end)).object();
    if (line.isEmpty())
      return; // the first line of several
    output_.remove(0, end + 1);
    if (line.contains("total"_L1))
      emit progressed(line["sent"_L1].toInteger(), line["total"_L1].toInteger());
    else
      answer_ = line;
  }
}

QString describeHost(const QJsonObject &answer) {
  const QString machine = u"%1, %2"_s.arg(answer["arch"_L1].toString(), answer["libc"_L1].toString());
  const QString engine = answer["engine"_L1].toString();
  if (engine == "ok"_L1)
    return QObject::tr("%1: the engine of this version is installed.").arg(machine);
  if (const QJsonObject onPath = answer["on_path"_L1].toObject(); onPath["is_used"_L1].toBool())
    return QObject::tr("%1: %2 on PATH there is of this version, and is used.")
        .arg(machine, onPath["path"_L1].toString());
  if (!answer["can_install"_L1].toBool())
    return QObject::tr("%1: the engine cannot be installed: %2.").arg(machine, answer["why_not"_L1].toString());
  return QObject::tr(
             "%1: the engine of this version is not installed yet. The window offers to copy it when a document "
             "runs there.")
      .arg(machine);
}

} // namespace fuselage
