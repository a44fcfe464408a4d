// The whole graph in a corner, with the part in sight marked.
#pragma once
#include "views/common/Theme.h"
#include "views/graph/Camera.h"
#include "views/graph/PreparedScene.h"
#include <QPixmap>
#include <QWidget>

namespace fuselage {

/// Click or drag moves the camera there.
class Minimap : public QWidget {
  Q_OBJECT
public:
  explicit Minimap(QWidget *parent);
  /// `scene` must outlive the next call; nullptr: none.
  void setScene(const PreparedScene *scene);
  void setVisibleArea(const QRectF &area);
  /// The size that shows the scene's proportions, within limits.
  QSize sizeHint() const override;

signals:
  void centerRequested(const QPointF &point);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  QTransform toMap() const;
  void renderScene();
  const PreparedScene *scene_ = nullptr;
  QRectF area_;
  QPixmap picture_;
};

} // namespace fuselage
