#include "app/gui/graph/ModelOutline.h"
#include "core/protocol/methods/GraphMethods.h"
#include <QRegularExpression>
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
  session_.client().call<method::GraphOutline>(
      {.snapshot = snapshot, .judge = false}, this,
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
    while (at >= 0 &&
           !(isFirst ? name[at].startsWith(pattern[i]) && (name[at] == pattern[i] || !pattern[i].front().isDigit())
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

/// Words by which people ask to be led somewhere; a part that is called so is found by its other words.
static void dropRequest(QStringList &words) {
  static const QStringList requests{u"go"_s, u"goto"_s, u"to"_s, u"show"_s, u"find"_s, u"me"_s, u"the"_s};
  while (words.size() > 1 && requests.contains(words.front()))
    words.removeFirst();
}

QList<int> ModelOutline::find(const QString &pattern) const {
  static const QRegularExpression total(u"\\bof \\d+"_s); // "layer 7 of 12"
  QStringList words = wordsOf(QString(pattern).remove(total));
  dropRequest(words);
  words.removeAll(u"of"_s); // "the attention of layer 7" is the other way round
  if (const QList<int> found = rowsCalled(words); !found.isEmpty())
    return found;
  // "attention of layer 7"
  const auto number =
      std::find_if(words.begin(), words.end(), [](const QString &word) { return word.front().isDigit(); });
  if (number == words.end() || number + 1 != words.end())
    return {};
  // Words before "layer 7" belong after it.
  const qsizetype place = std::max<qsizetype>(0, words.size() - 2);
  QStringList turned = words.mid(place);
  turned += words.first(place);
  return place == 0 ? QList<int>() : rowsCalled(turned);
}

/// Of a layer that has no name but its place, "layer 3 of 12", only the place is a name.
QList<int> ModelOutline::rowsCalled(const QStringList &words) const {
  QList<int> found;
  for (int row = 1; row < rows_.size(); ++row) {
    if (!isScope(row))
      continue;
    const bool isUnnamed = rows_[row].kind == Kind::Layer && rows_[row].name.startsWith(rows_[row].label + u"  "_s);
    QString name = isUnnamed ? rows_[row].label.section(u" of "_s, 0, 0) : rows_[row].name;
    // Of a layer that is entered again and again: "albert_layers.0 (7 of 12).attention".
    static const QRegularExpression call(u"[^.]*(\\.\\d+)? \\((\\d+) of \\d+\\)"_s);
    name.replace(call, u"layer \\2"_s);
    if (matches(words, wordsOf(name)))
      found.append(row);
  }
  return found;
}

} // namespace fuselage
