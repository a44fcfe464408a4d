#include "views/start/StartCard.h"
#include "views/common/Theme.h"
#include <QEnterEvent>
#include <QPainter>
#include <QPainterPath>

namespace fuselage {

static constexpr int margin = 10, corner = 8;
static constexpr QSize uprightSize{210, 184}, flatSize{300, 62};
static constexpr int uprightPicture = 116, flatPicture = 84;

StartCard::StartCard(Shape shape, const QString &title, const QString &line, QWidget *parent)
    : QAbstractButton(parent), shape_(shape), line_(line) {
  setText(title);
  setAccessibleName(title);
  setAccessibleDescription(line);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(shape == Shape::Flat ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StartCard::setPicture(const QImage &picture) {
  picture_ = picture;
  update();
}

QSize StartCard::sizeHint() const { return shape_ == Shape::Upright ? uprightSize : flatSize; }

QRect StartCard::pictureRect() const {
  if (shape_ == Shape::Upright)
    return {1, 1, width() - 2, uprightPicture};
  return {1, 1, flatPicture, height() - 2};
}

void StartCard::enterEvent(QEnterEvent *) { update(); }
void StartCard::leaveEvent(QEvent *) { update(); }

/// The top of the picture, over the width of the place.
static void paintPicture(QPainter &painter, const QRect &place, const QImage &picture) {
  if (picture.isNull())
    return;
  const double scale = double(place.width()) / picture.width();
  const double visible = std::min<double>(picture.height(), place.height() / scale);
  painter.drawImage(QRectF(place.x(), place.y(), place.width(), visible * scale), picture,
                    QRectF(0, 0, picture.width(), visible));
}

void StartCard::paintEvent(QPaintEvent *) {
  const Theme &theme = Theme::of(palette());
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  const bool isMeant = underMouse() || isDown();
  QPainterPath shape;
  shape.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
  painter.fillPath(shape, isMeant ? mix(theme.text, theme.surfaceRaised, 0.05) : theme.surfaceRaised);
  painter.save();
  painter.setClipPath(shape);
  const QRect picture = pictureRect();
  painter.fillRect(picture, theme.canvas);
  paintPicture(painter, picture, picture_);
  painter.fillRect(shape_ == Shape::Upright ? QRect(0, picture.bottom(), width(), 1)
                                            : QRect(picture.right(), 0, 1, height()),
                   theme.border);
  painter.restore();
  painter.setPen(QPen(hasFocus() ? theme.accent : isMeant ? theme.borderStrong : theme.border, hasFocus() ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(shape);

  QRect words = rect().adjusted(margin, margin, -margin, -margin);
  shape_ == Shape::Upright ? words.setTop(picture.bottom() + 8) : words.setLeft(picture.right() + margin);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme.text);
  const QFontMetrics metrics(bold);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(text(), Qt::ElideMiddle, words.width()));
  words.setTop(words.top() + metrics.lineSpacing() + 1);
  painter.setFont(font());
  painter.setPen(theme.textMuted);
  if (shape_ == Shape::Flat)
    painter.drawText(words, Qt::AlignLeft | Qt::AlignTop,
                     QFontMetrics(font()).elidedText(line_, Qt::ElideMiddle, words.width()));
  else
    painter.drawText(words, int(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, line_);
}

} // namespace fuselage
