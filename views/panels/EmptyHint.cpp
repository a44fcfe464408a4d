#include "views/panels/EmptyHint.h"
#include <QEvent>
#include <QPainter>

namespace fuselage {

bool isDark(const QPalette &palette) { return palette.color(QPalette::Base).lightness() < 128; }

QColor mutedText(const QPalette &palette) {
  const QColor text = palette.color(QPalette::Text), ground = palette.color(QPalette::Base);
  const auto mix = [](int a, int b) { return (a * 62 + b * 38) / 100; };
  return QColor(mix(text.red(), ground.red()), mix(text.green(), ground.green()), mix(text.blue(), ground.blue()));
}

SignalColours signalColours(const QPalette &palette) {
  if (isDark(palette))
    return {QColor(0x6c, 0xc7, 0x8b), QColor(0xe5, 0xb4, 0x5a), QColor(0xf0, 0x7f, 0x7a), QColor(0x7a, 0xb4, 0xf0)};
  return {QColor(0x1f, 0x8a, 0x4c), QColor(0x9a, 0x67, 0x00), QColor(0xc4, 0x2b, 0x2b), QColor(0x1f, 0x6f, 0xc4)};
}

void paintHint(QPainter &painter, const QRect &rect, const QPalette &palette, const QString &title,
               const QString &hint) {
  const QRect space = rect.adjusted(16, 12, -16, -12);
  if (space.width() < 40 || space.height() < 20)
    return;
  QFont bold = painter.font();
  bold.setBold(true);
  constexpr int flags = Qt::AlignHCenter | Qt::TextWordWrap;
  const int titleHeight = QFontMetrics(bold).boundingRect(space, flags, title).height();
  const int hintHeight = QFontMetrics(painter.font()).boundingRect(space, flags, hint).height();
  const int gap = hint.isEmpty() ? 0 : 6;
  const int top = space.top() + std::max(0, (space.height() - titleHeight - gap - hintHeight) / 2);
  const QFont plain = painter.font();
  painter.setPen(mutedText(palette));
  painter.setFont(bold);
  painter.drawText(QRect(space.left(), top, space.width(), titleHeight), flags, title);
  painter.setFont(plain);
  painter.drawText(QRect(space.left(), top + titleHeight + gap, space.width(), hintHeight), flags, hint);
}

EmptyHint::EmptyHint(QAbstractItemView *view, const QString &title, const QString &hint)
    : QWidget(view->viewport()), view_(view), title_(title), hint_(hint) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  view->viewport()->installEventFilter(this);
  const QAbstractItemModel *model = view->model();
  connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyHint::refresh);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyHint::refresh);
  connect(model, &QAbstractItemModel::modelReset, this, &EmptyHint::refresh);
  refresh();
}

void EmptyHint::setText(const QString &title, const QString &hint) {
  title_ = title;
  hint_ = hint;
  update();
}

void EmptyHint::refresh() {
  if (!view_)
    return;
  setGeometry(view_->viewport()->rect());
  setVisible(view_->model()->rowCount(view_->rootIndex()) == 0);
}

void EmptyHint::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  paintHint(painter, rect(), palette(), title_, hint_);
}

bool EmptyHint::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Resize)
    refresh();
  return QWidget::eventFilter(watched, event);
}

} // namespace fuselage
