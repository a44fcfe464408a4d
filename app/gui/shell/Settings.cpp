#include "app/gui/shell/Settings.h"
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int recentFilesKept = 10;
/// Raised when docks or toolbars change names: an old layout would hide the new ones.
static constexpr int layoutVersion = 1;

Settings::Settings(const QString &path, QObject *parent)
    : QObject(parent), store_(path.isEmpty() ? std::make_unique<QSettings>(u"fuselage"_s, u"fuselage"_s)
                                             : std::make_unique<QSettings>(path, QSettings::IniFormat)) {}

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
void Settings::setTheme(const QString &theme) { store_->setValue(u"theme"_s, theme); }

QString Settings::engineCommand() const { return store_->value(u"engine"_s).toString(); }
void Settings::setEngineCommand(const QString &command) { store_->setValue(u"engine"_s, command); }

QByteArray Settings::geometry() const { return store_->value(u"window/geometry"_s).toByteArray(); }

QByteArray Settings::windowState() const {
  return store_->value(u"window/version"_s).toInt() == layoutVersion ? store_->value(u"window/state"_s).toByteArray()
                                                                     : QByteArray();
}

void Settings::saveWindow(const QByteArray &geometry, const QByteArray &state) {
  store_->setValue(u"window/version"_s, layoutVersion);
  store_->setValue(u"window/geometry"_s, geometry);
  store_->setValue(u"window/state"_s, state);
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
