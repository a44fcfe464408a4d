#include "views/editor/ScriptEditor.h"
#include "views/editor/ScriptEdit.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Rows of the list in sight at once.
static constexpr int visibleProblems = 4;

ScriptEditor::ScriptEditor(QWidget *parent) : QWidget(parent), edit_(new ScriptEdit(this)) {
  title_ = new QLabel(this);
  title_->setTextFormat(Qt::PlainText);
  verdict_ = new QLabel(this);
  verdict_->setTextFormat(Qt::PlainText);
  place_ = new QLabel(this);
  problems_ = new QListWidget(this);
  problems_->setAccessibleName(tr("Problems of the script"));
  problems_->setFrameShape(QFrame::NoFrame);
  problems_->setUniformItemSizes(true);
  problems_->hide();
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(6, 3, 10, 3);
  bar->setSpacing(2);
  for (QToolButton *button :
       {addButton(u"text"_s, tr("New schedule (Ctrl+N)"), &ScriptEditor::newRequested),
        addButton(u"open"_s, tr("Open a schedule (Ctrl+Alt+O)"), &ScriptEditor::openRequested),
        addButton(u"save"_s, tr("Save the schedule (Ctrl+S)"), &ScriptEditor::saveRequested),
        addButton(u"reload"_s, tr("Reload the schedule from its file"), &ScriptEditor::reloadRequested)})
    bar->addWidget(button);
  bar->addSpacing(6);
  bar->addWidget(title_);
  bar->addSpacing(12);
  bar->addWidget(verdict_, 1);
  bar->addWidget(place_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(edit_, 1);
  layout->addWidget(problems_);
  setFocusProxy(edit_);
  connect(edit_, &QPlainTextEdit::modificationChanged, this, &ScriptEditor::showTitle);
  connect(edit_, &QPlainTextEdit::cursorPositionChanged, this, &ScriptEditor::showPlace);
  const auto goTo = [this](const QListWidgetItem *item) {
    edit_->goToLine(item->data(Qt::UserRole).toInt(), item->data(Qt::UserRole + 1).toInt());
    edit_->setFocus();
  };
  connect(problems_, &QListWidget::itemActivated, this, goTo);
  connect(problems_, &QListWidget::itemClicked, this, goTo);
  showPlace();
}

QToolButton *ScriptEditor::addButton(const QString &icon, const QString &text, void (ScriptEditor::*asked)()) {
  auto *button = new QToolButton(this);
  button->setIcon(lineIcon(icon));
  button->setAutoRaise(true);
  button->setToolTip(text);
  button->setAccessibleName(text);
  connect(button, &QToolButton::clicked, this, asked);
  return button;
}

void ScriptEditor::setName(const QString &name, const QString &path) {
  name_ = name;
  title_->setToolTip(path);
  showTitle();
}

void ScriptEditor::showTitle() { title_->setText(edit_->isModified() ? tr("%1 \u2022").arg(name_) : name_); }

void ScriptEditor::showPlace() {
  place_->setText(tr("Line %1, column %2").arg(edit_->currentLine()).arg(edit_->currentColumn()));
}

void ScriptEditor::setProblems(const QList<protocol::Diagnostic> &problems, const QString &verdict) {
  edit_->setProblems(problems);
  verdict_->setText(verdict);
  problems_->clear();
  const SignalColours colours = signalColours(palette());
  for (const protocol::Diagnostic &problem : problems) {
    const QString message = QString(problem.message).section(u'\n', 0, 0);
    auto *item =
        new QListWidgetItem(problem.line > 0 ? tr("Line %1: %2").arg(problem.line).arg(message) : message, problems_);
    const bool isError = problem.severity == "error"_L1;
    item->setIcon(lineIcon(isError ? u"error"_s : u"warning"_s, isError ? colours.error : colours.warning));
    item->setToolTip(problem.message);
    item->setData(Qt::UserRole, problem.line);
    item->setData(Qt::UserRole + 1, problem.column);
  }
  problems_->setVisible(!problems.isEmpty());
  const int rows = std::min(visibleProblems, int(problems.size()));
  problems_->setFixedHeight(rows * std::max(problems_->sizeHintForRow(0), 1) + 4);
}

} // namespace fuselage
