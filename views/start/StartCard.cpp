#include "views/start/StartCard.h"
#include "views/common/Theme.h"
#include <QEnterEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace fuselage {

static constexpr int margin = 10, corner = 8;
static constexpr QSize uprightSize{210, 184}, flatSize{300, 62}, plainSize{300, 76};
static constexpr int uprightPicture = 116, flatPicture = 84;

StartCard::StartCard(Shape shape, const QString &title, const QString &line, QWidget *parent)
    : QAbstractButton(parent), shape_(shape), line_(line) {
  setText(title);
  setAccessibleName(title);
  setAccessibleDescription(line);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(shape == Shape::Upright ? QSizePolicy::Fixed : QSizePolicy::Expanding, QSizePolicy::Fixed);
}

/// Pictures are drawn, or were taken, in light or in dark: the other way round, lightness is turned over and hues stay.
static QImage inTheme(const QImage &picture, const Theme &theme) {
  if (picture.isNull() || (qGray(picture.pixel(0, 0)) < 128) == theme.dark)
    return picture;
  QImage turned = picture.convertToFormat(QImage::Format_RGB32);
  const int ground = theme.dark ? qGray(theme.canvas.rgb()) : 0;
  for (int y = 0; y < turned.height(); ++y) {
    auto *line = reinterpret_cast<QRgb *>(turned.scanLine(y));
    for (int x = 0; x < turned.width(); ++x) {
      // The negative, with red, green and blue turned so that the hue is the same again.
      const int r = qRed(line[x]), g = qGreen(line[x]), b = qBlue(line[x]);
      const int sum = std::max({r, g, b}) + std::min({r, g, b});
      const auto turn = [&](int channel) { return ground + (255 - sum + channel) * (255 - ground) / 255; };
      line[x] = qRgb(turn(r), turn(g), turn(b));
    }
  }
  return turned;
}

void StartCard::setPicture(const QImage &picture) {
  picture_ = picture;
  shown_ = inTheme(picture_, Theme::of(palette()));
  update();
}

void StartCard::changeEvent(QEvent *event) {
  if (event->type() == QEvent::PaletteChange)
    setPicture(picture_);
  QAbstractButton::changeEvent(event);
}

QSize StartCard::sizeHint() const {
  return shape_ == Shape::Upright ? uprightSize : shape_ == Shape::Flat ? flatSize : plainSize;
}

QRect StartCard::pictureRect() const {
  if (shape_ == Shape::Upright)
    return {1, 1, width() - 2, uprightPicture};
  return shape_ == Shape::Flat ? QRect(1, 1, flatPicture, height() - 2) : QRect();
}

/// As a link does, beside Space.
void StartCard::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    click();
  else
    QAbstractButton::keyPressEvent(event);
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
  const QRect picture = pictureRect();
  if (!picture.isEmpty()) {
    painter.save();
    painter.setClipPath(shape);
    painter.fillRect(picture, theme.canvas);
    paintPicture(painter, picture, shown_);
    painter.fillRect(shape_ == Shape::Upright ? QRect(0, picture.bottom(), width(), 1)
                                              : QRect(picture.right(), 0, 1, height()),
                     theme.border);
    painter.restore();
  }
  painter.setPen(QPen(hasFocus() ? theme.accent : isMeant ? theme.borderStrong : theme.border, hasFocus() ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(shape);

  QRect words = rect().adjusted(margin, margin, -margin, -margin);
  if (shape_ == Shape::Upright)
    words.setTop(picture.bottom() + 8);
  else if (shape_ == Shape::Flat)
    words.setLeft(picture.right() + margin);
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
