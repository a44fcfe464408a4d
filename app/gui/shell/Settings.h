// What the window remembers between two starts.
#pragma once
#include <QByteArray>
#include <QHash>
#include <QJsonObject>
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

  /// For what is too large for settings: pictures of documents, copies of samples.
  QString dataFolder() const;

  QStringList recentFiles() const;
  void addRecentFile(const QString &path);
  void clearRecentFiles();

  QString theme() const; ///< "light", "dark" or "system"
  void setTheme(const QString &theme);
  QString engineCommand() const;
  void setEngineCommand(const QString &command);

  /// How large the text of IR, diff and scripts is at first; 1: 100 %.
  double textZoom() const;
  void setTextZoom(double zoom);
  /// Keys that the user chose, by the ids of the commands: {"File/Open": ["Ctrl+O"]}.
  QJsonObject shortcuts() const;
  void setShortcuts(const QJsonObject &shortcuts);

  QByteArray geometry() const;
  void setGeometry(const QByteArray &geometry);
  /// How panels and toolbar stand; empty: as the window thinks best. `name`: of one of several, see Layouts.
  QByteArray layout(const QString &name = {}) const;
  void setLayout(const QByteArray &state, const QString &name = {});

  /// Paths of the documents in tabs.
  QStringList openDocuments() const;
  void setOpenDocuments(const QStringList &paths);
  /// Those whose opening has begun, and of which nothing was shown yet.
  QStringList pendingDocuments() const;
  void setPendingDocuments(const QStringList &paths);
  /// What controllers remember of a document; of the last few that were open.
  QJsonObject documentState(const QString &path) const;
  /// Of all documents, by path: read once.
  QHash<QString, QJsonObject> documentStates() const;
  void setDocumentState(const QString &path, const QJsonObject &state);

  /// Switches of the window ("minimap", "foldConstants", ..).
  bool flag(const QString &name, bool missing) const;
  void setFlag(const QString &name, bool value);
  QString text(const QString &name, const QString &missing = {}) const;
  void setText(const QString &name, const QString &value);

signals:
  void themeChanged();
  void recentFilesChanged();
  void textZoomChanged(double zoom);
  void shortcutsChanged();

private:
  std::unique_ptr<QSettings> store_;
  QString dataFolder_;
};

} // namespace fuselage
