#include "app/gui/learn/LearnPanel.h"
#include "app/gui/learn/LessonPictures.h"
#include "views/common/Drawing.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/help/TermLinks.h"
#include <QApplication>
#include <QDesktopServices>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static QLabel *paragraph() {
  auto *label = new QLabel;
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setContentsMargins(10, 2, 10, 2);
  return label;
}

/// Of the picture of where a lesson leads, which no file has.
static constexpr auto leadName = "lesson:lead"_L1;

static QImage emptyPicture() {
  QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
  nothing.fill(Qt::transparent);
  return nothing;
}

namespace {
/// The text of a lesson, which may be anybody's: it shows what it is given, and loads nothing itself.
class LessonText : public QTextBrowser {
protected:
  QVariant loadResource(int, const QUrl &) override { return emptyPicture(); } // of null it reads the file
};
} // namespace

LearnPanel::LearnPanel(QWidget *parent)
    : QWidget(parent), title_(paragraph()), state_(paragraph()), hints_(paragraph()), text_(new LessonText),
      answer_(new QLineEdit), check_(new QPushButton(tr("Check"))), hint_(new QPushButton(tr("Hint"))),
      show_(new QPushButton(tr("Show Me"))), back_(new QPushButton(tr("Back"))), next_(new QPushButton(tr("Next"))) {
  // Alt and a letter is for menus and panels, which use nearly all of them.
  constexpr int leastText = 80;
  text_->setMinimumHeight(leastText);
  text_->setFrameShape(QFrame::NoFrame);
  text_->document()->setDocumentMargin(10);
  text_->setOpenLinks(false);
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
    if (!showTerm(*text_, link) && link.scheme().startsWith("http"_L1))
      QDesktopServices::openUrl(link);
  });
  text_->setAccessibleName(tr("Task"));
  answer_->setPlaceholderText(tr("Your answer"));
  answer_->setAccessibleName(tr("Your answer"));
  state_->setAccessibleName(tr("How far the goals are"));
  hints_->setAccessibleName(tr("Hints"));
  hint_->setToolTip(tr("Three hints, from a question to the answer"));
  show_->setToolTip(tr("Do it as ordinary steps, which can be undone"));
  auto *answers = new QHBoxLayout;
  answers->setContentsMargins(10, 2, 10, 2);
  answers->addWidget(answer_, 1);
  answers->addWidget(check_);
  auto *buttons = new QGridLayout; // help above the way through
  buttons->setContentsMargins(10, 4, 10, 8);
  buttons->setSpacing(6);
  for (int i = 0; QPushButton * button : {hint_, show_, back_, next_}) {
    button->setAutoDefault(true);
    buttons->addWidget(button, i / 2, i % 2);
    ++i;
  }
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 6, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(title_);
  layout->addWidget(text_, 1);
  layout->addWidget(hints_);
  layout->addWidget(state_);
  layout->addLayout(answers); // where it stays, however much is said above
  layout->addLayout(buttons);
  setFocusProxy(text_);
  connect(answer_, &QLineEdit::returnPressed, this, &LearnPanel::answered);
  connect(check_, &QPushButton::clicked, this, &LearnPanel::answered);
  connect(hint_, &QPushButton::clicked, this, &LearnPanel::showHint);
  connect(show_, &QPushButton::clicked, this, &LearnPanel::showRequested);
  connect(back_, &QPushButton::clicked, this, [this] { emit taskRequested(task_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] {
    if (isOver_)
      emit nextLessonRequested();
    else
      emit taskRequested(task_ + 1);
  });
  clear();
}

void LearnPanel::clear() {
  title_->setText(tr("<b>No lesson is open</b>"));
  text_->setMarkdown(tr("Choose one on the start page, or under Help, Lessons."));
  for (QWidget *widget : {static_cast<QWidget *>(answer_), static_cast<QWidget *>(check_)})
    widget->setVisible(false);
  state_->clear();
  hints_->clear();
  for (QPushButton *button : {hint_, show_, back_, next_})
    button->setEnabled(false);
}

void LearnPanel::setTask(const protocol::Lesson &lesson, int task, bool isDone) {
  shown_ = lesson.tasks[task];
  task_ = task;
  isOver_ = false;
  hintsShown_ = 0;
  const bool isLast = task + 1 == lesson.tasks.size();
  title_->setText(tr("<b>%1. %2</b> \u00b7 task %3 of %4")
                      .arg(lesson.number)
                      .arg(lesson.title.toHtmlEscaped())
                      .arg(task + 1)
                      .arg(lesson.tasks.size()));
  QString text = u"### %1\n\n%2"_s.arg(shown_.title, shown_.text);
  if (task == 0 && !lesson.intro.isEmpty())
    text.prepend(lesson.intro + u"\n\n"_s);
  text_->setMarkdown(text);
  folder_ = lesson.folder;
  lead_ = lesson.picture;
  if (task == 0)
    showLead();
  fitPictures();
  linkTerms(*text_);
  const bool asks = std::any_of(shown_.goals.begin(), shown_.goals.end(), [](const protocol::LessonGoal &goal) {
    return goal.fact == "answer"_L1 || goal.fact == "choice"_L1;
  });
  answer_->clear();
  answer_->setVisible(asks);
  check_->setVisible(asks);
  state_->clear();
  hints_->clear();
  hint_->setEnabled(!shown_.hints.isEmpty());
  show_->setEnabled(!shown_.show.isEmpty());
  back_->setEnabled(task > 0);
  next_->setText(isLast ? tr("Finish") : isDone ? tr("Next") : tr("Skip"));
  next_->setEnabled(!isLast || isDone);
  if (isAncestorOf(QApplication::focusWidget())) // not on what is Skip now
    (asks ? static_cast<QWidget *>(answer_) : text_)->setFocus(Qt::OtherFocusReason);
}

void LearnPanel::setEnd(const protocol::Lesson &lesson, int done, const QString &next) {
  isOver_ = true;
  task_ = int(lesson.tasks.size());
  shown_ = {};
  title_->setText(tr("<b>%1. %2</b>").arg(lesson.number).arg(lesson.title.toHtmlEscaped()));
  text_->setMarkdown(
      tr("### The end of the lesson\n\n%1 of %2 tasks are done. %3\n\n%4")
          .arg(done)
          .arg(lesson.tasks.size())
          .arg(lesson.leads, next.isEmpty() ? tr("This was the last lesson.") : tr("Next comes *%1*.").arg(next)));
  for (QWidget *widget : {static_cast<QWidget *>(answer_), static_cast<QWidget *>(check_)})
    widget->setVisible(false);
  state_->clear();
  hints_->clear();
  hint_->setEnabled(false);
  show_->setEnabled(false);
  back_->setEnabled(true);
  next_->setText(tr("Next Lesson"));
  next_->setEnabled(!next.isEmpty());
  if (!next.isEmpty())
    next_->setFocus(Qt::OtherFocusReason);
}

/// Of the lesson's folder, no wider than the panel, and as light or dark as that; of other places one that shows
/// nothing.
void LearnPanel::fitPictures() {
  constexpr QSize most(300, 1200);
  const Theme &theme = Theme::of(palette());
  QTextDocument &document = *text_->document();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (QTextBlock::iterator it = block.begin(); !it.atEnd(); ++it) {
      const QString name = it.fragment().charFormat().toImageFormat().name();
      if (name.isEmpty())
        continue;
      const QImage picture =
          name == leadName ? leadPicture() : pictureOfLesson(folder_, name, most, devicePixelRatioF());
      document.addResource(QTextDocument::ImageResource, QUrl(name),
                           picture.isNull() ? emptyPicture() : drawingInTheme(picture, theme));
    }
  document.markContentsDirty(0, document.characterCount());
}

/// Of where the lesson leads: small, as the task has to be in sight, too.
QImage LearnPanel::leadPicture() const {
  constexpr QSize most(120, 90);
  return pictureOfLesson(folder_, lead_, most, devicePixelRatioF());
}

/// At the top of the text, which flows around it.
void LearnPanel::showLead() {
  if (leadPicture().isNull())
    return;
  QTextCursor top(text_->document());
  QTextImageFormat image;
  image.setName(leadName);
  image.setProperty(QTextFormat::ImageAltText, tr("Where the lesson leads"));
  top.insertImage(image, QTextFrameFormat::FloatRight);
}

void LearnPanel::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    fitPictures();
}

QString LearnPanel::answer() const { return answer_->text().trimmed(); }

QString LearnPanel::answeredNumber() const {
  static const QRegularExpression number(u"^[-+]?\\d+(\\.\\d+)?(e[-+]?\\d+)?"_s);
  return number.match(answer().remove(u',')).captured();
}

QString LearnPanel::stateText() const { return state_->text(); }
QString LearnPanel::hintText() const { return hints_->text(); }

void LearnPanel::setState(const protocol::LessonState &state) {
  const SignalColours colours = signalColours(palette());
  QStringList lines;
  for (const protocol::LessonGoalState &goal : state.goals)
    lines.append(u"<span style='color:%1'>%2</span> %3"_s.arg((goal.holds ? colours.good : mutedText(palette())).name(),
                                                              goal.holds ? u"\u2713"_s : u"\u25cb"_s,
                                                              goal.text.toHtmlEscaped()));
  const bool asksNumber = std::any_of(shown_.goals.begin(), shown_.goals.end(),
                                      [](const protocol::LessonGoal &goal) { return goal.fact == "answer"_L1; });
  if (asksNumber && !answer().isEmpty() && answeredNumber().isEmpty())
    lines.prepend(tr("The answer is a number"));
  lines.removeDuplicates();
  state_->setText(lines.join(u"<br>"_s));
}

void LearnPanel::setDone() {
  next_->setEnabled(true);
  if (next_->text() == tr("Skip"))
    next_->setText(tr("Next"));
  if (isVisible() && (answer_->hasFocus() || text_->hasFocus() || show_->hasFocus()))
    next_->setFocus(Qt::OtherFocusReason);
}

void LearnPanel::setProblem(const QString &problem) {
  state_->setText(
      u"<span style='color:%1'>%2</span>"_s.arg(signalColours(palette()).error.name(), problem.toHtmlEscaped()));
}

void LearnPanel::showHint() {
  hintsShown_ = std::min(hintsShown_ + 1, shown_.hints.size());
  QStringList lines;
  for (qsizetype i = 0; i < hintsShown_; ++i)
    lines.append(tr("<b>Hint %1:</b> %2").arg(i + 1).arg(shown_.hints[i].toHtmlEscaped()));
  hints_->setText(lines.join(u"<br>"_s));
  if (const bool isLast = hintsShown_ == shown_.hints.size(); isLast && hint_->hasFocus())
    text_->setFocus(Qt::OtherFocusReason); // not to Show Me, which is beside it
  hint_->setEnabled(hintsShown_ < shown_.hints.size());
}

void LearnPanel::setShowing(bool isShowing) { show_->setEnabled(!isShowing && !shown_.show.isEmpty()); }

} // namespace fuselage
