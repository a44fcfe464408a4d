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

class Drafts;
struct HostChoice;

/// A plugin of MLIR in the user's list.
struct PluginChoice {
  QString file;
  bool isEnabled = true;
};

/// Over QSettings; a path makes a store of its own (tests, pictures).
///
/// Two programs of one user share theme, engine command, plugins and recent files. Tabs, panels, documents and drafts
/// are those of a window: the first one has them in the common store, window 2, 3, .. in a file of its own, so that no
/// window replaces what another one has saved. What window 2 has not set yet is as in the first.
class Settings : public QObject {
  Q_OBJECT
public:
  explicit Settings(const QString &path = {}, int window = 1);
  ~Settings() override;

  /// For what is too large for settings: pictures of documents, copies of samples.
  QString dataFolder() const;
  /// 1: the first window.
  int window() const { return window_; }
  /// What is typed in this window and not saved yet.
  Drafts &drafts() { return *drafts_; }
  /// Takes over tabs and drafts of another window, which was killed.
  void adopt(int window);
  /// There is something to take over.
  bool hasLeft(int window) const;

  QStringList recentFiles() const;
  void addRecentFile(const QString &path);
  void clearRecentFiles();

  QString theme() const; ///< "light", "dark" or "system"
  /// Until another one is chosen, and not kept.
  void setThemeOfStart(const QString &theme) { themeOfStart_ = theme; }
  void setTheme(const QString &theme);
  /// What the command line says to start engines by, and not kept; empty: the engine command.
  void setEngineOfStart(const QString &command) { engineOfStart_ = command; }
  /// The words that start an engine for a tab that runs on no host.
  QStringList engineOfStart() const;
  QString engineCommand() const;
  void setEngineCommand(const QString &command);

  /// Machines that documents can run on, common to all windows, and those that the command line names.
  QList<HostChoice> hosts() const;
  void setHosts(const QList<HostChoice> &hosts);
  /// A host that is known until the program ends.
  void addHostOfStart(const HostChoice &host);
  /// The name of the host that a document ran on last; empty: here.
  QString hostOf(const QString &document) const;
  /// For this start, a document runs on another one than last time.
  void setHostOfStart(const QString &document, const QString &host) { documentHosts_.insert(document, host); }

  /// The user's own list of plugins, common to all windows.
  QList<PluginChoice> plugins() const;
  /// `tells`: pluginsChanged follows, and engines start again.
  void setPlugins(const QList<PluginChoice> &plugins, bool tells = true);
  /// Arguments of the command line that load plugins, for this start alone.
  void setPluginsOfStart(const QStringList &arguments) { pluginsOfStart_ = arguments; }
  /// What the engine's command line ends with: those of the start, and those of the list that are on.
  QStringList pluginArguments() const;

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
  void pluginsChanged();
  void hostsChanged();

private:
  QVariant own(const QString &key, const QVariant &missing = {}) const;
  void setOwn(const QString &key, const QVariant &value);
  std::unique_ptr<QSettings> storeOf(int window) const;
  QString draftFolder(int window) const;

  int window_;
  QString dataFolder_, stateFolder_, themeOfStart_, engineOfStart_;
  QStringList pluginsOfStart_;
  QList<HostChoice> hostsOfStart_;
  QHash<QString, QString> documentHosts_;
  std::unique_ptr<QSettings> store_; ///< of all windows
  std::unique_ptr<QSettings> own_;   ///< of this window; null: the first has it in store_
  std::unique_ptr<Drafts> drafts_;
};

} // namespace fuselage
