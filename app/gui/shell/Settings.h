// What the window remembers between two starts.
#pragma once
#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>
#include <memory>

namespace fuselage {

/// Over QSettings; a path makes a store of its own (tests, pictures).
class Settings : public QObject {
  Q_OBJECT
public:
  explicit Settings(const QString &path = {}, QObject *parent = nullptr);

  QStringList recentFiles() const;
  void addRecentFile(const QString &path);
  void clearRecentFiles();

  QString theme() const; ///< "light", "dark" or "system"
  void setTheme(const QString &theme);
  QString engineCommand() const;
  void setEngineCommand(const QString &command);

  QByteArray geometry() const;
  QByteArray windowState() const;
  void saveWindow(const QByteArray &geometry, const QByteArray &state);

  /// Switches of the window ("minimap", "foldConstants", ..).
  bool flag(const QString &name, bool missing) const;
  void setFlag(const QString &name, bool value);
  QString text(const QString &name, const QString &missing = {}) const;
  void setText(const QString &name, const QString &value);

signals:
  void recentFilesChanged();

private:
  std::unique_ptr<QSettings> store_;
};

} // namespace fuselage
