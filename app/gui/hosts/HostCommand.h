// How an engine is started on another machine.
#pragma once
#include <QString>
#include <QStringList>
#include <optional>

namespace fuselage {

class EngineSession;
class Settings;
struct HostChoice;

/// `fuselage remote ACTION`, of the program beside this one.
QStringList remoteCommand(const QString &action);
/// The command line of an engine there; options of the engine may follow.
QStringList engineCommandOf(const HostChoice &host);
/// The one of this name; nullopt: it is not in the user's list any more.
std::optional<HostChoice> findHost(const Settings &settings, const QString &name);
/// Has the session start its next engine on the host of this name; empty, or one that is not in the list: here.
void useHost(EngineSession &session, const Settings &settings, const QString &name);

/// Why this cannot be a host beside `others`; empty: it can.
QString whyNoHost(const QString &name, const QString &command, const QStringList &others);

} // namespace fuselage
