// A second start of the program: its files go to the window that is there, if the user wants that.
#pragma once
#include <QLocalServer>
#include <QStringList>

class QLocalSocket;

namespace fuselage {

/// Takes the files of later starts; of the same user alone.
class JoinServer : public QObject {
  Q_OBJECT
public:
  /// Whoever listened there before has ended.
  explicit JoinServer(const QString &socket, QObject *parent = nullptr);

signals:
  /// Absolute paths; none: the user only wants to see the window.
  void joined(const QStringList &files);

private:
  void accept();
  void read(QLocalSocket &socket);

  QLocalServer server_;
};

/// Hands the files to the program that listens. False: it does not answer.
bool joinProgram(const QString &socket, const QStringList &files);

enum class SecondStart { Join, NewWindow, Cancel };

/// Asks the user.
SecondStart askAboutSecondStart(const QStringList &files);

} // namespace fuselage
