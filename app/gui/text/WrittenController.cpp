#include "app/gui/text/WrittenController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/text/TextView.h"
#include "views/widgets/Icons.h"
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

/// What comes with the number of lines, and what the engine gives at most at a time.
static constexpr int firstLines = 2 * PagedTextSource::pageLines, mostLines = 16 * PagedTextSource::pageLines;

WrittenController::WrittenController(Shell &shell, TextController &text)
    : Controller(shell), text_(text), toggle_(toggle(tr("&As Written"), {}, {QKeySequence(u"Ctrl+Alt+W"_s)})),
      view_(new TextView), title_(new QLabel) {
  toggle_->setToolTip(tr("Your own file instead of the IR, with its comments, names and line breaks; for a log, the "
                         "dump as it stands there"));
  build();
  connectViews();
}

void WrittenController::build() {
  view_->setObjectName("asWritten"_L1);
  view_->setAccessibleName(tr("Text as written"));
  view_->installEventFilter(this);
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto *back = new QToolButton;
  back->setText(tr("Back to the IR"));
  back->setToolTip(tr("Shows the IR of the step again (Esc)"));
  back->setAutoRaise(true);
  connect(back, &QToolButton::clicked, this, [this] { toggle_->setChecked(false); });
  auto *page = new QWidget;
  auto *layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(8, 3, 8, 3);
  bar->addWidget(title_, 1);
  bar->addWidget(back);
  layout->addLayout(bar);
  layout->addWidget(view_, 1);
  text_.addPage(page, view_);
  QMenu &menu = text_.menu();
  menu.insertAction(menu.actions().value(0), toggle_);
}

void WrittenController::connectViews() {
  connect(toggle_, &QAction::toggled, this, &WrittenController::setOn);
  on(toggle_, [this](bool on) {
    if (on && !view_->isVisible())
      shell().showView(View::Text);
  });
  connect(&text_, &TextController::frontChanged, this, [this] { toggle_->setChecked(&text_.front() == view_); });
  connect(&text_, &TextController::placeShown, this, [this] { follow(false); });
  connect(&text_, &TextController::selectionChanged, this, [this](int, qint64 id) {
    if (id == noNode)
      view_->highlightLines(-1, -1);
  });
  connect(&text_, &TextController::frontLineRequested, this, [this](int line) {
    view_->setCurrentLine(line);
    view_->scrollToLine(line, false);
    selectLine(line);
  });
  connect(&text_, &TextController::menuShown, this, [this](QMenu *menu, qint64) { menu->addAction(toggle_); });
  connect(view_, &TextView::currentLineChanged, this, &WrittenController::selectLine);
  connect(view_, &TextView::contextMenuRequested, this, [this](int, const QPoint &place) { showMenu(place); });
}

void WrittenController::setOn(bool on) {
  if (on && session().hasDocument())
    request(); // before anybody searches in it
  text_.setFront(on ? *view_ : text_.view());
}

void WrittenController::drop() {
  ++epoch_;
  basis_ = -1;
  pointed_ = noNode;
  view_->setSource(nullptr);
  source_.reset();
  title_->clear();
}

template <class Method, class Reply>
void WrittenController::ask(protocol::Request<Method> request, std::function<void(const Reply &)> done,
                            const QString &tag) {
  ++asked_;
  request.snapshot = text_.snapshot();
  session().client().call<Method>(
      request, this,
      [this, done = std::move(done), epoch = epoch_, snapshot = text_.snapshot()](const Reply &reply) {
        --asked_;
        if (epoch == epoch_ && snapshot == text_.snapshot())
          done(reply);
      },
      [this](const protocol::Error &) { --asked_; }, tag);
}

void WrittenController::request() {
  ask<method::SourceLines, protocol::SourceLines>(
      {.first = 0, .count = firstLines}, [this](const protocol::SourceLines &lines) { take(lines); }, u"source"_s);
}

void WrittenController::take(const protocol::SourceLines &lines) {
  if (!lines.problem.isEmpty() || lines.total == 0) {
    drop();
    view_->setEmptyText(tr("No text as written"), lines.problem.isEmpty() ? tr("The file is empty.") : lines.problem);
    return;
  }
  if (source_ && basis_ == lines.snapshot) {
    placeNotes();
    return follow(false);
  }
  drop();
  basis_ = lines.snapshot;
  source_ = std::make_unique<PagedTextSource>();
  source_->start(int(lines.total));
  source_->deliver(0, lines.lines);
  connect(source_.get(), &PagedTextSource::linesRequested, this, &WrittenController::fetch);
  view_->setSource(source_.get());
  QMap<int, int> numbers;
  for (const protocol::SourceRun &run : lines.runs)
    numbers.insert(run.row, run.line);
  view_->setLineNumbers(numbers);
  const QString name = QFileInfo(lines.file).fileName();
  title_->setText(session().document().log ? tr("%1, as its tool wrote it").arg(name)
                                           : tr("%1, as it was opened").arg(name));
  title_->setToolTip(lines.file);
  placeNotes();
  follow(true);
}

void WrittenController::setNoted(const QMap<int, QString> &lines) {
  notedLines_ = lines;
  placeNotes();
}

/// At the first row of what each line comes from.
void WrittenController::placeNotes() {
  const quint64 noting = ++noting_;
  notedRows_.clear();
  if (!toggle_->isChecked() || !source_)
    return;
  view_->setNotedLines({});
  for (auto note = notedLines_.cbegin(); note != notedLines_.cend(); ++note)
    ask<method::SourceOfLine, protocol::SourceOps>({.line = note.key()},
                                                   [this, noting, text = note.value()](const protocol::SourceOps &ops) {
                                                     if (noting != noting_ || ops.ranges.isEmpty())
                                                       return;
                                                     QString &known = notedRows_[ops.ranges.first().first];
                                                     known += (known.isEmpty() ? QString() : u"\n\n"_s) + text;
                                                     view_->setNotedLines(notedRows_);
                                                   },
                                                   {});
}

void WrittenController::fetch(int first, int count) {
  for (int end = first + count; first < end; first += mostLines) {
    const int some = std::min(mostLines, end - first);
    session().client().call<method::SourceLines>(
        {.snapshot = basis_, .first = first, .count = some}, this,
        [this, epoch = epoch_](const protocol::SourceLines &lines) {
          if (epoch == epoch_ && source_)
            source_->deliver(int(lines.first), lines.lines);
        },
        [this, first, some, epoch = epoch_](const protocol::Error &) {
          if (epoch == epoch_ && source_)
            source_->forget(first, some);
        });
  }
}

void WrittenController::selectLine(int line) {
  ask<method::OpsFromSource, protocol::SourceOps>(
      {.line = line},
      [this, line](const protocol::SourceOps &ops) {
        light(ops, true, false);
        if (ops.ids.isEmpty()) {
          shell().tell(tr("Nothing in this step comes from line %1").arg(view_->numberOf(line)));
          return;
        }
        pointed_ = ops.ids.first();
        text_.point(ops.ids);
      },
      u"opFrom"_s);
}

/// To where what is selected comes from; where nothing is, a new text to what was on screen.
void WrittenController::follow(bool isNew) {
  const int line = text_.selectedLine();
  const bool isFromHere = std::exchange(pointed_, noNode) == text_.selected() && text_.selected() != noNode;
  if (!toggle_->isChecked() || !source_ || isFromHere || (line < 0 && !isNew))
    return;
  ask<method::SourceOfLine, protocol::SourceOps>(
      {.line = line < 0 ? text_.view().currentLine() : line},
      [this, line](const protocol::SourceOps &ops) { light(ops, line >= 0, true); }, u"sourceOf"_s);
}

void WrittenController::light(const protocol::SourceOps &ops, bool isLit, bool isScrolled) {
  view_->highlightLines(-1, -1);
  if (ops.ranges.isEmpty())
    return;
  const protocol::SourceRange &first = ops.ranges.first();
  if (isLit)
    view_->highlightLines(first.first, first.last);
  if (isLit && ops.ranges.size() > 1)
    view_->highlightAlso(ops.ranges[1].first, ops.ranges[1].last);
  if (!isScrolled)
    return;
  view_->setCurrentLine(first.first);
  view_->scrollToLine(first.first, true);
}

void WrittenController::showMenu(const QPoint &place) {
  QMenu menu(&shell().window());
  menu.addAction(lineIcon(u"copy"_s), tr("Copy"), view_, &TextView::copy)->setShortcut(QKeySequence::Copy);
  menu.addAction(tr("Copy with Line Numbers"), view_, &TextView::copyWithNumbers);
  menu.addAction(tr("Select All"), view_, &TextView::selectAll)->setShortcut(QKeySequence::SelectAll);
  menu.addSeparator();
  menu.addAction(toggle_);
  menu.exec(place);
}

bool WrittenController::eventFilter(QObject *watched, QEvent *event) {
  if (watched != view_ || event->type() != QEvent::KeyPress || view_->hasSelection() ||
      static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
    return Controller::eventFilter(watched, event);
  toggle_->setChecked(false);
  return true;
}

void WrittenController::documentReset() {
  toggle_->setChecked(false);
  drop();
}

void WrittenController::stepShown(const ShownStep &) {
  pointed_ = noNode;
  view_->highlightLines(-1, -1);
  if (toggle_->isChecked())
    request();
}

void WrittenController::sessionChanged() { toggle_->setEnabled(session().hasDocument()); }

void WrittenController::engineRecovered(int) {
  drop(); // the new engine has read the file again
  if (toggle_->isChecked())
    request();
}

void WrittenController::saveDocument(QJsonObject &state) const {
  if (toggle_->isChecked())
    state.insert("asWritten"_L1, true);
}

void WrittenController::restoreDocument(const QJsonObject &state) {
  if (state.value("asWritten"_L1).toBool())
    toggle_->setChecked(true);
}

} // namespace fuselage
