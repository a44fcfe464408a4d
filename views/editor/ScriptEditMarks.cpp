// What the editor shows in and beside the text: problems, brackets, matches, breakpoints, and where a schedule stands.
#include "views/common/Theme.h"
#include "views/editor/ScriptEdit.h"
#include "views/text/LineRenderer.h"
#include "views/text/MlirTokenizer.h"
#include <QPainter>
#include <QTextBlock>
#include <algorithm>

namespace fuselage {

// ---- Problems

static bool isWordCharacter(QChar character) {
  return character.isLetterOrNumber() || QStringView(u"_.%@#!^$\"").contains(character);
}

/// The word at a place, or the line where there is none: never nothing, so that it is seen.
static QTextCursor wordAt(QTextCursor cursor, int column) {
  const QTextBlock block = cursor.block();
  const QString line = block.text();
  int begin = std::min(column, int(line.size())), end = begin;
  while (end < line.size() && isWordCharacter(line[end]))
    ++end;
  if (begin == end && end < line.size() && !line[end].isSpace())
    ++end;
  if (begin == end) {
    begin = 0;
    while (begin < line.size() && line[begin].isSpace())
      ++begin;
    end = int(line.size());
  }
  cursor.setPosition(block.position() + begin);
  cursor.setPosition(block.position() + end, QTextCursor::KeepAnchor);
  return cursor;
}

void ScriptEdit::setProblems(const QList<protocol::Diagnostic> &problems) {
  problems_ = problems;
  problemPlaces_.clear();
  for (int i = 0; i < problems_.size(); ++i) {
    if (problems_[i].line < 1 || problems_[i].line > blockCount())
      continue;
    const QTextCursor line = lineCursor(problems_[i].line);
    problemPlaces_.append({wordAt(line, utf16Column(line.block().text(), std::max(problems_[i].column, 1) - 1)), i});
  }
  refreshMarks();
}

static QColor colourOf(const Theme &theme, const protocol::Diagnostic &problem) {
  return problem.severity == QLatin1String("error")     ? theme.error
         : problem.severity == QLatin1String("warning") ? theme.warning
                                                        : theme.accent;
}

void ScriptEdit::appendProblemMarks(QList<QTextEdit::ExtraSelection> &marks) const {
  const Theme &theme = Theme::of(palette());
  for (const Problem &problem : problemPlaces_) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = problem.place;
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(colourOf(theme, problems_[problem.at]));
    marks.append(mark);
  }
}

QString ScriptEdit::toolTipAt(const QPoint &place) const {
  const QTextCursor at = cursorForPosition(place);
  QStringList words;
  for (const Problem &problem : problemPlaces_) {
    const bool isInGutter = place.x() < 0 && problem.place.blockNumber() == at.blockNumber();
    if (!isInGutter && (at.position() < problem.place.selectionStart() || at.position() > problem.place.selectionEnd()))
      continue;
    const protocol::Diagnostic &diagnostic = problems_[problem.at];
    words.append(diagnostic.message);
    for (const protocol::Diagnostic &note : diagnostic.notes)
      words.append(note.line > 0 ? tr("line %1: %2").arg(note.line).arg(note.message) : QString(note.message));
  }
  if (words.isEmpty() && place.x() < 0)
    words = formsAt(at.blockNumber() + 1);
  return words.join(u'\n');
}

// ---- Brackets

/// Columns of brackets in a line that stand in no string and no comment.
static QList<int> bracketsIn(const QString &line) {
  const QList<Token> tokens = tokenizeMlir(line);
  QList<int> columns;
  for (const Token &token : tokens)
    if (token.kind == TokenKind::Punctuation && QStringView(u"(){}[]<>").contains(line[token.begin]) &&
        token.length == 1)
      columns.append(token.begin);
  return columns;
}

/// The place of the bracket that belongs to the one at `position`; -1: none is near enough.
static int partnerOf(const QTextDocument &document, int position) {
  static constexpr QStringView openers = u"({[<", closers = u")}]>";
  const QTextBlock start = document.findBlock(position);
  const QChar own = start.text()[position - start.position()];
  const bool forward = openers.contains(own);
  constexpr int farthest = 2000; // lines
  int depth = 0, seen = 0;
  for (QTextBlock block = start; block.isValid() && ++seen < farthest;
       block = forward ? block.next() : block.previous()) {
    const QString line = block.text();
    QList<int> columns = bracketsIn(line);
    if (!forward)
      std::reverse(columns.begin(), columns.end());
    for (const int column : columns) {
      const int place = block.position() + column;
      if (forward ? place < position : place > position)
        continue;
      const QChar bracket = line[column];
      if (openers.indexOf(bracket) != (forward ? openers : closers).indexOf(own) &&
          closers.indexOf(bracket) != (forward ? openers : closers).indexOf(own))
        continue;
      depth += (forward ? openers : closers).contains(bracket) ? 1 : -1;
      if (depth == 0)
        return place;
    }
  }
  return -1;
}

void ScriptEdit::appendBracketMarks(QList<QTextEdit::ExtraSelection> &marks) const {
  const Theme &theme = Theme::of(palette());
  const QTextCursor caret = textCursor();
  const QList<int> columns = bracketsIn(caret.block().text());
  for (const int column : {caret.positionInBlock() - 1, caret.positionInBlock()}) {
    if (!columns.contains(column))
      continue;
    const int own = caret.block().position() + column, partner = partnerOf(*document(), own);
    for (const int place : {own, partner}) {
      if (place < 0)
        continue;
      QTextEdit::ExtraSelection mark;
      mark.cursor = QTextCursor(document());
      mark.cursor.setPosition(place);
      mark.cursor.setPosition(place + 1, QTextCursor::KeepAnchor);
      if (partner < 0)
        mark.format.setForeground(theme.error);
      else
        mark.format.setBackground(mix(theme.accent, theme.surface, 0.35));
      mark.format.setFontWeight(QFont::Bold);
      marks.append(mark);
    }
    return;
  }
}

// ---- Lines

/// A line that is put in front of it moves it down.
static QTextCursor atFirstLetter(const QTextBlock &block) {
  const QString text = block.text();
  int column = 0;
  while (column < text.size() && text[column].isSpace())
    ++column;
  QTextCursor cursor(block);
  cursor.setPosition(block.position() + column);
  return cursor;
}

static QTextEdit::ExtraSelection wholeLine(QTextCursor cursor, const QColor &colour) {
  QTextEdit::ExtraSelection mark;
  cursor.clearSelection();
  mark.cursor = cursor;
  mark.format.setBackground(colour);
  mark.format.setProperty(QTextFormat::FullWidthSelection, true);
  return mark;
}

void ScriptEdit::refreshMarks() {
  const Theme &theme = Theme::of(palette());
  QList<QTextEdit::ExtraSelection> marks;
  marks.append(wholeLine(textCursor(), theme.currentLine));
  if (stepLine() > 0)
    marks.append(wholeLine(step_, theme.opLines));
  if (!search_.pattern().isEmpty() && search_.isValid())
    for (auto matches = search_.globalMatch(text()); matches.hasNext() && marks.size() < 5000;) {
      const QRegularExpressionMatch match = matches.next();
      QTextEdit::ExtraSelection mark;
      mark.cursor = QTextCursor(document());
      mark.cursor.setPosition(int(match.capturedStart()));
      mark.cursor.setPosition(int(match.capturedEnd()), QTextCursor::KeepAnchor);
      mark.format.setBackground(mix(theme.match, theme.surface, 0.5));
      marks.append(mark);
    }
  appendBracketMarks(marks);
  appendProblemMarks(marks);
  setExtraSelections(marks);
  gutter_->update();
}

void ScriptEdit::setStepLine(int line) {
  step_ = line > 0 && line <= blockCount() ? lineCursor(line) : QTextCursor();
  if (line > 0 && line <= blockCount())
    revealLine(line);
  refreshMarks();
}

int ScriptEdit::stepLine() const { return step_.isNull() ? 0 : step_.blockNumber() + 1; }

void ScriptEdit::setForms(const QHash<int, QStringList> &forms) {
  forms_ = forms;
  placeGutter();
}

void ScriptEdit::anchorLines() {
  anchors_.clear();
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    anchors_.append(atFirstLetter(block));
}

int ScriptEdit::lineNow(int anchored) const {
  return anchored < 1 || anchored > anchors_.size() ? 0 : anchors_[anchored - 1].blockNumber() + 1;
}

int ScriptEdit::lineThen(int line) const {
  if (line < 1 || line > blockCount())
    return 0;
  const QTextBlock block = lineCursor(line).block();
  const auto first = std::partition_point(anchors_.begin(), anchors_.end(), [&](const QTextCursor &anchor) {
    return anchor.position() < block.position();
  });
  return first != anchors_.end() && block.contains(first->position()) ? int(first - anchors_.begin()) + 1 : 0;
}

// ---- Breakpoints

QList<int> ScriptEdit::breakpoints() const {
  QList<int> lines;
  for (const QTextCursor &breakpoint : breakpoints_)
    if (!lines.contains(breakpoint.blockNumber() + 1)) // two may have met where a line went
      lines.append(breakpoint.blockNumber() + 1);
  std::sort(lines.begin(), lines.end());
  return lines;
}

void ScriptEdit::toggleBreakpoint(int line) {
  if (line < 1 || line > blockCount())
    return;
  const bool had = hasBreakpoint(line);
  breakpoints_.removeIf([line](const QTextCursor &breakpoint) { return breakpoint.blockNumber() + 1 == line; });
  if (!had) {
    breakpoints_.append(atFirstLetter(lineCursor(line).block()));
  }
  gutter_->update();
  emit breakpointsChanged();
}

void ScriptEdit::clearBreakpoints() {
  breakpoints_.clear();
  gutter_->update();
  emit breakpointsChanged();
}

void ScriptEdit::paintEvent(QPaintEvent *event) {
  QPlainTextEdit::paintEvent(event);
  if (!hasFocus())
    return;
  QPainter painter(viewport());
  paintFocus(painter, viewport()->rect(), palette());
}

} // namespace fuselage
