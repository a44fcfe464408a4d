#include "views/text/LineFolds.h"
#include "core/text/MlirLexer.h"
#include <algorithm>
#include <array>

namespace fuselage {

/// Shorter than these, in characters, is read as it is.
static constexpr int longData = 40, longList = 80, longDictionary = 120;
/// Longer lines are not looked at.
static constexpr qsizetype maxLine = 1 << 20;

namespace {
struct Open {
  int at = 0;
  QChar bracket;
  bool isData = false, isValue = false, hasEquals = false;
  int saved = 0;       ///< by folds inside
  qsizetype folds = 0; ///< found before it
};

class Folder {
public:
  Folder(QStringView line, const std::function<bool(const LineFold &)> &mayFold) : line_(line), mayFold_(mayFold) {}

  QList<LineFold> run() {
    const std::u16string_view text(line_.utf16(), size_t(line_.size()));
    for (size_t at = 0; at < text.size();) {
      const MlirToken token = nextMlirToken(text, at);
      at_ = int(token.begin);
      at = token.end;
      if (token.kind == MlirToken::Kind::Punctuation)
        step();
    }
    std::sort(folds_.begin(), folds_.end(), [](const LineFold &a, const LineFold &b) { return a.begin < b.begin; });
    return folds_;
  }

private:
  void step() {
    const QChar c = line_[at_];
    if (c == u'=' && !open_.isEmpty())
      open_.last().hasEquals = true;
    else if (c == u'(' || c == u'[' || c == u'{' || c == u'<')
      push(c);
    else if (c == u')' || c == u']' || c == u'}' || c == u'>')
      pop(c);
  }

  bool endsWith(QStringView word) const {
    return at_ >= word.size() && line_.sliced(at_ - word.size(), word.size()) == word;
  }

  void push(QChar bracket) {
    Open open{.at = at_, .bracket = bracket, .folds = folds_.size()};
    open.isData = bracket == u'<' &&
                  (endsWith(u"dense") || endsWith(u"array") || endsWith(u"dense_resource") || endsWith(u"sparse"));
    int before = at_ - 1;
    while (before >= 0 && line_[before].isSpace())
      --before;
    const bool isInAttribute =
        std::any_of(open_.cbegin(), open_.cend(), [](const Open &o) { return o.bracket == u'{'; });
    open.isValue = (before >= 0 && line_[before] == u'=') || isInAttribute;
    open_.append(open);
  }

  void pop(QChar bracket) {
    const QChar opening = bracket == u')' ? u'(' : bracket == u']' ? u'[' : bracket == u'}' ? u'{' : u'<';
    if (open_.isEmpty() || open_.last().bracket != opening)
      return; // such as the > of a comparison
    const Open open = open_.takeLast();
    const int length = at_ - open.at - 1, shown = length - open.saved;
    const bool isLong = (open.isData && shown > longData) || (opening == u'[' && open.isValue && shown > longList) ||
                        (opening == u'{' && open.hasEquals && shown > longDictionary);
    int saved = open.saved;
    if (isLong && (!mayFold_ || mayFold_({open.at + 1, at_}))) {
      folds_.resize(open.folds); // those inside are part of it
      folds_.append({open.at + 1, at_});
      saved = length - 1;
    }
    if (!open_.isEmpty())
      open_.last().saved += saved;
  }

  QStringView line_;
  const std::function<bool(const LineFold &)> &mayFold_;
  int at_ = 0;
  QList<Open> open_;
  QList<LineFold> folds_;
};
} // namespace

QList<LineFold> foldsOf(QStringView line, const std::function<bool(const LineFold &)> &mayFold) {
  return line.size() <= longData || line.size() > maxLine ? QList<LineFold>() : Folder(line, mayFold).run();
}

QString foldToolTip(QStringView line, const LineFold &fold) {
  constexpr int most = 600;
  const int length = fold.end - fold.begin;
  QString hidden = line.mid(fold.begin, std::min(most, length)).toString();
  if (length > most)
    hidden += u'\u2026';
  return QStringLiteral("<p>%1</p>").arg(hidden.toHtmlEscaped());
}

} // namespace fuselage
