#include "app/gui/shell/Settings.h"
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

Settings::Settings(const QString &path, QObject *parent)
    : QObject(parent), store_(path.isEmpty() ? std::make_unique<QSettings>(u"fuselage"_s, u"fuselage"_s)
                                             : std::make_unique<QSettings>(path, QSettings::IniFormat)),
      dataFolder_(path.isEmpty()
                      ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/fuselage"_s
                      : QFileInfo(path).absolutePath()) {}

QString Settings::dataFolder() const { return dataFolder_; }

QStringList Settings::recentFiles() const { return store_->value(u"recentFiles"_s).toStringList(); }

void Settings::addRecentFile(const QString &path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
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

QString Settings::theme() const { return store_->value(u"theme"_s, u"system"_s).toString(); }
void Settings::setTheme(const QString &theme) {
  store_->setValue(u"theme"_s, theme);
  emit themeChanged();
}

QString Settings::engineCommand() const { return store_->value(u"engine"_s).toString(); }
void Settings::setEngineCommand(const QString &command) { store_->setValue(u"engine"_s, command); }

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

QByteArray Settings::geometry() const { return store_->value(u"window/geometry"_s).toByteArray(); }

void Settings::setGeometry(const QByteArray &geometry) { store_->setValue(u"window/geometry"_s, geometry); }

static QString layoutKey(const QString &name) { return name.isEmpty() ? u"window/state"_s : u"layouts/"_s + name; }

QByteArray Settings::layout(const QString &name) const {
  const bool isOurs = store_->value(u"window/version"_s).toInt() == layoutVersion;
  return isOurs ? store_->value(layoutKey(name)).toByteArray() : QByteArray();
}

void Settings::setLayout(const QByteArray &state, const QString &name) {
  if (store_->value(u"window/version"_s).toInt() != layoutVersion)
    store_->remove(u"layouts"_s);
  store_->setValue(u"window/version"_s, layoutVersion);
  store_->setValue(layoutKey(name), state);
}

QStringList Settings::openDocuments() const { return store_->value(u"openDocuments"_s).toStringList(); }
void Settings::setOpenDocuments(const QStringList &paths) { store_->setValue(u"openDocuments"_s, paths); }
QStringList Settings::pendingDocuments() const { return store_->value(u"pendingDocuments"_s).toStringList(); }
void Settings::setPendingDocuments(const QStringList &paths) {
  store_->setValue(u"pendingDocuments"_s, paths);
  store_->sync(); // before the engine has a chance to take the machine down
}

/// [{path, state}], the last used first.
static QJsonArray knownDocuments(const QSettings &store) {
  return QJsonDocument::fromJson(store.value(u"documents"_s).toByteArray()).array();
}

QJsonObject Settings::documentState(const QString &path) const {
  for (const QJsonValue &known : knownDocuments(*store_))
    if (known["path"_L1].toString() == path)
      return known["state"_L1].toObject();
  return {};
}

QHash<QString, QJsonObject> Settings::documentStates() const {
  QHash<QString, QJsonObject> states;
  for (const QJsonValue &known : knownDocuments(*store_))
    states.insert(known["path"_L1].toString(), known["state"_L1].toObject());
  return states;
}

void Settings::setDocumentState(const QString &path, const QJsonObject &state) {
  QJsonArray documents{QJsonObject{{u"path"_s, path}, {u"state"_s, state}}};
  for (const QJsonValue &known : knownDocuments(*store_))
    if (documents.size() < documentsKept && known["path"_L1].toString() != path)
      documents.append(known);
  store_->setValue(u"documents"_s, QJsonDocument(documents).toJson(QJsonDocument::Compact));
}

bool Settings::flag(const QString &name, bool missing) const {
  return store_->value(u"flags/"_s + name, missing).toBool();
}
void Settings::setFlag(const QString &name, bool value) { store_->setValue(u"flags/"_s + name, value); }

QString Settings::text(const QString &name, const QString &missing) const {
  return store_->value(u"texts/"_s + name, missing).toString();
}
void Settings::setText(const QString &name, const QString &value) { store_->setValue(u"texts/"_s + name, value); }

} // namespace fuselage
