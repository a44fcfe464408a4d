#include "app/gui/mesh/MeshView.h"
#include "views/common/Theme.h"
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

MeshView::MeshView(QWidget *parent) : QWidget(parent) { setAccessibleName(tr("Devices of the mesh")); }

void MeshView::setSubject(const picture::MeshSubject &subject) {
  subject_ = subject;
  layOut();
}

void MeshView::layOut() {
  constexpr double room = 900; // grids of more than two axes stand side by side up to here
  const QFontMetricsF metrics(font());
  drawing_ = subject_.devices.empty() ? picture::MeshDrawing()
                                      : picture::drawMesh(subject_, room, [&](const std::string &text) {
                                          return metrics.horizontalAdvance(QString::fromStdString(text));
                                        });
  setFixedSize(int(std::ceil(drawing_.width)), int(std::ceil(drawing_.height)));
  QString description = QString::fromStdString(subject_.title);
  for (const picture::MeshCell &cell : drawing_.cells)
    if (!cell.range.empty() && drawing_.cells.size() <= 64)
      description += tr("; device %1 has %2").arg(cell.device).arg(QString::fromStdString(cell.range));
  setAccessibleDescription(description);
  update();
}

void MeshView::paintEvent(QPaintEvent *event) {
  const Theme &theme = Theme::of(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const picture::MeshCell &cell : drawing_.cells) {
    if (!QRectF(cell.x, cell.y, cell.width, cell.height).intersects(event->rect()))
      continue; // of thousands of devices, a few are on screen
    const QRectF box(cell.x + 1.5, cell.y + 1.5, cell.width - 3, cell.height - 3);
    const QColor accent = cell.part < 0 ? theme.borderStrong : theme.dispatch(int(cell.part % picture::partColors));
    painter.setPen(QPen(accent, 1.2));
    painter.setBrush(mix(accent, theme.surface, cell.part < 0 ? 0.1 : 0.24));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme.text);
    const bool hasRange = !cell.range.empty();
    painter.drawText(hasRange ? box.adjusted(0, 4, 0, -box.height() / 2 + 2) : box, Qt::AlignCenter,
                     QString::number(cell.device));
    if (hasRange)
      painter.drawText(box.adjusted(0, box.height() / 2 - 2, 0, -4), Qt::AlignCenter,
                       QString::fromStdString(cell.range));
  }
  const QFont plain = font();
  QFont bold = plain;
  bold.setBold(true);
  for (const picture::MeshLabel &label : drawing_.labels) {
    const QString text = QString::fromStdString(label.text);
    painter.setFont(label.isTitle ? bold : plain);
    painter.setPen(label.isTitle ? theme.text : theme.textMuted);
    const double width = label.isCentered ? QFontMetricsF(painter.font()).horizontalAdvance(text) : 0;
    painter.drawText(QPointF(label.x - width / 2, label.y), text);
  }
}

void MeshView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    layOut();
}

bool MeshView::event(QEvent *event) {
  if (event->type() != QEvent::ToolTip)
    return QWidget::event(event);
  const auto *help = static_cast<QHelpEvent *>(event);
  for (const picture::MeshCell &cell : drawing_.cells)
    if (QRectF(cell.x, cell.y, cell.width, cell.height).contains(help->pos())) {
      QString text = tr("Device %1").arg(cell.device);
      if (!cell.range.empty())
        text += tr(": part %1, elements %2").arg(cell.part).arg(QString::fromStdString(cell.range));
      QToolTip::showText(help->globalPos(), text, this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

} // namespace fuselage
