// A combo box whose text has dots where the box is too narrow for it.
#pragma once
#include <QComboBox>

namespace fuselage {

class ElidingBox : public QComboBox {
public:
  explicit ElidingBox(QWidget *parent = nullptr, Qt::TextElideMode where = Qt::ElideRight)
      : QComboBox(parent), where_(where) {}

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  Qt::TextElideMode where_;
};

} // namespace fuselage
