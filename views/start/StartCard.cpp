#include "views/start/StartCard.h"
#include "views/common/Drawing.h"
#include "views/common/Theme.h"
#include "views/widgets/Icons.h"
#include <QEnterEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 10, corner = 8;
static constexpr QSize uprightSize{210, 184}, flatSize{300, 62}, wideSize{300, 86};
static constexpr int uprightPicture = 116, flatPicture = 84, widePicture = 112;

StartCard::StartCard(Shape shape, const QString &title, const QString &line, QWidget *parent)
    : QAbstractButton(parent), shape_(shape), line_(line) {
  setText(title);
  setAccessibleName(title);
  setAccessibleDescription(line);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(shape == Shape::Upright ? QSizePolicy::Fixed : QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StartCard::setPicture(const QImage &picture) {
  picture_ = picture;
  shown_ = drawingInTheme(picture_, Theme::of(palette()));
  update();
}

void StartCard::setDone(bool isDone) {
  isDone_ = isDone;
  setAccessibleDescription(isDone ? tr("Done. %1").arg(line_) : line_);
  update();
}

void StartCard::changeEvent(QEvent *event) {
  if (event->type() == QEvent::PaletteChange)
    setPicture(picture_);
  QAbstractButton::changeEvent(event);
}

QSize StartCard::sizeHint() const {
  return shape_ == Shape::Upright ? uprightSize : shape_ == Shape::Flat ? flatSize : wideSize;
}

QRect StartCard::pictureRect() const {
  if (shape_ == Shape::Upright)
    return {1, 1, width() - 2, uprightPicture};
  if (shape_ == Shape::Wide)
    return picture_.isNull() ? QRect() : QRect(1, 1, widePicture, height() - 2);
  return {1, 1, flatPicture, height() - 2};
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

/// All of the picture, in the middle of the place.
static void paintWhole(QPainter &painter, const QRect &place, const QImage &picture) {
  const QSizeF size = QSizeF(picture.size()).scaled(QSizeF(place.size()), Qt::KeepAspectRatio);
  painter.drawImage(QRectF(place.x() + (place.width() - size.width()) / 2,
                           place.y() + (place.height() - size.height()) / 2, size.width(), size.height()),
                    picture);
}

/// The top of the picture, over the width of the place.
static void paintTop(QPainter &painter, const QRect &place, const QImage &picture) {
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
    shape_ == Shape::Wide ? paintWhole(painter, picture, shown_) : paintTop(painter, picture, shown_);
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
  else if (!picture.isEmpty())
    words.setLeft(picture.right() + margin);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme.text);
  const QFontMetrics metrics(bold);
  const int mark = isDone_ ? metrics.height() + 4 : 0;
  const Qt::TextElideMode elide = shape_ == Shape::Wide ? Qt::ElideRight : Qt::ElideMiddle;
  painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(text(), elide, words.width() - mark));
  if (isDone_) {
    const QSize size(metrics.height(), metrics.height());
    lineIcon(u"check"_s, theme.success).paint(&painter, QRect(words.topRight() - QPoint(size.width() - 1, 0), size));
  }
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
