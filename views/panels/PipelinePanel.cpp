#include "views/panels/PipelinePanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Letters before a completion is offered unasked.
static constexpr qsizetype lettersToOffer = 2;

static bool isPassCharacter(QChar character) {
  return character.isLetterOrNumber() || character == u'-' || character == u'_' || character == u'.';
}

PipelineEdit::PipelineEdit(QWidget *parent)
    : QPlainTextEdit(parent), completer_(new QCompleter(this)), names_(new QStringListModel(this)) {
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  setTabChangesFocus(true);
  setAccessibleName(tr("Pipeline"));
  completer_->setModel(names_);
  completer_->setWidget(this);
  completer_->setFilterMode(Qt::MatchContains);
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  completer_->setCompletionMode(QCompleter::PopupCompletion);
  connect(completer_, qOverload<const QString &>(&QCompleter::activated), this, &PipelineEdit::complete);
}

void PipelineEdit::setPasses(const QList<protocol::Pass> &passes) {
  QStringList names;
  for (const protocol::Pass &pass : passes)
    names.append(pass.argument);
  names_->setStringList(names);
}

QString PipelineEdit::wordUnderCursor() const {
  const QString line = textCursor().block().text();
  const int end = textCursor().positionInBlock();
  int begin = end;
  while (begin > 0 && isPassCharacter(line[begin - 1]))
    --begin;
  return line.mid(begin, end - begin);
}

void PipelineEdit::complete(const QString &pass) {
  QTextCursor cursor = textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, int(wordUnderCursor().size()));
  cursor.insertText(pass);
  setTextCursor(cursor);
}

void PipelineEdit::offer(bool force) {
  const QString word = wordUnderCursor();
  completer_->setCompletionPrefix(word);
  const bool isComplete = completer_->completionCount() == 1 && completer_->currentCompletion() == word;
  if ((!force && word.size() < lettersToOffer) || completer_->completionCount() == 0 || isComplete) {
    completer_->popup()->hide();
    return;
  }
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
  QRect place = cursorRect();
  place.setWidth(completer_->popup()->sizeHintForColumn(0) +
                 completer_->popup()->verticalScrollBar()->sizeHint().width() + 8);
  completer_->complete(place);
}

void PipelineEdit::keyPressEvent(QKeyEvent *event) {
  if (completer_->popup()->isVisible()) {
    switch (event->key()) {
    case Qt::Key_Enter:
    case Qt::Key_Return:
    case Qt::Key_Escape:
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      event->ignore(); // the popup takes them
      return;
    default:
      break;
    }
  }
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (control && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
    emit submitted();
    return;
  }
  const bool asked = control && event->key() == Qt::Key_Space;
  if (!asked)
    QPlainTextEdit::keyPressEvent(event);
  if (asked || (!control && !event->text().isEmpty() && isPassCharacter(event->text().front())) ||
      event->key() == Qt::Key_Backspace)
    offer(asked);
}

PipelinePanel::PipelinePanel(QWidget *parent) : QWidget(parent) {
  preset_ = new QComboBox(this);
  preset_->setAccessibleName(tr("Preset"));
  preset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  preset_->setMinimumContentsLength(16);
  preset_->addItem(tr("Default pipeline"), QString());
  target_ = new QComboBox(this);
  target_->setAccessibleName(tr("Target"));
  target_->addItem(tr("SPIR-V"), u"spirv"_s);
  target_->addItem(tr("PTX"), u"ptx"_s);
  target_->setToolTip(tr("What the default pipeline lowers to"));
  auto *schedule = new QPushButton(lineIcon(u"open"_s), tr("Load schedule\u2026"), this);
  schedule->setToolTip(tr("Record a transform-dialect script"));
  record_ = new QPushButton(lineIcon(u"steps"_s), tr("Re&cord"), this);
  record_->setToolTip(tr("Record the pipeline step by step (Ctrl+Return)"));
  edit_ = new PipelineEdit(this);
  edit_->setPlaceholderText(tr("Empty: the default pipeline. Or type one, such as\nbuiltin.module(canonicalize,func.func(cse))"));
  origin_ = new QLabel(this);
  origin_->setWordWrap(true);
  origin_->setVisible(false);
  back_ = new QPushButton(lineIcon(u"previous"_s), tr("Back to the log"), this);
  back_->setVisible(false);
  description_ = new QLabel(this);
  description_->setWordWrap(true);
  description_->setVisible(false);
  error_ = new QLabel(this);
  error_->setWordWrap(true);
  error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  error_->setVisible(false);

  auto *tools = new QHBoxLayout;
  tools->setSpacing(6);
  tools->addWidget(preset_, 1);
  tools->addWidget(target_);
  tools->addWidget(schedule);
  tools->addWidget(record_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(6);
  auto *origin = new QHBoxLayout;
  origin->setSpacing(6);
  origin->addWidget(origin_, 1);
  origin->addWidget(back_);
  layout->addLayout(origin);
  layout->addLayout(tools);
  layout->addWidget(description_);
  layout->addWidget(edit_, 1);
  layout->addWidget(error_);

  setFocusProxy(edit_);
  connect(preset_, qOverload<int>(&QComboBox::activated), this, &PipelinePanel::choosePreset);
  connect(record_, &QPushButton::clicked, this, [this] { emit recordRequested(request()); });
  connect(edit_, &PipelineEdit::submitted, this, [this] {
    if (record_->isEnabled())
      emit recordRequested(request());
  });
  connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
    setError({});
    schedule_.clear();
  });
  connect(schedule, &QPushButton::clicked, this, &PipelinePanel::scheduleRequested);
  connect(back_, &QPushButton::clicked, this, &PipelinePanel::originRequested);
}

void PipelinePanel::setCatalog(const protocol::Catalog &catalog) {
  edit_->setPasses(catalog.passes);
  if (catalog.presets.isEmpty())
    return;
  preset_->clear();
  for (const protocol::Preset &preset : catalog.presets) {
    preset_->addItem(preset.name, preset.pipeline);
    preset_->setItemData(preset_->count() - 1, preset.description, Qt::ToolTipRole);
  }
}

void PipelinePanel::choosePreset(int index) {
  edit_->setPlainText(preset_->itemData(index).toString());
  const QString description = preset_->itemData(index, Qt::ToolTipRole).toString();
  description_->setText(description);
  description_->setVisible(!description.isEmpty());
}

RecordRequest PipelinePanel::request() const {
  // Line breaks are for the reader; MLIR's parser of pipelines knows none.
  return {.pipeline = schedule_.isEmpty() ? edit_->toPlainText().simplified() : QString(),
          .schedule = schedule_,
          .target = target_->currentData().toString(),
          .from = -1};
}

void PipelinePanel::setSchedule(const QString &path) {
  edit_->clear();
  schedule_ = path;
  description_->setText(path.isEmpty() ? QString() : tr("Schedule: %1").arg(QFileInfo(path).fileName()));
  description_->setVisible(!path.isEmpty());
}

void PipelinePanel::setOrigin(const QString &text, bool canGoBack) {
  origin_->setText(text);
  origin_->setVisible(!text.isEmpty());
  back_->setVisible(canGoBack);
}

void PipelinePanel::setEnabledToRecord(bool enabled) { record_->setEnabled(enabled); }

void PipelinePanel::setError(const QString &message) {
  error_->setText(message);
  error_->setVisible(!message.isEmpty());
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, signalColours(palette()).error);
  error_->setPalette(colours);
}

} // namespace fuselage
