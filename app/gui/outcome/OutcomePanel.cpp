#include "app/gui/outcome/OutcomePanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/WrapRow.h"
#include <QAction>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

/// The area's ground is Base, whose texts are Text.
static void paint(QLabel *label, const QColor &colour) {
  QPalette own = label->palette();
  own.setColor(QPalette::Text, colour);
  label->setPalette(own);
}

static QLabel *paragraph() {
  auto *label = new QLabel;
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

OutcomePanel::OutcomePanel(QWidget *parent)
    : QWidget(parent), title_(paragraph()), note_(paragraph()), hint_(paragraph()), area_(new QScrollArea),
      table_(new QWidget), grid_(new QGridLayout(table_)), bar_(new QWidget) {
  setObjectName("outcomeCard"_L1);
  setFocusPolicy(Qt::StrongFocus);
  QFont bold = font();
  bold.setBold(true);
  title_->setFont(bold);
  hint_->setText(tr("Fuse an edge, fuse all, clean up, or record a pipeline: what it changed is shown here, before and "
                    "after."));
  hint_->setForegroundRole(QPalette::PlaceholderText);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(8);
  grid_->setVerticalSpacing(1);
  grid_->setColumnStretch(0, 1);
  auto *inner = new QWidget;
  auto *column = new QVBoxLayout(inner);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(6);
  for (QWidget *widget :
       {static_cast<QWidget *>(title_), table_, static_cast<QWidget *>(note_), static_cast<QWidget *>(hint_)})
    column->addWidget(widget);
  column->addStretch(1);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setWidget(inner);
  inner->installEventFilter(this);
  area_->setBackgroundRole(QPalette::Base);
  area_->setFocusPolicy(Qt::NoFocus); // the card has it, and scrolls by its keys
  auto *buttons = new WrapRow;
  buttons->setContentsMargins(10, 4, 10, 8);
  buttons->setSpacing(6);
  bar_->setLayout(buttons);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(area_, 1);
  layout->addWidget(bar_);
  clear();
}

void OutcomePanel::setCommands(const QList<QAction *> &actions) {
  for (QAction *action : actions) {
    auto *button = new QPushButton(action->iconText());
    button->setAutoDefault(true); // Return presses it, too
    button->setToolTip(action->toolTip());
    const auto follow = [button, action] {
      button->setEnabled(action->isEnabled());
      button->setVisible(action->isVisible());
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    bar_->layout()->addWidget(button); // first: a button that is shown alone is a window
    follow();
    buttons_.append(button);
  }
}

QLabel *OutcomePanel::cell(const QString &text, Qt::Alignment alignment) {
  auto *label = new QLabel(text, table_);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment((alignment ? alignment : Qt::AlignLeft) | Qt::AlignVCenter);
  return label;
}

void OutcomePanel::addRow(const OutcomeRow &row) {
  const int line = grid_->rowCount();
  grid_->addWidget(cell(row.what), line, 0);
  grid_->addWidget(cell(row.before, Qt::AlignRight), line, 1);
  grid_->addWidget(cell(row.after, Qt::AlignRight), line, 2);
  QLabel *change = cell(row.change, Qt::AlignRight);
  QLabel *toned = row.change.isEmpty() ? static_cast<QLabel *>(grid_->itemAtPosition(line, 2)->widget()) : change;
  if (row.tone != OutcomeRow::Tone::None) {
    const SignalColours colours = signalColours(palette());
    paint(toned, row.tone == OutcomeRow::Tone::Better ? colours.good : colours.error);
  }
  grid_->addWidget(change, line, 3);
  if (row.how.isEmpty())
    return;
  auto *how = paragraph();
  how->setText(row.how);
  QFont small = how->font();
  small.setPointSizeF(small.pointSizeF() * 0.88);
  how->setFont(small);
  paint(how, mutedText(palette()));
  how->setContentsMargins(0, 0, 0, 4);
  grid_->addWidget(how, line + 1, 0, 1, 4);
}

/// "Dispatches: 3 before, 1 after, −2; counted, as in graph and outline"
static QString sentenceOf(const OutcomeRow &row) {
  QString text = row.before.isEmpty()
                     ? OutcomePanel::tr("%1: %2 after").arg(row.what, row.after)
                     : OutcomePanel::tr("%1: %2 before, %3 after").arg(row.what, row.before, row.after);
  if (!row.change.isEmpty())
    text += u", "_s + row.change;
  return row.how.isEmpty() ? text : text + u"; "_s + row.how;
}

QStringList OutcomePanel::texts() const {
  QStringList texts;
  for (const OutcomeRow &row : rows_)
    texts.append(sentenceOf(row));
  return texts;
}

QString OutcomePanel::title() const { return title_->text(); }

void OutcomePanel::show(const Outcome &outcome) {
  qDeleteAll(table_->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
  delete grid_;
  grid_ = new QGridLayout(table_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(8);
  grid_->setVerticalSpacing(1);
  grid_->setColumnStretch(0, 1);
  title_->setText(u"%1 \u2192 %2"_s.arg(outcome.before.name, outcome.after.name));
  title_->setToolTip(tr("The step that it started from, and the last one that it made"));
  const QStringList titles{{}, tr("Before"), tr("After"), tr("Change")};
  for (int column = 0; column < titles.size(); ++column) {
    QLabel *title = cell(titles[column], column > 0 ? Qt::AlignRight : Qt::AlignLeft);
    paint(title, mutedText(palette()));
    grid_->addWidget(title, 0, column);
  }
  rows_ = rowsOf(outcome);
  for (const OutcomeRow &row : rows_)
    addRow(row);
  QStringList notes;
  if (outcome.isOver)
    notes.append(tr("The list has other steps now: these numbers are of steps that are gone."));
  if (!outcome.problem.isEmpty())
    notes.append(outcome.problem);
  if (!outcome.leftOut.isEmpty())
    notes.append(tr("Left out: %1").arg(outcome.leftOut.join(u"; "_s)));
  note_->setText(notes.join(u'\n'));
  note_->setVisible(!notes.isEmpty());
  table_->setEnabled(!outcome.isOver);
  for (QWidget *widget : {static_cast<QWidget *>(title_), table_, bar_})
    widget->setVisible(true);
  hint_->setVisible(false);
  setAccessibleName(tr("Before and after: %1").arg(title_->text()));
  setAccessibleDescription(texts().join(u'\n'));
}

/// Numbers are never cut off.
void OutcomePanel::fitWidth() {
  area_->setMinimumWidth(area_->widget()->minimumSizeHint().width() +
                         style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, area_));
}

void OutcomePanel::clear() {
  rows_.clear();
  for (QWidget *widget : {static_cast<QWidget *>(title_), table_, static_cast<QWidget *>(note_), bar_})
    widget->setVisible(false);
  hint_->setVisible(true);
  setAccessibleName(tr("Before and after"));
  setAccessibleDescription(hint_->text());
}

bool OutcomePanel::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::LayoutRequest)
    fitWidth();
  return QWidget::eventFilter(watched, event);
}

void OutcomePanel::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape)
    emit closeRequested();
  else
    QWidget::keyPressEvent(event);
}

} // namespace fuselage
