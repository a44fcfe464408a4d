#include "app/gui/program/Joining.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QIcon>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QMessageBox>
#include <QPushButton>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr qint64 mostBytes = 1 << 20;
static constexpr int answerMs = 3000;
static constexpr auto answer = "ok\n";

JoinServer::JoinServer(const QString &socket, QObject *parent) : QObject(parent) {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, &JoinServer::accept);
  QLocalServer::removeServer(socket);
  if (!server_.listen(socket))
    qWarning().noquote() << tr("A second start cannot join this window: %1").arg(server_.errorString());
}

/// The folder is the user's own; this holds where it is not.
static bool isOwn(const QLocalSocket &socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return getsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

void JoinServer::accept() {
  while (QLocalSocket *socket = server_.nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    if (!isOwn(*socket)) {
      socket->abort();
      continue;
    }
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(*socket); });
    read(*socket);
  }
}

/// A line of JSON. The answer comes first: opening may take its time.
void JoinServer::read(QLocalSocket &socket) {
  if (!socket.canReadLine()) {
    if (socket.bytesAvailable() > mostBytes)
      socket.abort();
    return;
  }
  const QJsonDocument message = QJsonDocument::fromJson(socket.readLine());
  if (!message.isObject())
    return socket.abort();
  QStringList files;
  for (const QJsonValue &file : message["open"_L1].toArray())
    if (QFileInfo(file.toString()).isAbsolute())
      files.append(file.toString());
  socket.write(answer);
  socket.flush();
  emit joined(files);
}

bool joinProgram(const QString &socket, const QStringList &files) {
  QJsonArray paths;
  for (const QString &file : files)
    paths.append(QFileInfo(file).absoluteFilePath());
  QLocalSocket client;
  client.connectToServer(socket);
  if (!client.waitForConnected(answerMs))
    return false;
  client.write(QJsonDocument(QJsonObject{{u"open"_s, paths}}).toJson(QJsonDocument::Compact) + '\n');
  while (!client.canReadLine())
    if (!client.waitForReadyRead(answerMs))
      return false;
  return client.readLine() == answer;
}

SecondStart askAboutSecondStart(const QStringList &files) {
  const auto tr = [](const char *text) { return QCoreApplication::translate("Joining", text); };
  const QString names = files.size() == 1 ? QFileInfo(files.first()).fileName() : tr("%1 files").arg(files.size());
  QMessageBox box(QMessageBox::NoIcon, u"Fuselage"_s, tr("Fuselage is already running."));
  box.setInformativeText(files.isEmpty()
                             ? tr("Go to the open window, or start a separate window with its own tabs?")
                             : tr("Open %1 in the open window, or in a separate window with its own tabs?").arg(names));
  box.setIconPixmap(QIcon(u":/fuselage.svg"_s).pixmap(48));
  QPushButton *join = box.addButton(files.isEmpty() ? tr("&Go There") : tr("&Open There"), QMessageBox::AcceptRole);
  QPushButton *separate = box.addButton(tr("&New Window"), QMessageBox::ActionRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(join);
  box.exec();
  return box.clickedButton() == join       ? SecondStart::Join
         : box.clickedButton() == separate ? SecondStart::NewWindow
                                           : SecondStart::Cancel;
}

} // namespace fuselage
