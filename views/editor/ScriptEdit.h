// The text of a transform script, written by hand: a small code editor.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/ScheduleTypes.h"
#include <QHash>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <functional>

namespace fuselage {

class MlirHighlighter;
class ScriptCompletion;
class ScriptGutter;

/// Lines count from 1, as in diagnostics. Breakpoints and the marks of diagnostics move with their lines.
class ScriptEdit : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit ScriptEdit(QWidget *parent = nullptr);
  ~ScriptEdit() override;

  QString text() const { return toPlainText(); }
  /// Another text: without changes, and nothing to undo.
  void openText(const QString &text);
  /// The text becomes this one as a single edit that can be undone; only what differs is touched, so that the caret and
  /// the breakpoints stay where they are.
  void replaceText(const QString &text);
  bool isModified() const { return document()->isModified(); }
  void setUnmodified() { document()->setModified(false); }

  int currentLine() const;
  int currentColumn() const; ///< from 1, in UTF-16
  /// Moves the caret there; column from 1, in bytes as the engine counts them.
  void goToLine(int line, int column = 1);
  /// Scrolls until the line is in sight; the caret stays.
  void revealLine(int line);

  /// Underlined in the text, marked in the gutter, told by tool tip.
  void setProblems(const QList<protocol::Diagnostic> &problems);
  const QList<protocol::Diagnostic> &problems() const { return problems_; }
  /// Where the schedule stands; 0: nowhere.
  void setStepLine(int line);
  int stepLine() const;
  /// Words about lines as they were at anchorLines(), in a column of their own; empty: there is none.
  void setForms(const QHash<int, QStringList> &forms);
  const QHash<int, QStringList> &forms() const { return forms_; }
  QStringList formsAt(int line) const { return forms_.isEmpty() ? QStringList() : forms_.value(lineThen(line)); }

  /// Lines are called by their numbers of now, from now on: lineNow() says where such a line is, lineThen() the other
  /// way round, 0 where it is gone or new.
  void anchorLines();
  int lineNow(int anchored) const;
  int lineThen(int line) const;

  QList<int> breakpoints() const; ///< sorted
  void toggleBreakpoint(int line);
  bool hasBreakpoint(int line) const { return breakpoints().contains(line); }
  void clearBreakpoints();

  /// Marks what fits; returns how many there are. Empty: none.
  int setSearch(const QString &pattern);
  /// Selects the next or the last match before the caret; returns its number from 0, -1: none.
  int findMatch(int direction);

  /// Answers completionRequested(): `column`, from 1 and in bytes, is where the word begins that an item replaces.
  void offer(const QList<protocol::ScriptCompletionItem> &items, int column);
  int byteColumn() const; ///< of the caret, from 1

  void setZoom(double zoom);
  double zoom() const { return zoom_; }
  ScriptGutter *gutter() const { return gutter_; }
  ScriptCompletion *completion() const { return completion_; }
  QSize sizeHint() const override { return {640, 480}; }

public slots:
  /// Comments the selected lines out, or in again where all of them are out.
  void toggleComment();

signals:
  void breakpointsChanged();
  void runToLineRequested(int line);
  void continueRequested(bool back); ///< F5, Shift+F5
  void completionRequested(int line, int column);
  void zoomChanged(double zoom);
  /// The menu of the text is about to be shown for this line.
  void menuRequested(QMenu *menu, int line);

protected:
  bool event(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void showEvent(QShowEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  friend class ScriptGutter;
  bool isOwnKey(const QKeyEvent &event) const;
  bool editByKey(QKeyEvent *event);
  bool debugByKey(QKeyEvent *event);
  bool completeByKey(QKeyEvent *event);
  void followTyping(const QKeyEvent &event);
  QString completedWord() const;
  void accept();
  void indentLines(bool in);
  void breakLine();
  void closeBracket(const QString &bracket);
  void forEachSelectedLine(const std::function<void(QTextCursor)> &change);
  void takeTheme();
  void placeGutter();
  void refreshMarks();
  void appendProblemMarks(QList<QTextEdit::ExtraSelection> &marks) const;
  void appendBracketMarks(QList<QTextEdit::ExtraSelection> &marks) const;
  QTextCursor lineCursor(int line) const;
  QString toolTipAt(const QPoint &place) const;

  struct Problem {
    QTextCursor place; ///< moves with the text
    int at = 0;        ///< in problems_
  };
  MlirHighlighter *highlighter_;
  ScriptGutter *gutter_;
  ScriptCompletion *completion_;
  int completedLine_ = -1, completedColumn_ = 0; ///< where the offered items begin
  bool isAsked_ = false;                         ///< by Ctrl+Space, and not by typing
  QList<protocol::Diagnostic> problems_;
  QList<Problem> problemPlaces_;
  QList<QTextCursor> breakpoints_;
  QTextCursor step_;
  QList<QTextCursor> anchors_; ///< of each line
  QHash<int, QStringList> forms_;
  QRegularExpression search_;
  double zoom_ = 1;
};

/// The margin of the editor: breakpoints, problems, known forms, line numbers.
class ScriptGutter : public QWidget {
  Q_OBJECT
public:
  explicit ScriptGutter(ScriptEdit *edit);
  int wantedWidth() const;
  /// Where a click sets the line's breakpoint.
  QPoint breakpointPlace(int line) const;

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  int marksWidth() const;
  int formsWidth() const;
  int lineAt(int y) const;
  void paintMarks(QPainter &painter, int line, const QRect &place);

  ScriptEdit *edit_;
};

} // namespace fuselage
