// Copies the engine to a host, or asks what is there, by `fuselage remote`.
#pragma once
#include <QJsonObject>
#include <QObject>

class QProcess;

namespace fuselage {

/// One run of `fuselage remote ACTION --format json`; it ends with this object.
class RemoteAction : public QObject {
  Q_OBJECT
public:
  RemoteAction(const QString &action, const QString &command, QObject *parent);
  ~RemoteAction() override;
  void cancel();

signals:
  void progressed(qint64 sent, qint64 total);
  /// `answer` is what it printed last; `problem`, if there is one, what it said.
  void finished(const QJsonObject &answer, const QString &problem);

private:
  void read(bool isLast);

  QProcess *process_;
  QByteArray output_;
  QJsonObject answer_;
  bool isCancelled_ = false;
};

/// "x86_64, glibc 2.31; the engine of this version is installed": what `check` found, for people.
QString describeHost(const QJsonObject &answer);

} // namespace fuselage
