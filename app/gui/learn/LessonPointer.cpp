#include "app/gui/learn/LessonPointer.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/learn/LessonNames.h"
#include "app/gui/learn/LessonOps.h"
#include "app/gui/shell/Shell.h"
#include "views/graph/GraphView.h"
#include "views/widgets/EmptyHint.h"
#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QToolBar>
#include <QToolButton>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

LessonFrame::LessonFrame(QWidget *target) : QWidget(target->window()), target_(target) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  for (QWidget *widget = target; widget; widget = widget->parentWidget())
    widget->installEventFilter(this);
  follow();
}

/// It stays where its target is.
void LessonFrame::follow() {
  if (!target_ || !target_->isVisible())
    return hide();
  constexpr int margin = 2;
  const QPoint place = target_->mapTo(target_->window(), QPoint());
  setGeometry(QRect(place, target_->size()).adjusted(-margin, -margin, margin, margin));
  show();
  raise();
}

bool LessonFrame::eventFilter(QObject *, QEvent *event) {
  switch (event->type()) {
  case QEvent::Move:
  case QEvent::Resize:
  case QEvent::Show:
  case QEvent::Hide:
    follow();
    break;
  default:
    break;
  }
  return false;
}

void LessonFrame::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr qreal width = 3, radius = 5;
  painter.setPen(QPen(signalColours(palette()).warning, width)); // the accent says where the keyboard is
  painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), radius, radius);
}

LessonPointer::LessonPointer(Shell &shell, GraphController &graph, QObject *parent)
    : QObject(parent), shell_(shell), graph_(graph) {}

void LessonPointer::point(const QStringList &targets) {
  for (const QPointer<LessonFrame> &frame : std::as_const(frames_))
    delete frame;
  frames_.clear();
  for (const QString &target : targets)
    pointAt(target);
}

QList<QWidget *> LessonPointer::framed() const {
  QList<QWidget *> widgets;
  for (const QPointer<LessonFrame> &frame : frames_)
    if (frame)
      widgets.append(frame);
  return widgets;
}

void LessonPointer::closeOpened() {
  for (const QPointer<QDockWidget> &dock : std::exchange(opened_, {}))
    if (dock)
      dock->close();
}

void LessonPointer::frame(QWidget *widget) {
  if (widget)
    frames_.append(new LessonFrame(widget));
}

/// The button of a command in the toolbar, else the menu that has it.
static QWidget *widgetOf(QWidget &window, const QString &command) {
  for (QAction *action : window.findChildren<QAction *>()) {
    if (lessonNameOf(*action) != command)
      continue;
    for (QToolBar *bar : window.findChildren<QToolBar *>())
      if (QWidget *button = bar->widgetForAction(action))
        return button;
  }
  return nullptr;
}

void LessonPointer::pointAt(const QString &target) {
  const QString kind = target.section(u' ', 0, 0), name = target.section(u' ', 1);
  if (kind == "panel"_L1) {
    if (QDockWidget *dock = shell_.docks().find(name)) {
      if (dock->isHidden())
        opened_.append(dock);
      shell_.docks().raise(dock);
      frame(dock);
    }
  } else if (kind == "view"_L1) {
    frame(shell_.centre().currentView());
  } else if (kind == "command"_L1) {
    frame(widgetOf(shell_.window(), name));
  } else {
    findOp(shell_.session().client(), graph_.scenes().snapshot(), name, this, [this](qint64 op) {
      if (op < 0)
        return;
      graph_.view().reveal(graph_.view().scene().hiddenOps.value(op, op), false);
      graph_.view().flashChanges();
    });
  }
}

} // namespace fuselage
