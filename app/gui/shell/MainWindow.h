// The window: a shell around the controllers that make it up.
#pragma once
#include "app/gui/shell/Controllers.h"
#include <QJsonObject>
#include <QMainWindow>
#include <QTimer>

namespace fuselage {

class Settings;

/// Session and settings outlive the window. Everything that takes time happens in the engine; the window tells
/// its controllers what happened, and they react.
class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  /// Makes the controllers of a window, by add().
  using AddFeatures = std::function<void(MainWindow &)>;

  MainWindow(EngineSession &session, Settings &settings, const AddFeatures &addFeatures, QWidget *parent = nullptr);
  ~MainWindow() override;

  /// Made with the shell and what else it takes; only while the window is being made.
  template <class T, class... Needs> T &add(Needs &...needs) {
    return controllers_.add(std::make_unique<T>(shell_, needs...));
  }
  /// There has to be one of this class.
  template <class T> T &controller() const {
    T *found = controllers_.find<T>();
    if (!found)
      qFatal("a window without a %s", T::staticMetaObject.className());
    return *found;
  }
  Shell &shell() { return shell_; }
  void showView(View view) { shell_.showView(view); }
  /// Nothing is under way: document, recording, scene and text are on screen.
  bool isSettled() const;

  /// Nothing is open here, or about to be.
  bool isEmpty() const;
  /// Of the file that is open, or being opened; empty: there is none, or it goes with the window, as a tool's log does.
  QString documentPath() const;
  QString documentName() const;
  /// False: the user wants to keep the window. Asks where something is not saved.
  bool mayLeave() const;
  /// What is to be as it was at the next start: layout, switches, and what is remembered of the document.
  void saveAll();
  void saveLayout();
  /// The same while one works, for the program may be killed. False: a document comes or changes, and nothing was
  /// saved.
  bool saveProgress();
  /// What was typed in a tab that has no document, in the next of those that were not shown since.
  void restoreDrafts();

protected:
  void closeEvent(QCloseEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void tellControllers();
  void documentOpened(const protocol::Document &document);
  void sessionChanged();
  void restore();
  bool isCalm() const;
  void saveDocument();
  QJsonObject documentState() const;
  void restoreDocument();
  void awaitCalm();
  template <class Hook, class... News> void tellAll(Hook hook, const News &...news) {
    for (const std::unique_ptr<Controller> &controller : controllers_.list())
      (controller.get()->*hook)(news...);
  }

  EngineSession &session_;
  Settings &settings_;
  Shell shell_;
  Controllers controllers_;
  QString path_;       ///< of the document that the controllers are about
  QString draftsOf_;   ///< the path whose drafts were looked for
  QJsonObject wanted_; ///< what is remembered of it, until it can be shown or the user goes elsewhere
  QTimer calm_;
};

} // namespace fuselage
