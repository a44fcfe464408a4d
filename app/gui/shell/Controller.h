// A feature of the window: what it shows, offers and remembers, and what it does when something happens.
#pragma once
#include "app/gui/shell/Shell.h"
#include <QAction>
#include <QJsonObject>

namespace fuselage {

/// Made with the shell and the controllers that it needs; a constructor hands docks, views and commands to the
/// shell. The window then calls the hooks of all, in the order in which they were made.
class Controller : public QObject {
  Q_OBJECT
public:
  explicit Controller(Shell &shell);
  ~Controller() override;

  /// Another document is open: what was known of the last one is void.
  virtual void opened(const protocol::Document &document);
  /// Rows, graph and text begin anew: with another document, or with a log that was recorded from.
  virtual void documentReset();
  /// The steps after the input are others, by another recording or a fusion; `row` is selected next.
  virtual void stepsReplaced(int row);
  virtual void stepShown(const ShownStep &step);
  /// A scene of a snapshot is in the view: who marks something in it, or lists what it lacks, does so.
  virtual void graphShown(int snapshot);
  /// What the engine is at has changed, and with it what can be asked for.
  virtual void sessionChanged();
  virtual void engineDied(const CrashReport &report);
  /// Document and good steps are back; what was under way is to be asked for again.
  virtual void engineRecovered(int steps);
  /// When the window closes and opens.
  virtual void saveState(Settings &settings) const;
  virtual void restoreState(const Settings &settings);
  /// What is remembered of a document when it is left (the step, the part of the graph on screen, ..), by names of the
  /// controller's own; and the same back, once the document is open again and its steps are recorded.
  virtual void saveDocument(QJsonObject &state) const;
  virtual void restoreDocument(const QJsonObject &state);
  /// Before it is left: by another one in its place, or with the window.
  virtual void documentLeft();
  /// What was typed and not saved when the program ended without asking, kept under this name of the tab (Draft).
  virtual void restoreDraft(const QString &tab);
  /// A file was dropped. True: by its name it belongs to this feature, which opens it; else it is a document.
  virtual bool takeFile(const QString &path);
  /// False: the user wants to keep the window.
  virtual bool mayClose() { return true; }
  /// Nothing is under way.
  virtual bool isSettled() const { return true; }

protected:
  Shell &shell() const { return shell_; }
  EngineSession &session() const { return shell_.session(); }
  Settings &settings() const { return shell_.settings(); }
  /// There is a document, and the engine waits.
  bool isReady() const;

  QAction *command(const QString &text, const QString &icon = {}, const QList<QKeySequence> &keys = {});
  QAction *toggle(const QString &text, const QString &icon = {}, const QList<QKeySequence> &keys = {});
  /// Toggles of which one is on.
  void exclude(const QList<QAction *> &toggles);
  /// Keeps whether a toggle is on, from one start of the window to the next; at first it is.
  void remember(QAction *toggle, const QString &flag);
  /// Lists a toggle in the preferences; of those that are remembered, each is.
  void addPreference(QAction *toggle);
  template <class Slot> void on(QAction *action, Slot slot) { connect(action, &QAction::triggered, this, slot); }

private:
  struct Remembered {
    QAction *toggle;
    QString flag;
  };
  Shell &shell_;
  QList<Remembered> remembered_;
};

} // namespace fuselage
