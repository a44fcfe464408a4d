// Waits until a view has painted what it shows.
#pragma once
#include <QObject>

class QWidget;

namespace fuselage {

class FirstPaint : public QObject {
  Q_OBJECT
public:
  explicit FirstPaint(QWidget &view, QObject *parent = nullptr);
  /// The view has what is to be seen: paints it now if the window is on screen, else waits until it is.
  void await();

signals:
  /// Once.
  void painted();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void tell();
  QWidget &view_;
  enum class Stage { Empty, Waiting, Painting, Painted } stage_ = Stage::Empty;
};

} // namespace fuselage
