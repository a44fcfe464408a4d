// Documents in tabs: a window and an engine each, so that none waits for another, or dies with it.
#pragma once
#include "app/gui/shell/MainWindow.h"
#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

class QStackedWidget;
class QTabBar;

namespace fuselage {

class EngineSession;
class Settings;

/// What a program shows. The tabs of the last start are there again; a document is opened when its tab first comes to
/// the front, unless it was never shown after it had last been opened: then the user is asked.
class Workspace : public QWidget {
  Q_OBJECT
public:
  /// Makes a session, where this document runs, and starts it; without a path, here.
  using MakeSession = std::function<std::unique_ptr<EngineSession>(const QString &path)>;
  /// Adds the features of a tab's window, those that know of the other tabs included.
  using AddFeatures = std::function<void(MainWindow &, Workspace &)>;

  Workspace(Settings &settings, MakeSession makeSession, AddFeatures addFeatures, QWidget *parent = nullptr);
  ~Workspace() override;

  /// The tabs of the last start, and those for the files, of which the last is in front; without any, an empty one.
  void restore(const QStringList &files);
  /// Goes to the tab that has it; else opens it in an empty tab, or in one of its own.
  void open(const QString &path);
  /// Brings the window to the front.
  void comeForward();
  /// A tab in front, for the file; without, an empty one.
  void addTab(const QString &path = {});
  /// False: the user keeps it. The last tab becomes an empty one.
  bool closeTab(int index);
  /// Forth and back, around the ends.
  void step(int direction);
  MainWindow &current();
  /// Where there is something in it; a tab that was not in front yet has none.
  MainWindow *windowOf(int index) const;
  int currentIndex() const;
  int tabCount() const { return int(tabs_.size()); }
  /// Of the tabs, as they stand; empty: nothing is open in it.
  QStringList paths() const;

signals:
  void tabsChanged();

protected:
  void closeEvent(QCloseEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  struct Tab {
    QString path; ///< to be opened as soon as it comes to the front, while there is no window
    std::unique_ptr<EngineSession> session{};
    MainWindow *window = nullptr;
    bool isHeld = false; ///< not to be opened without the user
  };
  QString pathOf(const Tab &tab) const;
  void insertTab(const QString &path);
  void showTab(int index);
  void make(Tab &tab);
  void askToOpen(Tab &tab);
  void watchOpening(Tab &tab);
  void setPending(const QString &path, bool isPending);
  void forgetShown();
  void drop(Tab &tab);
  void rename();
  void save();
  void saveProgress();

  Settings &settings_;
  MakeSession makeSession_;
  AddFeatures addFeatures_;
  QTabBar *bar_;
  QStackedWidget *stack_;
  std::vector<Tab> tabs_;
  QTimer shown_;  ///< active while a document is being opened and drawn
  QTimer worked_; ///< after a key or a click: where the user is, is saved
};

} // namespace fuselage
