// The mesh as a grid of devices, colored by the part of a value that each has.
#pragma once
#include "core/pictures/MeshPicture.h"
#include <QWidget>

namespace fuselage {

class MeshView : public QWidget {
  Q_OBJECT
public:
  explicit MeshView(QWidget *parent = nullptr);

  /// Of no devices: nothing is drawn.
  void setSubject(const picture::MeshSubject &subject);
  const picture::MeshDrawing &drawing() const { return drawing_; }

protected:
  void paintEvent(QPaintEvent *event) override;
  void changeEvent(QEvent *event) override;
  bool event(QEvent *event) override;

private:
  void layOut();

  picture::MeshSubject subject_;
  picture::MeshDrawing drawing_;
};

} // namespace fuselage
