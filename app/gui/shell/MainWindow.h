// The window: a shell around the controllers that make it up.
#pragma once
#include "app/gui/shell/Controllers.h"
#include <QMainWindow>

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

protected:
  void closeEvent(QCloseEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void tellControllers();
  void documentOpened(const protocol::Document &document);
  void sessionChanged();
  void restore();
  template <class Hook, class... News> void tellAll(Hook hook, const News &...news) {
    for (const std::unique_ptr<Controller> &controller : controllers_.list())
      (controller.get()->*hook)(news...);
  }

  EngineSession &session_;
  Settings &settings_;
  Shell shell_;
  Controllers controllers_;
};

} // namespace fuselage
