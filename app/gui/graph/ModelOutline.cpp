#include "app/gui/graph/ModelOutline.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

using Kind = protocol::OutlineKind;

ModelOutline::ModelOutline(EngineSession &session, QObject *parent) : QObject(parent), session_(session) {}

void ModelOutline::clear() {
  snapshot_ = -1;
  hasScopes_ = false;
  rows_.clear();
  rowOf_.clear();
}

void ModelOutline::request(int snapshot) {
  if (snapshot == snapshot_)
    return;
  clear();
  snapshot_ = snapshot;
  session_.client().call<protocol::Outline>(
      u"graph/outline"_s, {{u"snapshot"_s, snapshot}, {u"judge"_s, false}}, this,
      [this, snapshot](const protocol::Outline &outline) {
        if (snapshot != snapshot_)
          return;
        rows_ = outline.rows;
        for (const protocol::OutlineRow &row : std::as_const(rows_)) {
          hasScopes_ |= isScope(row.id);
          if (row.cluster != -1)
            rowOf_.insert(row.cluster, row.id);
        }
        for (const protocol::OutlineRow &row : std::as_const(rows_))
          if ((row.kind == Kind::Op || row.kind == Kind::Dispatch) && !rowOf_.contains(row.node))
            rowOf_.insert(row.node, row.id);
        emit changed();
      },
      {}, u"parts"_s);
}

bool ModelOutline::isScope(int row) const {
  const Kind kind = rows_[row].kind;
  return row > 0 && (kind == Kind::Module || kind == Kind::Stage || kind == Kind::Layer || kind == Kind::Block);
}

QList<int> ModelOutline::pathOfRow(int row) const {
  QList<int> path;
  for (; row >= 0 && row < rows_.size(); row = rows_[row].parent)
    if (row == 0 || isScope(row))
      path.prepend(row);
  return path;
}

QList<int> ModelOutline::pathTo(NodeId id) const {
  const auto row = rowOf_.constFind(id);
  return row == rowOf_.cend() ? QList<int>() : pathOfRow(*row);
}

/// Letters and numbers apart, in lower case; a possessive s is nobody's name.
QStringList ModelOutline::wordsOf(const QString &text) {
  QStringList words;
  QString word;
  const auto close = [&] {
    if (!word.isEmpty())
      words.append(word);
    word.clear();
  };
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar c = text[i].toLower();
    if (!c.isLetterOrNumber() || (!word.isEmpty() && word.back().isDigit() != c.isDigit()))
      close();
    const bool isPossessive = i > 0 && c == u's' && (text[i - 1] == u'\'' || text[i - 1] == QChar(0x2019)) &&
                              (i + 1 == text.size() || !text[i + 1].isLetterOrNumber());
    if (c.isLetterOrNumber() && !isPossessive)
      word.append(c);
  }
  close();
  return words;
}

/// Whether the words of a pattern are among those of a name, the last ones of both together.
static bool matches(const QStringList &pattern, const QStringList &name) {
  qsizetype at = name.size();
  bool isFirst = true;
  for (qsizetype i = pattern.size(); i-- > 0;) {
    const bool mustTouch = isFirst || pattern[i + 1].front().isDigit();
    --at;
    while (at >= 0 && !(isFirst ? name[at].startsWith(pattern[i]) && (name[at] == pattern[i] || !pattern[i].front().isDigit())
                                : name[at] == pattern[i])) {
      if (mustTouch)
        return false;
      --at;
    }
    if (at < 0)
      return false;
    isFirst = false;
  }
  return !pattern.isEmpty();
}

QList<int> ModelOutline::find(const QString &pattern) const {
  QList<int> found;
  const QStringList words = wordsOf(pattern);
  for (int row = 1; row < rows_.size(); ++row)
    if (isScope(row) && matches(words, wordsOf(rows_[row].name)))
      found.append(row);
  return found;
}

} // namespace fuselage
