// The document: how one is opened, what it is called, and which were open before.
#pragma once
#include "app/gui/document/StartPage.h"
#include "app/gui/shell/Controller.h"

class QLabel;
class QMenu;

namespace fuselage {

class Welcome;

class DocumentController : public Controller {
  Q_OBJECT
public:
  explicit DocumentController(Shell &shell);

  /// A folder with a lesson.md, that file, or a zip.
  static bool isLesson(const QString &path);

  /// In the place of what is open here.
  void open(const QString &path);
  Welcome &welcome() { return *welcome_; }
  /// Where the user wants it beside what is open.
  void openBeside(const QString &path);
  void reload();

signals:
  /// A lesson was to be opened: a folder with a lesson.md, that file, or a zip.
  void lessonRequested(const QString &path);

public:
  void opened(const protocol::Document &document) override;
  /// The counts are those of the step on screen.
  void stepShown(const ShownStep &step) override;
  /// A dump was parsed for its graph.
  void graphShown(int snapshot) override { requestCounts(snapshot); }
  void sessionChanged() override;
  void restoreState(const Settings &settings) override;
  void documentLeft() override;

private:
  void requestCounts(int snapshot);
  void addCommands();
  void chooseFile();
  void chooseDirectory();
  QString lastPath() const;
  void fillRecentMenu();
  void openSample(const QString &name);
  void openFailed(const QString &path, const protocol::Error &error);

  Welcome *welcome_;
  StartPage start_;
  QLabel *label_;
  QMenu *recentMenu_ = nullptr;
  QString path_; ///< of the document that is being looked at; empty: it goes with the window
  QAction *open_ = nullptr, *openDirectory_ = nullptr, *reload_ = nullptr;
};

} // namespace fuselage
