#include "app/gui/shell/Settings.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/shell/Drafts.h"
#include "views/dialogs/HostsPage.h"
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int recentFilesKept = 10;
static constexpr int documentsKept = 50;
/// Raised when docks or toolbars change names: an old layout would hide the new ones.
static constexpr int layoutVersion = 1;

/// $XDG_STATE_HOME/fuselage
static QString stateHome() {
  const QString home = qEnvironmentVariable("XDG_STATE_HOME");
  return (home.startsWith(u'/') ? home : QDir::homePath() + u"/.local/state"_s) + u"/fuselage"_s;
}

Settings::Settings(const QString &path, int window)
    : window_(window),
      dataFolder_(path.isEmpty()
                      ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/fuselage"_s
                      : QFileInfo(path).absolutePath()),
      stateFolder_(path.isEmpty() ? stateHome() : dataFolder_),
      store_(path.isEmpty() ? std::make_unique<QSettings>(u"fuselage"_s, u"fuselage"_s)
                            : std::make_unique<QSettings>(path, QSettings::IniFormat)),
      own_(window > 1 ? storeOf(window) : nullptr), drafts_(std::make_unique<Drafts>(draftFolder(window))) {}

Settings::~Settings() = default;

std::unique_ptr<QSettings> Settings::storeOf(int window) const {
  return std::make_unique<QSettings>(u"%1/window-%2.ini"_s.arg(stateFolder_).arg(window), QSettings::IniFormat);
}

QString Settings::draftFolder(int window) const {
  return window > 1 ? u"%1/drafts-%2"_s.arg(stateFolder_).arg(window) : stateFolder_ + u"/drafts"_s;
}

bool Settings::hasLeft(int window) const {
  return QDir(draftFolder(window)).exists() ||
         (QFileInfo::exists(u"%1/window-%2.ini"_s.arg(stateFolder_).arg(window)) &&
          !storeOf(window)->value(u"openDocuments"_s).toStringList().isEmpty());
}

void Settings::adopt(int window) {
  drafts_->adopt(draftFolder(window));
  const std::unique_ptr<QSettings> other = storeOf(window);
  QStringList open = openDocuments();
  for (const QString &path : other->value(u"openDocuments"_s).toStringList())
    if (!open.contains(path))
      open.append(path);
  setOpenDocuments(open);
  other->remove(u"openDocuments"_s);
}

QVariant Settings::own(const QString &key, const QVariant &missing) const {
  return own_ && own_->contains(key) ? own_->value(key) : store_->value(key, missing);
}

/// The file is written where a value changes, and only then.
static void put(QSettings &store, const QString &key, const QVariant &value) {
  if (!store.contains(key) || store.value(key) != value)
    store.setValue(key, value);
}

void Settings::setOwn(const QString &key, const QVariant &value) { put(own_ ? *own_ : *store_, key, value); }

QString Settings::dataFolder() const { return dataFolder_; }

QStringList Settings::recentFiles() const { return store_->value(u"recentFiles"_s).toStringList(); }

void Settings::addRecentFile(const QString &path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  store_->sync(); // another window may have added some
  QStringList files = recentFiles();
  files.removeAll(absolute);
  files.prepend(absolute);
  store_->setValue(u"recentFiles"_s, QStringList(files.first(std::min<qsizetype>(files.size(), recentFilesKept))));
  emit recentFilesChanged();
}

void Settings::clearRecentFiles() {
  store_->remove(u"recentFiles"_s);
  emit recentFilesChanged();
}

QString Settings::theme() const {
  return themeOfStart_.isEmpty() ? store_->value(u"theme"_s, u"system"_s).toString() : themeOfStart_;
}
void Settings::setTheme(const QString &theme) {
  themeOfStart_.clear();
  store_->setValue(u"theme"_s, theme);
  emit themeChanged();
}

QString Settings::engineCommand() const { return store_->value(u"engine"_s).toString(); }
void Settings::setEngineCommand(const QString &command) { store_->setValue(u"engine"_s, command); }

QStringList Settings::engineOfStart() const {
  const QString line = engineOfStart_.isEmpty() ? engineCommand() : engineOfStart_;
  return line.trimmed().isEmpty() ? defaultEngineCommand() : splitCommand(line);
}

QList<HostChoice> Settings::hosts() const {
  QList<HostChoice> hosts = hostsOfStart_;
  const QJsonArray stored = QJsonDocument::fromJson(store_->value(u"hosts"_s).toByteArray()).array();
  for (const QJsonValue &host : stored)
    hosts.append({host["name"_L1].toString(), host["command"_L1].toString()});
  return hosts;
}

void Settings::setHosts(const QList<HostChoice> &hosts) {
  QJsonArray stored;
  for (const HostChoice &host : hosts)
    if (!hostsOfStart_.contains(host))
      stored.append(QJsonObject{{u"name"_s, host.name}, {u"command"_s, host.command}});
  store_->setValue(u"hosts"_s, QJsonDocument(stored).toJson(QJsonDocument::Compact));
  emit hostsChanged();
}

void Settings::addHostOfStart(const HostChoice &host) { hostsOfStart_.append(host); }

QString Settings::hostOf(const QString &document) const {
  const auto it = documentHosts_.constFind(document);
  return it != documentHosts_.cend() ? *it : documentState(document).value("host"_L1).toString();
}

QList<PluginChoice> Settings::plugins() const {
  QList<PluginChoice> plugins;
  const QJsonArray stored = QJsonDocument::fromJson(store_->value(u"plugins"_s).toByteArray()).array();
  for (const QJsonValue &plugin : stored)
    if (const QString file = plugin["file"_L1].toString(); !file.isEmpty())
      plugins.append({file, plugin["on"_L1].toBool()});
  return plugins;
}

void Settings::setPlugins(const QList<PluginChoice> &plugins, bool tells) {
  QJsonArray stored;
  for (const PluginChoice &plugin : plugins)
    stored.append(QJsonObject{{u"file"_s, plugin.file}, {u"on"_s, plugin.isEnabled}});
  store_->setValue(u"plugins"_s, QJsonDocument(stored).toJson(QJsonDocument::Compact));
  if (tells)
    emit pluginsChanged();
}

QStringList Settings::pluginArguments() const {
  QStringList arguments = pluginsOfStart_;
  for (const PluginChoice &plugin : plugins())
    if (plugin.isEnabled)
      arguments.append(u"--load-plugin="_s + plugin.file);
  return arguments;
}

double Settings::textZoom() const { return std::clamp(store_->value(u"textZoom"_s, 1.0).toDouble(), 0.5, 4.0); }
void Settings::setTextZoom(double zoom) {
  store_->setValue(u"textZoom"_s, zoom);
  emit textZoomChanged(textZoom());
}

QJsonObject Settings::shortcuts() const {
  return QJsonDocument::fromJson(store_->value(u"shortcuts"_s).toByteArray()).object();
}
void Settings::setShortcuts(const QJsonObject &shortcuts) {
  store_->setValue(u"shortcuts"_s, QJsonDocument(shortcuts).toJson(QJsonDocument::Compact));
  emit shortcutsChanged();
}

QByteArray Settings::geometry() const { return own(u"window/geometry"_s).toByteArray(); }

void Settings::setGeometry(const QByteArray &geometry) { setOwn(u"window/geometry"_s, geometry); }

static QString layoutKey(const QString &name) { return name.isEmpty() ? u"window/state"_s : u"layouts/"_s + name; }

QByteArray Settings::layout(const QString &name) const {
  const bool isOurs = own(u"window/version"_s).toInt() == layoutVersion;
  return isOurs ? own(layoutKey(name)).toByteArray() : QByteArray();
}

void Settings::setLayout(const QByteArray &state, const QString &name) {
  if (own(u"window/version"_s).toInt() != layoutVersion)
    (own_ ? *own_ : *store_).remove(u"layouts"_s);
  setOwn(u"window/version"_s, layoutVersion);
  setOwn(layoutKey(name), state);
}

/// Tabs are those of this window alone: what another one has open is no answer.
QStringList Settings::openDocuments() const {
  return (own_ ? *own_ : *store_).value(u"openDocuments"_s).toStringList();
}
void Settings::setOpenDocuments(const QStringList &paths) { setOwn(u"openDocuments"_s, paths); }
QStringList Settings::pendingDocuments() const {
  return (own_ ? *own_ : *store_).value(u"pendingDocuments"_s).toStringList();
}
void Settings::setPendingDocuments(const QStringList &paths) {
  setOwn(u"pendingDocuments"_s, paths);
  (own_ ? *own_ : *store_).sync(); // before the engine has a chance to take the machine down
}

/// [{path, state}], the last used first.
static QJsonArray knownDocuments(const QVariant &stored) {
  return QJsonDocument::fromJson(stored.toByteArray()).array();
}

QJsonObject Settings::documentState(const QString &path) const { return documentStates().value(path); }

QHash<QString, QJsonObject> Settings::documentStates() const {
  QHash<QString, QJsonObject> states;
  for (const QSettings *store : {store_.get(), own_.get()}) // this window's count more
    for (const QJsonValue &known : knownDocuments(store ? store->value(u"documents"_s) : QVariant()))
      states.insert(known["path"_L1].toString(), known["state"_L1].toObject());
  return states;
}

void Settings::setDocumentState(const QString &path, const QJsonObject &state) {
  const QSettings &store = own_ ? *own_ : *store_;
  QJsonArray documents{QJsonObject{{u"path"_s, path}, {u"state"_s, state}}};
  for (const QJsonValue &known : knownDocuments(store.value(u"documents"_s)))
    if (documents.size() < documentsKept && known["path"_L1].toString() != path)
      documents.append(known);
  setOwn(u"documents"_s, QJsonDocument(documents).toJson(QJsonDocument::Compact));
}

bool Settings::flag(const QString &name, bool missing) const { return own(u"flags/"_s + name, missing).toBool(); }
void Settings::setFlag(const QString &name, bool value) { setOwn(u"flags/"_s + name, value); }

QString Settings::text(const QString &name, const QString &missing) const {
  const QString key = u"texts/"_s + name;
  // What a window has open is its own affair.
  const bool isOpen = name == "currentDocument"_L1 || name == "schedule"_L1;
  return (isOpen && own_ ? own_->value(key, missing) : own(key, missing)).toString();
}
void Settings::setText(const QString &name, const QString &value) { setOwn(u"texts/"_s + name, value); }

} // namespace fuselage
