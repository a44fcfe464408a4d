// A read-only view of MLIR text that only ever touches the lines it shows.
#pragma once
#include "views/common/Marks.h"
#include "views/common/TextSource.h"
#include "views/text/LineRenderer.h"
#include "views/text/RowScroll.h"
#include "views/text/ZoomArea.h"
#include <QMap>
#include <QPointer>
#include <optional>

class QTimer;

namespace fuselage {

/// A search hit; column and length in bytes of the line's UTF-8, as the engine counts.
struct TextMatch {
  int line = 0, column = 0, length = 0;
};

/// A caret place: line and UTF-16 column.
struct TextPosition {
  int line = 0, column = 0;
  auto operator<=>(const TextPosition &) const = default;
};

/// What of a text is on screen.
struct TextPlace {
  int line = 0, column = 0; ///< of the caret
  int top = 0;              ///< the first line in sight
  bool operator==(const TextPlace &) const = default;
};

/// Where a name is written; UTF-16 columns.
struct NameUse {
  int line = 0, column = 0, length = 0;
  bool isDefinition = false;
};

/// Line numbers, highlighting, selection by mouse and keys (arrows, Page, Home, End, Ctrl+A, Ctrl+C,
/// Shift extends), zoom by Ctrl+wheel, lines that wrap or are scrolled sideways (Shift+wheel). Long attributes are
/// folded: a click or Return on the ellipsis opens it, one on a bracket of it, or Return in it, closes it. A million
/// lines cost what a screenful costs. Lines longer than LineRenderer::maxColumns are shown cut, and copied whole.
class TextView : public ZoomArea {
  Q_OBJECT
public:
  explicit TextView(QWidget *parent = nullptr);
  ~TextView() override;

  /// Not owned; nullptr: the empty state.
  void setSource(TextSource *source);
  TextSource *source() const { return source_; }
  void setEmptyText(const QString &title, const QString &hint);
  const QString &emptyTitle() const { return emptyTitle_; }
  /// By the line where they begin, runs of numbers that are not those of the text, such as those of a file around it;
  /// gone with the source.
  void setLineNumbers(const QMap<int, int> &runs);
  /// What stands beside a line.
  int numberOf(int line) const;

  int currentLine() const { return caret_.line; }
  TextPosition caret() const { return caret_; }
  TextPlace place() const { return {caret_.line, caret_.column, firstVisibleLine()}; }
  /// Moves caret and scroll bar there, without currentLineChanged.
  void setPlace(const TextPlace &place);
  /// Moves the caret there, without currentLineChanged.
  void setCurrentLine(int line);
  /// Moves the caret there and into sight, without currentLineChanged.
  void setCaret(TextPosition caret);
  void setWrapping(bool wraps);
  bool wraps() const { return scroll_.wraps(); }
  void setFolding(bool folds);
  bool folds() const { return renderer_.folds(); }
  /// Lights where a name is written, in order; gone with the text.
  void setNameUses(const QList<NameUse> &uses);
  const QList<NameUse> &nameUses() const { return nameUses_; }
  /// Marks the lines [first, last] of an op; first -1: none.
  void highlightLines(int first, int last);
  /// Marks the lines of a second op beside it, such as the producer of an edge; gone with the first one.
  void highlightAlso(int first, int last);
  /// Lines with a word about each.
  void setLineMarks(const QList<LineMark> &marks);
  const QList<LineMark> &lineMarks() const { return lineMarks_; }
  /// A bookmark beside the number of each of these lines, with its words as a tooltip.
  void setNotedLines(const QMap<int, QString> &lines);
  const QMap<int, QString> &notedLines() const { return noted_; }
  /// Scrolls so that the line is in sight; `center`: in the middle, even if it was in sight.
  void scrollToLine(int line, bool center = true);
  int firstVisibleLine() const;
  int visibleLineCount() const; ///< whole rows that fit
  /// See LineRenderer: how much was done to show what was shown so far.
  qint64 charactersLaidOut() const { return renderer_.charactersLaidOut(); }
  /// Of the first line in sight; an empty one where it is not.
  QRect rectOfLine(int line) const;

  /// Must be sorted by line.
  void setMatches(const QList<TextMatch> &matches);
  /// Shows a match as the current one and scrolls to it; -1: none.
  void setCurrentMatch(int index);

  bool hasSelection() const { return anchor_ != caret_; }
  TextPosition selectionStart() const { return std::min(anchor_, caret_); }
  TextPosition selectionEnd() const { return std::max(anchor_, caret_); }
  void setSelection(TextPosition anchor, TextPosition caret);
  /// Of the loaded lines; copy() waits for the others.
  QString selectedText() const;

  QSize sizeHint() const override { return {640, 480}; }

public slots:
  /// To the clipboard, once all lines are there; without a selection the current line.
  void copy();
  /// The same with the number of each line in front of it.
  void copyWithNumbers();
  void selectAll();

signals:
  /// The user put the caret on another line (click or keys).
  void currentLineChanged(int line);
  void lineActivated(int line); ///< double click or Return
  void lineHovered(int line);   ///< -1: none
  void copyAvailable(bool available);
  /// The caret is elsewhere, by whatever moved it.
  void caretMoved();
  /// Ctrl+click on a name, where the caret now is.
  void nameActivated();
  void contextMenuRequested(int line, const QPoint &globalPosition);

protected:
  void applyZoom() override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  bool viewportEvent(QEvent *event) override;
  void scrollContentsBy(int dx, int dy) override;
  void scrollByPixels(QPointF pixels) override;

private:
  static constexpr int textPadding = 8;
  void sourceReset();
  void linesArrived(int first, int count);
  void updateScrollBars();
  void requestVisible();
  QString textOf(int line) const { return source_ ? source_->line(line).value_or(QString()) : QString(); }
  int rowsOf(int line);
  QList<RowScroll::Item> shownLines() const;
  QPointF inLine(QPoint point) const;
  int lineAt(int y) const;
  FoldSpot foldAt(QPoint point) const;
  bool toggleFold(int line, const FoldSpot &spot);
  void measureShown();
  void revealMatch();
  void showPointer(QPoint point, Qt::KeyboardModifiers modifiers);
  bool isOnName(QPoint point) const;
  bool showFoldToolTip(QPoint point, QPoint global);
  TextPosition positionAt(QPoint point) const;
  int lineLength(int line) const;
  void startCopy(bool hasNumbers);
  bool moveByRows(TextPosition &to, int rows) const;
  void moveCaret(TextPosition to, bool extend);
  void ensureCaretVisible();
  void setHoveredLine(int line);
  bool moveByKey(QKeyEvent *event);
  void autoScroll();
  void continueCopy();
  void paintLineMarks(QPainter &painter, const RowScroll::Item &item);
  void paintLine(QPainter &painter, const RowScroll::Item &item, int textLeft);
  void paintSelection(QPainter &painter, int line, QPointF origin, const QString &text, int height);
  void paintMatches(QPainter &painter, int line, QPointF origin, const QString &text);
  void paintNameUses(QPainter &painter, int line, QPointF origin, const QString &text);
  void paintEmpty(QPainter &painter);
  int gutterWidth() const;

  QPointer<TextSource> source_;
  mutable LineRenderer renderer_; ///< a cache of lines that are laid out
  RowScroll scroll_;
  QList<NameUse> nameUses_;
  QString emptyTitle_, emptyHint_;
  QList<TextMatch> matches_;
  QList<LineMark> lineMarks_;
  QMap<int, QString> noted_;
  QMap<int, int> numbers_; ///< by the first line of a run
  int largestNumber_ = 0;
  int currentMatch_ = -1;
  bool wantsMatch_ = false; ///< the current one is scrolled to as soon as its line is there
  TextPosition anchor_, caret_;
  double wantedX_ = -1; ///< of the caret, while it goes up and down; -1: where it is
  bool isMarked(int line) const {
    return (line >= opFirst_ && line <= opLast_) || (line >= otherFirst_ && line <= otherLast_);
  }
  int opFirst_ = -1, opLast_ = -1, otherFirst_ = -1, otherLast_ = -1, hovered_ = -1;
  double widest_ = 0;
  /// A line that was scrolled to, and where it stands, while lines above it arrive that wrap.
  std::optional<std::pair<int, int>> held_;
  QTimer *scrollTimer_ = nullptr;
  QPoint dragPoint_;
  bool dragging_ = false, draggingLines_ = false;
  struct PendingCopy {
    TextPosition begin, end;
    int next = 0;
    bool hasNumbers = false;
    QString text{};
  };
  std::optional<PendingCopy> copy_;
};

} // namespace fuselage
