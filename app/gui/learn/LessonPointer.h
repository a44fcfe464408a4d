// Points at what a task talks about: an op, a panel, a view, a command; by its name.
#pragma once
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QWidget>

class QDockWidget;

namespace fuselage {

class GraphController;
class Shell;

/// A frame around a widget, which the mouse goes through.
class LessonFrame : public QWidget {
  Q_OBJECT
public:
  explicit LessonFrame(QWidget *target);

protected:
  void paintEvent(QPaintEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void follow();
  QPointer<QWidget> target_;
};

class LessonPointer : public QObject {
  Q_OBJECT
public:
  LessonPointer(Shell &shell, GraphController &graph, QObject *parent);
  /// "op matmul", "panel steps", "view graph", "command Fuse This Edge"; empty: nothing any more.
  void point(const QStringList &targets);
  /// Closes the panels that point() opened.
  void closeOpened();
  /// What has a frame now.
  QList<QWidget *> framed() const;

private:
  void pointAt(const QString &target);
  void frame(QWidget *widget);

  Shell &shell_;
  GraphController &graph_;
  QList<QPointer<LessonFrame>> frames_;
  QList<QPointer<QDockWidget>> opened_;
};

} // namespace fuselage
