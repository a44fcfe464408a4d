#include "views/dialogs/ActionDialog.h"
#include "views/widgets/EmptyHint.h"
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>

using namespace Qt::StringLiterals;

namespace fuselage {

ActionDialog::ActionDialog(QWidget *parent) : QDialog(parent) {
  setWindowTitle(tr("Add to the Schedule"));
  title_ = new QLabel(this);
  title_->setTextFormat(Qt::PlainText);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Actions"));
  list_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  hint_ = new QLabel(this);
  hint_->setWordWrap(true);
  preview_ = new QPlainTextEdit(this);
  preview_->setReadOnly(true);
  preview_->setAccessibleName(tr("The lines that are added"));
  preview_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  preview_->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  preview_->setTabChangesFocus(true);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("Add and Run"));
  form_ = new QFormLayout;

  auto *right = new QVBoxLayout;
  right->addWidget(hint_);
  right->addLayout(form_);
  right->addWidget(new QLabel(tr("Added at the end of the schedule:"), this));
  right->addWidget(preview_, 1);
  auto *middle = new QHBoxLayout;
  middle->addWidget(list_, 2);
  middle->addLayout(right, 5);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(title_);
  layout->addLayout(middle, 1);
  layout->addWidget(buttons_);
  resize(760, 460);

  connect(list_, &QListWidget::currentRowChanged, this, &ActionDialog::choose);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ActionDialog::setActions(const QString &name, const protocol::ScheduleActions &actions, const QString &wanted,
                              const QMap<QString, QString> &values) {
  actions_ = actions;
  values_ = values;
  title_->setText(name);
  list_->clear();
  int first = -1;
  for (int row = 0; row < actions.actions.size(); ++row) {
    const protocol::ScheduleAction &action = actions.actions[row];
    auto *item = new QListWidgetItem(action.title, list_);
    item->setToolTip(action.why.isEmpty() ? QString(action.hint) : tr("Not here: %1").arg(action.why));
    if (!action.why.isEmpty())
      item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    else if (first < 0 || action.name == wanted)
      first = row;
  }
  list_->setMinimumWidth(list_->sizeHintForColumn(0) + 2 * list_->frameWidth() +
                         list_->verticalScrollBar()->sizeHint().width());
  list_->setCurrentRow(first);
  list_->setFocus();
}

QString ActionDialog::action() const {
  const int row = list_->currentRow();
  return row >= 0 && row < actions_.actions.size() ? QString(actions_.actions[row].name) : QString();
}

QWidget *ActionDialog::makeField(const protocol::ScheduleActionOption &option, const QString &value) {
  if (option.choices.isEmpty()) {
    auto *edit = new QLineEdit(value, this);
    connect(edit, &QLineEdit::textChanged, this, &ActionDialog::changed);
    return edit;
  }
  constexpr qsizetype fewEnough = 12; // to be all there is; of more, several may be listed
  auto *box = new QComboBox(this);
  box->addItems(QStringList(option.choices));
  box->setEditable(option.choices.size() > fewEnough);
  if (box->isEditable()) {
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->completer()->setFilterMode(Qt::MatchContains);
    box->completer()->setCompletionMode(QCompleter::PopupCompletion);
  }
  box->setCurrentText(value);
  connect(box, &QComboBox::currentTextChanged, this, &ActionDialog::changed);
  return box;
}

void ActionDialog::choose(int row) {
  while (form_->rowCount() > 0)
    form_->removeRow(0);
  fields_.clear();
  showProblem({});
  if (row < 0 || row >= actions_.actions.size())
    return;
  const protocol::ScheduleAction &action = actions_.actions[row];
  hint_->setText(action.hint);
  for (const protocol::ScheduleActionOption &option : action.options) {
    QWidget *field = makeField(option, values_.value(option.name, option.value));
    field->setToolTip(option.hint);
    field->setAccessibleName(option.title);
    field->setAccessibleDescription(option.hint);
    fields_.insert(option.name, field);
    form_->addRow(option.title, field);
    auto *hint = new QLabel(option.hint, this);
    hint->setWordWrap(true);
    QPalette muted = hint->palette();
    muted.setColor(QPalette::WindowText, mutedText(palette()));
    hint->setPalette(muted);
    form_->addRow(QString(), hint);
  }
  emit changed();
}

QMap<QString, QString> ActionDialog::options() const {
  QMap<QString, QString> values;
  for (auto it = fields_.begin(); it != fields_.end(); ++it) {
    const auto *box = qobject_cast<QComboBox *>(it.value());
    values.insert(it.key(), box ? box->currentText() : qobject_cast<QLineEdit *>(it.value())->text());
  }
  return values;
}

void ActionDialog::showLines(const QString &lines) {
  preview_->setPlainText(lines);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(true);
}

void ActionDialog::showProblem(const QString &problem) {
  preview_->setPlainText(problem);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
}

} // namespace fuselage
