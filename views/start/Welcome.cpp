#include "views/start/Welcome.h"
#include "views/start/StartCard.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int pageWidth = 1340, gap = 12, pageMargin = 28, sideGap = 28, leastLessons = 420;

static QLabel *heading(const QString &text, double scale) {
  auto *label = new QLabel(text);
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * scale);
  font.setWeight(QFont::DemiBold);
  label->setFont(font);
  return label;
}

static QLabel *mutedLabel(const QString &text) {
  auto *label = new QLabel(text);
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setWordWrap(true);
  return label;
}

Welcome::Welcome(QWidget *parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setBackgroundRole(QPalette::Base);
  setAccessibleName(tr("Start"));
}

/// What was open, and samples.
QWidget *Welcome::buildOpening() {
  recentTitle_ = heading(tr("Recent"), 1.1);
  samplesTitle_ = heading(tr("Samples"), 1.1);
  recent_ = new QVBoxLayout;
  recent_->setSpacing(gap / 2);
  samples_ = new QGridLayout;
  samples_->setSpacing(gap);
  auto *side = new QWidget;
  auto *column = new QVBoxLayout(side);
  column->setContentsMargins({});
  column->setSpacing(gap);
  column->addWidget(recentTitle_);
  column->addLayout(recent_);
  column->addWidget(samplesTitle_);
  column->addLayout(samples_);
  column->addStretch(1);
  return side;
}

QWidget *Welcome::buildLessons() {
  lessonsTitle_ = heading(tr("Learn"), 1.1);
  lessons_ = new QVBoxLayout;
  lessons_->setSpacing(gap / 2);
  lessonNotes_ = mutedLabel({});
  lessonNotes_->setTextFormat(Qt::RichText);
  addLessons_ = new QPushButton(tr("Add a folder of lessons\u2026"));
  addLessons_->setToolTip(tr("A folder with a lesson.md, or with several such folders"));
  auto *addLessonsRow = new QHBoxLayout;
  addLessonsRow->addWidget(addLessons_);
  addLessonsRow->addStretch(1);
  auto *side = new QWidget;
  auto *column = new QVBoxLayout(side);
  column->setContentsMargins({});
  column->setSpacing(gap);
  column->addWidget(lessonsTitle_);
  column->addLayout(lessons_);
  column->addWidget(lessonNotes_);
  column->addLayout(addLessonsRow);
  column->addStretch(1);
  return side;
}

/// Nobody sees it where the program begins with a file.
void Welcome::build() {
  open_ = new QPushButton(lineIcon(u"open"_s), tr("Open a module or a log\u2026"));
  auto *folder = new QPushButton(tr("Open a folder of dumps\u2026"));
  open_->setDefault(true);
  auto *buttons = new QHBoxLayout;
  buttons->addWidget(open_);
  buttons->addWidget(folder);
  buttons->addStretch(1);
  newsTitle_ = heading(tr("What is new"), 1.1);
  news_ = mutedLabel({});
  news_->setTextFormat(Qt::MarkdownText);
  opening_ = buildOpening();
  sides_ = new QBoxLayout(QBoxLayout::LeftToRight); // what there is to open, and to learn, both in sight
  sides_->setSpacing(sideGap);
  sides_->addWidget(opening_);
  sides_->addWidget(buildLessons(), 1);

  auto *page = new QWidget;
  page->setMaximumWidth(pageWidth);
  auto *column = new QVBoxLayout(page);
  column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  column->setSpacing(gap);
  column->addWidget(heading(tr("Fuselage"), 1.9));
  column->addWidget(
      mutedLabel(tr("MLIR of any dialect as text or bytecode, the log of a compiler that printed its passes, "
                    "a folder of dumps, or a lesson: open one, or drop it here.")));
  column->addLayout(buttons);
  column->addSpacing(gap);
  column->addLayout(sides_);
  column->addSpacing(gap);
  column->addWidget(newsTitle_);
  column->addWidget(news_);
  column->addStretch(1);
  auto *middle = new QWidget;
  middle->setBackgroundRole(QPalette::Base);
  middle->setAutoFillBackground(true);
  auto *row = new QHBoxLayout(middle);
  row->setContentsMargins(0, 0, 0, 0);
  row->addStretch(1);
  row->addWidget(page, 100);
  row->addStretch(1);
  setWidget(middle);
  setFocusProxy(open_);
  setRecentFiles({});
  setSamples({});
  setLessons(lessonFiles_);
  showLessonFolders();
  setNews({});
  connect(open_, &QPushButton::clicked, this, &Welcome::openRequested);
  connect(folder, &QPushButton::clicked, this, &Welcome::openFolderRequested);
  connect(addLessons_, &QPushButton::clicked, this, &Welcome::addLessonsRequested);
  connect(lessonNotes_, &QLabel::linkActivated, this, &Welcome::forgetLessonsRequested);
}

void Welcome::setRecentFiles(const QList<RecentFile> &files) {
  for (StartCard *card : std::as_const(recentCards_))
    card->deleteLater(); // one of them may be being clicked
  recentCards_.clear();
  recentTitle_->setVisible(!files.isEmpty());
  for (const RecentFile &file : files.first(std::min(recentShown, files.size()))) {
    const QFileInfo info(file.path);
    QString line = QDir::toNativeSeparators(info.path());
    if (!file.view.isEmpty())
      line = u"%1 \u00b7 %2"_s.arg(file.view, line);
    auto *card = new StartCard(StartCard::Shape::Flat, info.fileName(), line);
    card->setPicture(file.picture);
    card->setToolTip(file.path);
    recent_->addWidget(card);
    recentCards_.append(card);
    connect(card, &StartCard::clicked, this, [this, path = file.path] { emit recentRequested(path); });
  }
}

void Welcome::setSamples(const QList<SampleFile> &samples) {
  qDeleteAll(cards_);
  cards_.clear();
  samplesTitle_->setVisible(!samples.isEmpty());
  for (const SampleFile &sample : samples) {
    auto *card = new StartCard(StartCard::Shape::Upright, sample.name, sample.line);
    card->setPicture(sample.picture);
    cards_.append(card);
    connect(card, &StartCard::clicked, this, [this, name = sample.name] { emit sampleRequested(name); });
  }
  columns_ = 0;
  placeColumns();
}

void Welcome::setLessons(const QList<LessonFile> &lessons) {
  lessonFiles_ = lessons;
  if (!open_)
    return;
  for (StartCard *card : std::as_const(lessonCards_))
    card->deleteLater();
  lessonCards_.clear();
  lessonsTitle_->setVisible(!lessons.isEmpty());
  for (const LessonFile &lesson : lessons) {
    auto *card = new StartCard(StartCard::Shape::Wide, lesson.title, lesson.line);
    card->setPicture(lesson.picture);
    card->setDone(lesson.isDone);
    lessons_->addWidget(card);
    lessonCards_.append(card);
    connect(card, &StartCard::clicked, this, [this, name = lesson.name] { emit lessonRequested(name); });
  }
}

void Welcome::setLessonFolders(const QStringList &folders, const QStringList &problems) {
  lessonFolders_ = folders;
  lessonProblems_ = problems;
  if (open_)
    showLessonFolders();
}

void Welcome::showLessonFolders() {
  QStringList lines;
  for (const QString &folder : std::as_const(lessonFolders_))
    lines.append(tr("Lessons of %1 \u00b7 <a href=\"%2\">Remove</a>")
                     .arg(QDir::toNativeSeparators(folder).toHtmlEscaped(), folder.toHtmlEscaped()));
  const QString color = signalColours(palette()).error.name();
  for (const QString &problem : std::as_const(lessonProblems_))
    lines.append(u"<span style='color:%1'>%2</span>"_s.arg(color, problem.toHtmlEscaped()));
  lessonNotes_->setVisible(!lines.isEmpty());
  lessonNotes_->setText(lines.join(u"<br>"_s));
}

QString Welcome::lessonNotes() const { return open_ ? lessonNotes_->text() : QString(); }

void Welcome::setNews(const QString &markdown) {
  newsTitle_->setVisible(!markdown.isEmpty());
  news_->setVisible(!markdown.isEmpty());
  news_->setText(markdown);
}

/// Lessons stand beside the rest, or below it where there is no room; samples, as many in a row as fit then.
void Welcome::placeColumns() {
  if (cards_.isEmpty())
    return;
  const int room = std::min(viewport()->width(), pageWidth) - 2 * pageMargin;
  const int card = cards_.first()->sizeHint().width();
  const auto fitting = [card](int width) { return (width + gap) / (card + gap); };
  constexpr int leastBeside = 2, mostBeside = 3;
  const int beside = std::min(fitting(room - sideGap - leastLessons), mostBeside);
  const bool isBeside = beside >= leastBeside;
  const int columns = std::max(1, isBeside ? beside : fitting(room));
  sides_->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  opening_->setMaximumWidth(isBeside ? columns * (card + gap) - gap : QWIDGETSIZE_MAX);
  if (columns == columns_)
    return;
  columns_ = columns;
  for (int i = 0; i < int(cards_.size()); ++i)
    samples_->addWidget(cards_[i], i / columns, i % columns, Qt::AlignLeft | Qt::AlignTop);
  for (int column = 0; column <= int(cards_.size()); ++column)
    samples_->setColumnStretch(column, column == columns ? 1 : 0);
}

void Welcome::showEvent(QShowEvent *event) {
  QScrollArea::showEvent(event);
  if (open_)
    return;
  build();
  emit appeared();
}

void Welcome::resizeEvent(QResizeEvent *event) {
  QScrollArea::resizeEvent(event);
  placeColumns();
}

} // namespace fuselage
