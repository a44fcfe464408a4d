// The whole graph in a strip beside it, with the part in sight marked.
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
  /// The strip that it wants of a view: beside a high graph as high as the view, below a wide one as wide.
  QSize sizeIn(QSize room) const;

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
  bool isWide(QSizeF room) const;
  void renderScene();
  const PreparedScene *scene_ = nullptr;
  QRectF area_;
  QPixmap picture_;
};

} // namespace fuselage
