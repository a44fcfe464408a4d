#include "views/widgets/ElidingBox.h"
#include <QStylePainter>

namespace fuselage {

void ElidingBox::paintEvent(QPaintEvent *) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  const int room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 4;
  option.currentText = fontMetrics().elidedText(option.currentText, where_, room);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace fuselage
