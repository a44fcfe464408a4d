#include "app/gui/layout/LayoutController.h"
#include "app/gui/shell/Settings.h"
#include <QActionGroup>
#include <QApplication>
#include <QMainWindow>
#include <QMenu>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

using Task = LayoutController::Task;
static constexpr Task allTasks[] = {Task::Inspect, Task::Step, Task::Tiles, Task::Run};

namespace {
struct Plan {
  QString name, title;
  QStringList open; ///< of docks in one place, the first is in front
  QMap<QString, int> extents;
  View view = View::Graph;
};
} // namespace

static const Plan &planOf(Task task) {
  static const Plan plans[] = {
      {u"inspect"_s,
       LayoutController::tr("&Inspect"),
       {u"steps"_s, u"outline"_s, u"details"_s},
       {{u"steps"_s, 300}, {u"details"_s, 300}}},
      {u"step"_s, LayoutController::tr("&Step"), {u"steps"_s, u"outline"_s}, {{u"steps"_s, 340}}, View::Diff},
      {u"tiles"_s, LayoutController::tr("&Tiles"), {u"steps"_s, u"tiles"_s}, {{u"steps"_s, 240}, {u"tiles"_s, 430}}},
      {u"run"_s,
       LayoutController::tr("&Run"),
       {u"steps"_s, u"run"_s, u"fusion"_s, u"problems"_s},
       {{u"steps"_s, 280}, {u"run"_s, 360}}},
  };
  return plans[int(task)];
}

/// Tiles have 60 % of the window, however large it is.
static QMap<QString, int> extentsOf(const Plan &plan, int height) {
  QMap<QString, int> extents = plan.extents;
  if (const auto tiles = extents.find(u"tiles"_s); tiles != extents.end())
    *tiles = std::max(*tiles, height * 3 / 5);
  return extents;
}

LayoutController::LayoutController(Shell &shell)
    : Controller(shell),
      maximize_(toggle(tr("&Maximize the Panel or View"), u"maximize"_s, {QKeySequence(Qt::Key_F11)})),
      reset_(command(tr("Rese&t This Layout"))) {
  addCommands();
  connect(&shell.docks(), &Docks::maximizedChanged, maximize_, &QAction::setChecked);
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
    if (this->shell().hasShortcuts()) // everything has its place by then
      updateKeys(now);
  });
}

void LayoutController::addCommands() {
  QMenu *menu = shell().menus().addMenu(Place::ViewPanels, tr("&Layout"));
  for (const Task task : allTasks) {
    const Plan &plan = planOf(task);
    QAction *action = toggle(plan.title, {}, {QKeySequence(u"Alt+Shift+%1"_s.arg(int(task) + 1))});
    on(action, [this, task] { choose(task); });
    tasks_.append(action);
  }
  exclude(tasks_);
  tasks_[int(current_)]->setChecked(true);
  menu->addActions(tasks_);
  menu->addSeparator();
  menu->addAction(reset_);
  on(reset_, [this] { reset(); });
  on(maximize_, [this] { maximize(); });
  shell().menus().add(Place::ViewPanels, {maximize_});
  shell().menus().add(Place::BarTasks, tasks_);
}

void LayoutController::maximize() { shell().docks().maximize(shell().docks().around(QApplication::focusWidget())); }

/// A panel may have a meaning of its own for the key: stepping into a schedule's frames.
void LayoutController::updateKeys(const QWidget *focus) {
  const QList<QKeySequence> keys = shell().shortcuts().keysOf(maximize_);
  const auto isOne = [&keys](const QAction *action) {
    const QList<QKeySequence> others = action->shortcuts();
    return std::any_of(others.begin(), others.end(), [&](const QKeySequence &key) { return keys.contains(key); });
  };
  bool isTaken = false;
  for (const QWidget *widget = focus; widget && widget != &shell().window() && !isTaken;
       widget = widget->parentWidget()) {
    const QList<QAction *> actions = widget->actions();
    isTaken = std::any_of(actions.begin(), actions.end(), isOne);
  }
  maximize_->setShortcuts(isTaken ? QList<QKeySequence>() : keys);
}

void LayoutController::choose(Task task) {
  if (task != current_)
    settings().setLayout(shell().docks().state(), planOf(current_).name);
  setCurrent(task);
  apply(task, settings().layout(planOf(task).name));
}

void LayoutController::setCurrent(Task task) {
  current_ = task;
  tasks_[int(task)]->setChecked(true);
}

/// A name that no plan has changes nothing.
void LayoutController::recall(const QString &name) {
  for (const Task task : allTasks)
    if (planOf(task).name == name)
      setCurrent(task);
}

void LayoutController::reset() { apply(current_, {}); }

void LayoutController::apply(Task task, const QByteArray &state) {
  const Plan &plan = planOf(task);
  if (state.isEmpty())
    shell().docks().arrange(plan.open, extentsOf(plan, shell().window().height()));
  else
    shell().docks().restore(state);
  shell().showView(plan.view);
}

void LayoutController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  settings.setText(u"task"_s, planOf(current_).name);
}

void LayoutController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  recall(settings.text(u"task"_s));
}

void LayoutController::saveDocument(QJsonObject &state) const {
  state.insert("layout"_L1, QString::fromLatin1(shell().docks().state().toBase64()));
  state.insert("task"_L1, planOf(current_).name);
}

void LayoutController::restoreDocument(const QJsonObject &state) {
  const QByteArray layout = QByteArray::fromBase64(state["layout"_L1].toString().toLatin1());
  if (!layout.isEmpty())
    shell().docks().restore(layout);
  recall(state["task"_L1].toString());
}

} // namespace fuselage
