// Lessons: tasks in a panel beside the views, whose goals the engine checks while the window is live.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/messages/LessonTypes.h"
#include <QSet>
#include <QTimer>

class QDockWidget;
class QMenu;

namespace fuselage {

class DocumentController;
class GraphController;
class LearnPanel;
class LessonPointer;
class LessonShow;
class ScheduleController;
class StepsController;
class TextController;
class TileController;

class LearnController : public Controller {
  Q_OBJECT
public:
  LearnController(Shell &shell, DocumentController &documents, StepsController &steps, GraphController &graph,
                  TextController &text, ScheduleController &schedule, TileController &tiles);

  LearnPanel &panel() { return *panel_; }
  QDockWidget *dock() const { return dock_; }
  /// Opens the module of a lesson, and the task where it was left. `lesson`: the folder that lesson/list names.
  void open(const QString &lesson);
  /// Lists the lessons of a folder of the user's own from now on.
  void addFolder(const QString &folder);
  void removeFolder(const QString &folder);
  /// None: title is empty.
  const protocol::Lesson &lesson() const { return lesson_; }
  int task() const { return task_; }
  void goTo(int task);
  /// By "Show me".
  void show();
  bool isDone(int task) const { return done_.contains(task); }

  void opened(const protocol::Document &document) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  bool isSettled() const override;

private:
  void addCommands();
  void follow();
  void requestList();
  QStringList folders() const;
  void chooseFolder();
  void fillMenu();
  const protocol::Lesson *nextLesson() const;
  void fillStartPage();
  qsizetype doneOf(const protocol::Lesson &lesson) const;
  /// The document is the module of this lesson.
  bool isModuleOf(const protocol::Lesson &lesson, const QString &path) const;
  void begin();
  void prepare(int from);
  void judgeSoon() { typing_.start(); }
  void judge();
  QMap<QString, QString> told() const;
  QString toldOf(const protocol::LessonGoal &goal) const;
  QString toldOfTile(const QString &fact, const QString &op) const;
  QString toldOfSchedule(const QString &fact, const QStringList &arguments) const;
  void takeState(const protocol::LessonState &state);
  void followSelection(int snapshot, qint64 id);
  void keepProgress();
  void readProgress();

  LearnPanel *panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  DocumentController &documents_;
  ScheduleController &schedule_;
  TileController &tiles_;
  LessonShow *show_;
  LessonPointer *pointer_;
  QMenu *menu_ = nullptr;
  QAction *addFolder_ = nullptr;
  protocol::Lesson lesson_, wanted_; ///< that is shown; that is to be shown once its module is open
  QList<protocol::Lesson> known_;
  QString name_, wantedName_; ///< of these lessons, for their progress
  int task_ = 0;
  QSet<int> done_;
  QString selectedOp_, selectedValue_; ///< "linalg.matmul", "%x"; empty: nothing is selected
  bool scheduleRan_ = false, scheduleFailed_ = false;
  bool isListed_ = false;
  bool drawsPictures_ = false;              ///< the start page can be seen
  bool isJudging_ = false, asksOp_ = false; ///< of several such requests only the last one is answered
  QTimer typing_;
};

} // namespace fuselage
