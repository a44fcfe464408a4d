// What the window offers its controllers: places for what they show, and news for all of them.
#pragma once
#include "app/bridge/EngineSession.h"
#include "app/gui/shell/Centre.h"
#include "app/gui/shell/Docks.h"
#include "app/gui/shell/Menus.h"
#include "app/gui/shell/Shortcuts.h"
#include "views/dialogs/Preference.h"
#include <QMap>
#include <functional>

namespace fuselage {

class ExportNotice;
class Settings;

/// Where a widget stands in the status bar, from the left.
enum class StatusPlace { Document, Fusion, Problems, Host, Engine, Progress, Cancel };

/// The selected row of the steps: 0 is the input, i the snapshot after step i. Or a place of a schedule.
struct ShownStep {
  int row = 0;
  int snapshot = 0;
  const protocol::Step *step = nullptr; ///< that led there; null: none did
  bool isPlace = false;                 ///< of a schedule: no row of the steps stands for it
};

/// A controller knows its shell and the controllers that it was made with, and nothing else of the window.
class Shell : public QObject {
  Q_OBJECT
public:
  Shell(QMainWindow &window, EngineSession &session, Settings &settings);
  ~Shell() override;

  /// The parent of dialogs.
  QMainWindow &window() { return window_; }
  EngineSession &session() { return session_; }
  Settings &settings() { return settings_; }
  Menus &menus() { return *menus_; }
  Docks &docks() { return *docks_; }
  Centre &centre() { return *centre_; }
  Banner &banner() { return centre_->banner(); }
  /// Of the commands; after arrange().
  Shortcuts &shortcuts() { return *shortcuts_; }
  bool hasShortcuts() const { return shortcuts_; }

  void addPreference(const Preference &preference) { preferences_.append(preference); }
  const QList<Preference> &preferences() const { return preferences_; }
  void addPreferencePage(const PreferencePage &page) { preferencePages_.append(page); }
  const QList<PreferencePage> &preferencePages() const { return preferencePages_; }

  void addStatus(StatusPlace place, QWidget *widget) { status_.insert(place, widget); }
  /// Who opens a document that the user asks for beside this one; without, it is opened in its place.
  void setOpener(std::function<void(const QString &path)> opener) { opener_ = std::move(opener); }
  const std::function<void(const QString &path)> &opener() const { return opener_; }
  /// What drafts of this tab are kept under: the path of its document, or a name of its own while it has none.
  const QString &draftTab();
  void setDraftTab(const QString &path) { draftTab_ = path; }
  /// A word in the status bar, for a while.
  void tell(const QString &message);
  /// A file was written: the status bar says so, and leads there. `note`: what else there is to say of it.
  void tellExported(const QString &path, const QString &note = {});
  ExportNotice &exportNotice() { return *exportNotice_; }
  void showView(View view);
  /// Everything that was handed in takes its place.
  void arrange();

signals:
  /// Something went wrong: what was tried by `source`, and what the engine says about it.
  void errorReported(const QString &source, const QString &what, const fuselage::protocol::Error &error);
  /// What was reported of `source` is no news any more: it has worked since. "engine": a crash.
  void errorOver(const QString &source);
  /// A document is there, and everybody has forgotten the last one.
  void documentOpened();
  /// Rows, graph and text begin anew.
  void documentReset();
  /// The steps after the input are others; this row is the next to be selected.
  void stepsReplaced(int row);
  void stepShown(const fuselage::ShownStep &step);
  /// A scene of this snapshot is in the view.
  void graphShown(int snapshot);
  /// And everybody has marked what is theirs in it: who waited for a place of it goes on.
  void graphMarked();
  /// Of no controller (Controller::takeFile): a document.
  void fileDropped(const QString &path);

private:
  QMainWindow &window_;
  EngineSession &session_;
  Settings &settings_;
  Menus *menus_;
  Docks *docks_;
  Centre *centre_;
  Shortcuts *shortcuts_ = nullptr;
  ExportNotice *exportNotice_;
  QList<Preference> preferences_;
  QList<PreferencePage> preferencePages_;
  QMap<StatusPlace, QWidget *> status_;
  std::function<void(const QString &path)> opener_;
  QString draftTab_, claimedTab_;
};

} // namespace fuselage
