// A task of a lesson: what to do, how far it is, and help.
#pragma once
#include "views/messages/LessonTypes.h"
#include <QImage>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace fuselage {

class LearnPanel : public QWidget {
  Q_OBJECT
public:
  explicit LearnPanel(QWidget *parent = nullptr);

  /// No lesson is open.
  void clear();
  /// The task of this index; `isDone`: its goals were reached before.
  void setTask(const protocol::Lesson &lesson, int task, bool isDone);
  /// What its goals say of themselves.
  void setState(const protocol::LessonState &state);
  /// The task is done: the way on is offered.
  void setDone();
  /// The lesson is over; `next`: the title of the one after it, empty: there is none.
  void setEnd(const protocol::Lesson &lesson, int done, const QString &next);
  /// Why the lesson does not go on.
  void setProblem(const QString &problem);
  void showHint();
  /// Shows it once; a click on the button does the same.
  void setShowing(bool isShowing);

  QString answer() const;
  /// The number that an answer begins with, "64 KiB"; empty: it is none.
  QString answeredNumber() const;
  QTextBrowser *textView() const { return text_; }
  QLineEdit *answerEdit() const { return answer_; }
  QPushButton *hintButton() const { return hint_; }
  QPushButton *showButton() const { return show_; }
  QPushButton *nextButton() const { return next_; }
  QPushButton *backButton() const { return back_; }
  /// What is said of the goals.
  QString stateText() const;
  QString hintText() const;

signals:
  void answered();
  void showRequested();
  void taskRequested(int task);
  void nextLessonRequested();

protected:
  void changeEvent(QEvent *event) override;

private:
  void fitPictures();
  void showLead();
  QImage leadPicture() const;

  QLabel *title_, *state_, *hints_;
  QTextBrowser *text_;
  QLineEdit *answer_;
  QPushButton *check_, *hint_, *show_, *back_, *next_;
  protocol::LessonTask shown_;
  QString folder_, lead_; ///< of the lesson, and in it the picture of where it leads
  int task_ = 0;
  qsizetype hintsShown_ = 0;
  bool isOver_ = false;
};

} // namespace fuselage
