#include "views/widgets/SearchBar.h"
#include "views/common/Numbers.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTimer>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Long enough to type on, short enough to feel at once.
static constexpr int typingPauseMs = 120;

static QToolButton *button(const QString &icon, const QString &text, QWidget *parent) {
  auto *result = new QToolButton(parent);
  result->setIcon(lineIcon(icon));
  result->setAutoRaise(true);
  result->setToolTip(text);
  result->setAccessibleName(text);
  return result;
}

SearchBar::SearchBar(QWidget *parent) : QWidget(parent) {
  edit_ = new QLineEdit(this);
  edit_->setClearButtonEnabled(true);
  edit_->addAction(lineIcon(u"search"_s), QLineEdit::LeadingPosition);
  edit_->setMaximumWidth(460);
  edit_->installEventFilter(this);
  scope_ = new QLabel(this);
  scope_->setObjectName("searchScope"_L1);
  count_ = new QLabel(this);
  setScope({}, {});
  auto *previous = button(u"up"_s, tr("Previous match (Shift+F3)"), this);
  auto *next = button(u"down"_s, tr("Next match (F3)"), this);
  auto *close = button(u"close"_s, tr("Close (Esc)"), this);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 6, 4);
  layout->setSpacing(4);
  layout->addWidget(scope_);
  layout->addWidget(edit_, 1);
  layout->addWidget(previous);
  layout->addWidget(next);
  layout->addWidget(count_);
  layout->addStretch(1);
  layout->addWidget(close);

  pause_ = new QTimer(this);
  pause_->setSingleShot(true);
  pause_->setInterval(typingPauseMs);
  connect(edit_, &QLineEdit::textChanged, pause_, qOverload<>(&QTimer::start));
  connect(pause_, &QTimer::timeout, this, &SearchBar::check);
  connect(next, &QToolButton::clicked, this, &SearchBar::nextRequested);
  connect(previous, &QToolButton::clicked, this, &SearchBar::previousRequested);
  connect(close, &QToolButton::clicked, this, &SearchBar::close);
}

void SearchBar::activate() {
  show();
  edit_->setFocus(Qt::ShortcutFocusReason);
  edit_->selectAll();
}

void SearchBar::setScope(const QString &name, const QString &hint) {
  const QString where = name.isEmpty() ? tr("Find") : tr("Find in %1").arg(name);
  scope_->setText(where);
  edit_->setAccessibleName(where);
  edit_->setPlaceholderText(hint);
  edit_->setToolTip(hint);
}

void SearchBar::searchNow() {
  pause_->stop();
  check();
}

void SearchBar::close() {
  edit_->clear();
  hide();
  emit closed();
}

void SearchBar::check() {
  const QRegularExpression expression(pattern());
  if (!expression.isValid()) {
    setError(expression.errorString());
    return;
  }
  setMatches(-1, -1);
  emit patternChanged(pattern());
}

QString SearchBar::pattern() const { return edit_->text(); }

void SearchBar::setMatches(int current, int total, bool hasMore) {
  const QString count = hasMore ? tr("the first %1").arg(groupedNumber(total)) : groupedNumber(total);
  count_->setPalette(palette());
  count_->setText(total < 0 || pattern().isEmpty() ? QString()
                  : total == 0                     ? tr("no match")
                  : current >= 0                   ? tr("%1 of %2").arg(groupedNumber(current + 1), count)
                  : hasMore                        ? tr("%1 matches").arg(count)
                                                   : counted(total, tr("match"), tr("matches")));
}

void SearchBar::setError(const QString &message) {
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, signalColours(palette()).error);
  count_->setPalette(colours);
  count_->setText(message);
}

void SearchBar::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape)
    close();
  else
    QWidget::keyPressEvent(event);
}

bool SearchBar::eventFilter(QObject *watched, QEvent *event) {
  if (watched == edit_ && event->type() == QEvent::KeyPress) {
    const auto *key = static_cast<QKeyEvent *>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      if (pause_->isActive()) // who is done typing need not wait
        searchNow();
      if (key->modifiers() & Qt::ShiftModifier)
        emit previousRequested();
      else
        emit nextRequested();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace fuselage
