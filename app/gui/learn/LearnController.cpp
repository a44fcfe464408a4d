#include "app/gui/learn/LearnController.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/learn/LearnPanel.h"
#include "app/gui/learn/LessonNames.h"
#include "app/gui/learn/LessonOps.h"
#include "app/gui/learn/LessonPictures.h"
#include "app/gui/learn/LessonPointer.h"
#include "app/gui/learn/LessonShow.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tiles/TileController.h"
#include "core/protocol/methods/LessonMethods.h"
#include "core/protocol/methods/OpMethods.h"
#include "views/models/ProblemsModel.h"
#include "views/models/ScheduleModel.h"
#include "views/start/Welcome.h"
#include "views/tiles/TileExplorerPanel.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

LearnController::LearnController(Shell &shell, DocumentController &documents, StepsController &steps,
                                 GraphController &graph, TextController &text, ScheduleController &schedule,
                                 TileController &tiles)
    : Controller(shell), panel_(new LearnPanel), dock_(shell.docks().add({.area = Qt::RightDockWidgetArea,
                                                                          .name = u"learn"_s,
                                                                          .title = tr("Learn"),
                                                                          .shortcut = u"Alt+L"_s,
                                                                          .beside = u"details"_s,
                                                                          .extent = 330},
                                                                         panel_)),
      steps_(steps), graph_(graph), text_(text), documents_(documents), schedule_(schedule), tiles_(tiles),
      show_(new LessonShow({shell, steps, text, schedule, tiles}, this)),
      pointer_(new LessonPointer(shell, graph, this)) {
  addCommands();
  constexpr int pauseMs = 150;
  typing_.setSingleShot(true);
  typing_.setInterval(pauseMs);
  connect(&typing_, &QTimer::timeout, this, &LearnController::judge);
  connect(&schedule, &ScheduleController::traced, this, [this, &schedule](bool isThere) {
    scheduleRan_ = isThere;
    scheduleFailed_ = isThere && schedule.steps().trace().failed;
    judgeSoon();
  });
  connect(&tiles, &TileController::shown, this, &LearnController::judgeSoon);
  follow();
  connect(&documents, &DocumentController::lessonRequested, this, &LearnController::open);
  connect(&documents.welcome(), &Welcome::appeared, this, [this] {
    drawsPictures_ = true;
    fillStartPage();
  });
  connect(&documents.welcome(), &Welcome::lessonRequested, this, &LearnController::open);
  connect(&documents.welcome(), &Welcome::addLessonsRequested, this, &LearnController::chooseFolder);
  connect(&documents.welcome(), &Welcome::forgetLessonsRequested, this, &LearnController::removeFolder);
}

void LearnController::addCommands() {
  menu_ = shell().menus().addMenu(Place::HelpLessons, tr("Less&ons"));
  connect(menu_, &QMenu::aboutToShow, this, &LearnController::fillMenu); // as far as one is now
  addFolder_ = command(tr("&Add a Folder of Lessons\u2026"), u"open"_s);
  on(addFolder_, [this] { chooseFolder(); });
  fillMenu();
}

QStringList LearnController::folders() const {
  return settings().text(u"lessonFolders"_s).split(u'\n', Qt::SkipEmptyParts);
}

void LearnController::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(&shell().window(), tr("Add a folder of lessons"));
  if (!folder.isEmpty())
    addFolder(folder);
}

void LearnController::addFolder(const QString &folder) {
  QStringList all = folders();
  if (!all.contains(folder))
    all.append(folder);
  settings().setText(u"lessonFolders"_s, all.join(u'\n'));
  requestList();
}

void LearnController::removeFolder(const QString &folder) {
  QStringList all = folders();
  all.removeAll(folder);
  settings().setText(u"lessonFolders"_s, all.join(u'\n'));
  requestList();
}

void LearnController::follow() {
  connect(&text_, &TextController::selectionChanged, this, &LearnController::followSelection);
  connect(&session(), &EngineSession::recorded, this, &LearnController::judgeSoon);
  connect(&session(), &EngineSession::fused, this, &LearnController::judgeSoon);
  connect(&session(), &EngineSession::historyMoved, this, &LearnController::judgeSoon);
  connect(&shell().centre(), &Centre::viewShown, this, &LearnController::judgeSoon);
  connect(panel_, &LearnPanel::answered, this, &LearnController::judge);
  connect(panel_, &LearnPanel::taskRequested, this, &LearnController::goTo);
  connect(panel_, &LearnPanel::nextLessonRequested, this, [this] {
    if (const protocol::Lesson *next = nextLesson())
      open(next->folder);
  });
  connect(panel_, &LearnPanel::showRequested, this, &LearnController::show);
  connect(show_, &LessonShow::answered, this, [this](const QString &answer) { panel_->answerEdit()->setText(answer); });
  connect(show_, &LessonShow::finished, this, [this] {
    panel_->setShowing(false);
    judge();
  });
  connect(show_, &LessonShow::failed, this, [this](const QString &why) {
    panel_->setShowing(false);
    panel_->setProblem(why);
  });
}

void LearnController::sessionChanged() {
  if (!isListed_ && session().state() == EngineSession::State::Ready)
    requestList();
}

void LearnController::requestList() {
  isListed_ = true;
  session().client().call<method::ListLessons>(
      {.folders = folders()}, this,
      [this](const protocol::Lessons &known) {
        known_ = known.lessons;
        fillMenu();
        fillStartPage();
        QStringList problems;
        for (const protocol::Diagnostic &problem : known.problems)
          problems.append(formatLocation(problem, true) + u": "_s + problem.message);
        documents_.welcome().setLessonFolders(folders(), problems);
      },
      [this](const protocol::Error &) { isListed_ = false; });
}

/// Tasks of a lesson that are done.
qsizetype LearnController::doneOf(const protocol::Lesson &lesson) const {
  const QString progress = settings().text(u"lesson/%1"_s.arg(lesson.folder));
  return std::min(progress.section(u';', 1).split(u',', Qt::SkipEmptyParts).size(), lesson.tasks.size());
}

/// "3 of 4 tasks done", "5 min"
void LearnController::fillStartPage() {
  constexpr QSize pictureSize(224, 168); // twice that of the cards, for screens at scale 2
  QList<LessonFile> files;
  for (const protocol::Lesson &lesson : std::as_const(known_)) {
    const qsizetype done = doneOf(lesson);
    const QString far =
        done > 0 ? tr("%1 of %2 tasks done").arg(done).arg(lesson.tasks.size()) : tr("%1 min").arg(lesson.minutes);
    files.append({.name = lesson.folder,
                  .title = u"%1. %2"_s.arg(lesson.number).arg(lesson.title),
                  .line = u"%1 \u00b7 %2"_s.arg(far, lesson.leads),
                  .picture = drawsPictures_ ? pictureOf(lesson, pictureSize, 1) : QImage(),
                  .isDone = done == lesson.tasks.size()});
  }
  documents_.welcome().setLessons(files);
}

void LearnController::fillMenu() {
  menu_->clear();
  for (const protocol::Lesson &lesson : std::as_const(known_)) {
    QAction *action = menu_->addAction(u"%1. %2"_s.arg(lesson.number).arg(lesson.title), this,
                                       [this, name = lesson.folder] { open(name); });
    const bool isDone = doneOf(lesson) == lesson.tasks.size();
    action->setCheckable(isDone); // ticked off
    action->setChecked(isDone);
  }
  menu_->addSeparator();
  menu_->addAction(addFolder_);
}

void LearnController::open(const QString &lesson) {
  session().client().call<method::OpenLesson>(
      {.lesson = lesson}, this,
      [this, lesson](const protocol::Lesson &opened) {
        wanted_ = opened;
        wantedName_ = lesson; // until then, the document on screen is of the lesson before
        documents_.open(opened.folder + u'/' + opened.module);
      },
      [this](const protocol::Error &error) {
        emit shell().errorReported(u"lesson"_s, tr("The lesson cannot be opened"), error);
      });
}

/// The lesson's module is there, or another document in its place.
void LearnController::opened(const protocol::Document &document) {
  show_->stop();
  selectedOp_.clear();
  selectedValue_.clear();
  scheduleRan_ = false;
  pointer_->closeOpened(); // what the lesson before opened is not of this one
  if (isModuleOf(wanted_, document.path)) {
    lesson_ = std::exchange(wanted_, {});
    name_ = std::exchange(wantedName_, {});
    tiles_.panel().reset();
    readProgress();
    shell().docks().raise(dock_);
    begin();
    prepare(0);
  } else if (!lesson_.title.isEmpty() && !isModuleOf(lesson_, document.path)) {
    lesson_ = {};
    pointer_->point({});
    panel_->clear();
    dock_->hide();
  }
  if (lesson_.title.isEmpty()) // also where somebody goes on before the rest of the last time is back
    restoreDocument(settings().documentState(document.path));
}

bool LearnController::isModuleOf(const protocol::Lesson &lesson, const QString &path) const {
  return !lesson.title.isEmpty() && QFileInfo(path) == QFileInfo(lesson.folder + u'/' + lesson.module);
}

void LearnController::saveDocument(QJsonObject &state) const {
  if (!lesson_.title.isEmpty()) // whose module the document is, see opened()
    state.insert("lesson"_L1, name_);
}

/// At the next start the lesson goes on, too; step and selection come back by themselves.
void LearnController::restoreDocument(const QJsonObject &state) {
  const QString name = state["lesson"_L1].toString();
  if (name.isEmpty() || !lesson_.title.isEmpty())
    return;
  session().client().call<method::OpenLesson>(
      {.lesson = name}, this,
      [this, name](const protocol::Lesson &opened) {
        if (!lesson_.title.isEmpty() || !isModuleOf(opened, session().document().path))
          return;
        name_ = name;
        lesson_ = opened;
        readProgress();
        shell().docks().raise(dock_);
        begin();
      },
      [](const protocol::Error &) {});
}

/// Makes the program what tasks from this one on, up to the one that is shown, leave behind.
void LearnController::prepare(int from) {
  static const QStringList verbs{u"fuse"_s, u"clean"_s, u"pipeline"_s, u"record"_s, u"step"_s};
  QStringList actions;
  for (int task = from; task < task_; ++task)
    for (const QString &action : lesson_.tasks[task].show)
      if (verbs.contains(action.section(u' ', 0, 0)))
        actions.append(action);
  if (!actions.isEmpty())
    show_->start(actions, lesson_.folder);
}

/// By its number; null: this was the last one, or one of somebody's own.
const protocol::Lesson *LearnController::nextLesson() const {
  const auto own = std::find_if(known_.begin(), known_.end(),
                                [this](const protocol::Lesson &lesson) { return lesson.folder == name_; });
  return own == known_.end() || own + 1 == known_.end() ? nullptr : &*(own + 1);
}

void LearnController::goTo(int task) {
  if (task >= lesson_.tasks.size()) {
    pointer_->point({});
    const protocol::Lesson *next = nextLesson();
    panel_->setEnd(lesson_, int(done_.size()), next ? next->title : QString());
    return;
  }
  const int before = task_;
  task_ = std::max(task, 0);
  show_->stop();
  begin();
  if (task_ > before && !isDone(before))
    prepare(before); // a task that was skipped
}

void LearnController::begin() {
  panel_->setTask(lesson_, task_, isDone(task_));
  pointer_->point(lesson_.tasks[task_].point);
  keepProgress();
  judgeSoon();
}

void LearnController::show() {
  if (lesson_.tasks.isEmpty())
    return;
  panel_->setShowing(true);
  show_->start(lesson_.tasks[task_].show, lesson_.folder);
}

void LearnController::followSelection(int snapshot, qint64 id) {
  selectedOp_.clear();
  if (lesson_.tasks.isEmpty() || id < 0)
    return judgeSoon();
  asksOp_ = true;
  session().client().call<method::OpDetails>(
      {.snapshot = snapshot, .id = id}, this,
      [this](const protocol::OpDetails &details) {
        asksOp_ = false;
        selectedOp_ = details.op;
        selectedValue_ = details.results.isEmpty() ? QString() : details.results.first().name;
        judgeSoon();
      },
      [this](const protocol::Error &) { asksOp_ = false; }, u"lesson op"_s);
}

void LearnController::stepShown(const ShownStep &) { judgeSoon(); }

void LearnController::engineRecovered(int) { judgeSoon(); }

/// What the window knows of a goal, as a number; empty: nothing.
QString LearnController::toldOf(const protocol::LessonGoal &goal) const {
  const QString first = goal.arguments.value(0);
  const auto truth = [](bool is) { return is ? u"1"_s : u"0"_s; };
  if (goal.fact == "answer"_L1)
    return panel_->answeredNumber();
  if (goal.fact == "choice"_L1)
    return panel_->answer().size() == 1 ? QString::number(panel_->answer().toLower()[0].unicode() - u'a' + 1)
                                        : QString();
  if (goal.fact == "selected"_L1)
    return selectedOp_.isEmpty() ? QString() : truth(isCalled(first, selectedOp_, selectedValue_));
  if (goal.fact == "step"_L1)
    return truth(steps_.currentStep() && steps_.currentStep()->name == first);
  if (goal.fact == "view"_L1)
    return truth(lessonViews()[int(shell().centre().shownView())] == first);
  if (goal.fact == "panel"_L1) {
    const QDockWidget *dock = shell().docks().find(first);
    return truth(dock && dock->isVisible());
  }
  if (goal.fact == "recomputed"_L1 || goal.fact.contains(u"tile"_s))
    return toldOfTile(goal.fact, first);
  return scheduleRan_ ? toldOfSchedule(goal.fact, goal.arguments) : QString();
}

QString LearnController::toldOfTile(const QString &fact, const QString &op) const {
  const protocol::TileReport *report = tiles_.report();
  if (!report || !isCalled(op, report->op.op, report->op.name) || (fact == "tile cache"_L1 && report->cache == 0))
    return {};
  if (fact == "tile loads"_L1) {
    const std::optional<double> loaded = tiles_.panel().side(0).sequence().allLoaded();
    return loaded ? QString::number(*loaded, 'g', 17) : QString();
  }
  const double value = fact == "tiles"_L1           ? double(report->tiles)
                       : fact == "smaller tiles"_L1 ? double(report->smallerTiles())
                       : fact == "tile bytes"_L1    ? double(report->workgroupBytes)
                       : fact == "tile traffic"_L1  ? report->movedBytes()
                       : fact == "tile cache"_L1    ? double(report->cache)
                                                    : report->recomputedPoints();
  return QString::number(value, 'g', 17);
}

/// Of the place that the schedule's panel stands at.
QString LearnController::toldOfSchedule(const QString &fact, const QStringList &arguments) const {
  const auto number = [](int value) { return QString::number(value); };
  if (fact == "schedule runs"_L1)
    return number(!scheduleFailed_);
  if (fact == "form at"_L1) {
    for (const protocol::LineForms &line : schedule_.steps().trace().forms)
      if (number(line.line) == arguments.value(0) && line.forms.contains(arguments.value(1)))
        return number(1);
    return number(0);
  }
  int live = 0;
  QString state;
  for (int row = 0; row < schedule_.handles().rowCount(); ++row)
    if (const protocol::ScheduleHandle *handle = schedule_.handles().handleAt(row)) {
      const bool isLive = handle->state == "live"_L1;
      live += isLive && handle->kind != "param"_L1;
      if (handle->name == arguments.value(0))
        state = number(isLive ? 0 : handle->state == "consumed"_L1 ? 1 : 2);
    }
  return fact == "handle"_L1 ? state : number(live);
}

QMap<QString, QString> LearnController::told() const {
  QMap<QString, QString> told;
  for (const protocol::LessonGoal &goal : lesson_.tasks[task_].goals)
    if (const QString value = goal.ofWindow ? toldOf(goal) : QString(); !value.isEmpty())
      told.insert(goal.arguments.isEmpty() ? goal.fact : goal.fact + u' ' + goal.arguments.join(u" -> "_s), value);
  return told;
}

void LearnController::judge() {
  typing_.stop();
  if (lesson_.tasks.isEmpty() || !session().hasDocument())
    return;
  if (session().isBusy())
    return judgeSoon();
  QStringList goals;
  for (const protocol::LessonGoal &goal : lesson_.tasks[task_].goals)
    goals.append(goal.text);
  isJudging_ = true;
  session().client().call<method::JudgeLesson>(
      {.snapshot = text_.snapshot(), .goals = goals, .told = told()}, this,
      [this, task = task_](const protocol::LessonState &state) {
        isJudging_ = false;
        if (task == task_)
          takeState(state);
      },
      [this](const protocol::Error &error) {
        isJudging_ = false;
        if (error.code != protocol::Error::Cancelled)
          panel_->setProblem(error.message);
      },
      u"lesson"_s);
}

void LearnController::takeState(const protocol::LessonState &state) {
  panel_->setState(state);
  const bool holds = std::all_of(state.goals.begin(), state.goals.end(),
                                 [](const protocol::LessonGoalState &goal) { return goal.holds; });
  if (!holds)
    return;
  done_.insert(task_);
  keepProgress();
  pointer_->point({});
  panel_->setDone();
}

/// "3;0,1,2": the task where it was left, and those that are done.
void LearnController::keepProgress() {
  QStringList done;
  for (const int task : std::as_const(done_))
    done.append(QString::number(task));
  settings().setText(u"lesson/%1"_s.arg(name_), u"%1;%2"_s.arg(task_).arg(done.join(u',')));
}

void LearnController::readProgress() {
  const QString text = settings().text(u"lesson/%1"_s.arg(name_));
  done_.clear();
  for (const QString &task : text.section(u';', 1).split(u',', Qt::SkipEmptyParts))
    done_.insert(task.toInt());
  task_ = std::clamp(text.section(u';', 0, 0).toInt(), 0, int(lesson_.tasks.size()) - 1);
}

bool LearnController::isSettled() const { return !isJudging_ && !asksOp_ && !show_->isActive() && !typing_.isActive(); }

} // namespace fuselage
