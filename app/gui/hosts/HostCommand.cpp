#include "app/gui/hosts/HostCommand.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/shell/Settings.h"
#include "views/dialogs/HostsPage.h"

using namespace Qt::StringLiterals;

namespace fuselage {

QStringList remoteCommand(const QString &action) {
  QStringList command{defaultEngineCommand().constFirst(), u"remote"_s};
  if (!action.isEmpty())
    command.append(action);
  return command;
}

QStringList engineCommandOf(const HostChoice &host) {
  return remoteCommand({}) + QStringList{u"--command"_s, host.command, u"--name"_s, host.name, u"--"_s};
}

std::optional<HostChoice> findHost(const Settings &settings, const QString &name) {
  for (const HostChoice &host : settings.hosts())
    if (host.name == name)
      return host;
  return std::nullopt;
}

void useHost(EngineSession &session, const Settings &settings, const QString &name) {
  if (const std::optional<HostChoice> host = findHost(settings, name))
    session.setPlace(host->name, engineCommandOf(*host));
  else
    session.setPlace({}, settings.engineOfStart());
}

QString whyNoHost(const QString &name, const QString &command, const QStringList &others) {
  if (name.trimmed().isEmpty())
    return QObject::tr("A host needs a name.");
  if (others.contains(name.trimmed()))
    return QObject::tr("There is a host called %1 already.").arg(name.trimmed());
  if (splitCommand(command).isEmpty())
    return QObject::tr("A host needs the command that reaches it, such as ssh gpu1.");
  return {};
}

} // namespace fuselage
