#include "views/widgets/EmptyHint.h"
#include "views/common/Theme.h"
#include <QAbstractProxyModel>
#include <QEvent>
#include <QLineEdit>
#include <QPainter>

namespace fuselage {

QColor mutedText(const QPalette &palette) { return Theme::of(palette).textMuted; }

SignalColours signalColours(const QPalette &palette) {
  const Theme &theme = Theme::of(palette);
  return {theme.success, theme.warning, theme.error, theme.changed};
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

void EmptyHint::watchFilter(QLineEdit *filter) {
  filter_ = filter;
  connect(filter, &QLineEdit::textChanged, this, qOverload<>(&QWidget::update));
}

/// What the view's model leaves out is in the model that it filters.
bool EmptyHint::isFiltered() const {
  if (!filter_ || filter_->text().trimmed().isEmpty() || !view_)
    return false;
  const QAbstractItemModel *model = view_->model();
  while (const auto *proxy = qobject_cast<const QAbstractProxyModel *>(model))
    model = proxy->sourceModel();
  return model && model->rowCount() > 0;
}

QString EmptyHint::title() const { return isFiltered() ? tr("No row matches") : title_; }

QString EmptyHint::hint() const {
  return isFiltered() ? tr("The filter “%1” leaves out all rows. Clear it to see them.").arg(filter_->text()) : hint_;
}

void EmptyHint::refresh() {
  if (!view_)
    return;
  setGeometry(view_->viewport()->rect());
  setVisible(view_->model()->rowCount(view_->rootIndex()) == 0);
}

void EmptyHint::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  paintHint(painter, rect(), palette(), title(), hint());
}

bool EmptyHint::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Resize)
    refresh();
  return QWidget::eventFilter(watched, event);
}

} // namespace fuselage
