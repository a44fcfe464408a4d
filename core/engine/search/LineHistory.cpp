#include "core/engine/search/LineHistory.h"
#include "core/engine/search/Definitions.h"
#include "core/engine/search/ShownLine.h"
#include "core/stepping/diff/LineNormalizer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using llvm::StringRef;

namespace fuselage {
namespace {

using Change = message::HistoryChange;

/// What a line is compared by, and the longest piece of it that stands in the text as it is.
struct LineKey {
  std::string normal, literal;

  LineKey(const PrintedModule &lines, unsigned number) {
    LineNormalizer(lines.text()).append(lines.line(number), normal);
    StringRef rest = lines.line(number).trim();
    while (!rest.empty()) {
      StringRef piece = rest.take_until([](char c) { return c == '%' || c == '^' || c == '#'; });
      if (piece.size() > literal.size())
        literal = piece.str();
      rest = rest.drop_front(piece.size()).ltrim("%^#");
      rest = rest.drop_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; });
    }
  }

  /// The first line like it; -1: none.
  int findIn(const PrintedModule &lines) const {
    StringRef text = lines.text();
    if (!literal.empty() && !text.contains(literal))
      return -1;
    LineNormalizer names(text);
    std::string other;
    for (unsigned i = 0; i < lines.lineCount(); ++i) {
      if (!lines.line(i).contains(literal))
        continue;
      other.clear();
      names.append(lines.line(i), other);
      if (other == normal)
        return int(i);
    }
    return -1;
  }
};

class LineFollower {
public:
  LineFollower(Document &document, message::History<> &history) : document_(document), history_(history) {}

  /// What a later step made of the line; false: it is gone, or nothing is known from here on.
  bool forward(int number, LineKey &key) {
    const Step &step = document_.recording().steps[number];
    if (step.before < 0 || step.after < 0 || step.before == step.after)
      return true;
    int line = lineIn(step.before, key);
    if (line < 0 || lineIn(step.after, key) >= 0)
      return true;
    int partner = partnerOf(step, line, /*isLeft=*/true);
    if (partner < 0) {
      add(number, Change::Removed, step.before, line);
      return false;
    }
    add(number, Change::Changed, step.after, partner);
    key = LineKey(document_.lines(step.after), partner);
    return true;
  }

  /// What an earlier step made it of; false: that is where it began.
  bool backward(int number, LineKey &key) {
    const Step &step = document_.recording().steps[number];
    if (step.after < 0 || step.before == step.after)
      return true;
    int line = lineIn(step.after, key);
    if (line < 0)
      return true;
    if (step.before < 0) {
      add(number, Change::Present, step.after, line);
      return false;
    }
    if (lineIn(step.before, key) >= 0)
      return true;
    int partner = partnerOf(step, line, /*isLeft=*/false);
    add(number, partner < 0 ? Change::Introduced : Change::Changed, step.after, line);
    if (partner >= 0)
      key = LineKey(document_.lines(step.before), partner);
    return partner >= 0;
  }

  void beginning(const LineKey &key) {
    if (int line = lineIn(0, key); line >= 0)
      add(-1, Change::Present, 0, line);
  }

private:
  int lineIn(unsigned snapshot, const LineKey &key) {
    TextReading reading(document_, snapshot);
    return key.findIn(reading.lines());
  }

  /// The line on the other side of a run of changes that it was, or became: the first that does the same kind of thing;
  /// else the one that the diff puts beside it. -1: it was added or removed.
  int partnerOf(const Step &step, int line, bool isLeft) {
    auto diff = document_.textDiff(step.before, step.after);
    auto here = isLeft ? &DiffRow::left : &DiffRow::right, there = isLeft ? &DiffRow::right : &DiffRow::left;
    auto isOwn = [&](const DiffRow &row) { return row.*here == line; };
    auto isSame = [](const DiffRow &row) { return row.kind == DiffRow::Kind::Same; };
    auto row = llvm::find_if(diff->rows, isOwn);
    if (row == diff->rows.end())
      return -1;
    auto end = std::find_if(row, diff->rows.end(), isSame);
    auto begin = std::find_if(std::make_reverse_iterator(row), diff->rows.rend(), isSame).base();
    std::string word = opWordOf(document_.lines(isLeft ? step.before : step.after).line(line)).str();
    const PrintedModule &others = document_.lines(isLeft ? step.after : step.before);
    for (auto other = begin; other != end && !word.empty(); ++other)
      if ((*other).*there >= 0 && opWordOf(others.line((*other).*there)) == word)
        return (*other).*there;
    return (*row).*there;
  }

  void add(int step, Change change, int snapshot, int line) {
    history_.events.push_back({.step = step,
                               .change = change,
                               .snapshot = snapshot,
                               .line = line,
                               .text = shownLine(document_.lines(snapshot), line)});
  }

  Document &document_;
  message::History<> &history_;
};

} // namespace

bool followLine(Document &document, unsigned snapshot, unsigned line, const std::atomic<bool> &cancelled,
                llvm::function_ref<void(unsigned, unsigned)> progress, message::History<> &history) {
  const std::vector<Step> &steps = document.recording().steps;
  int count = int(steps.size()), here = 0; // the first step after the snapshot
  while (here < count && steps[here].before != int(snapshot) && steps[here].after != int(snapshot))
    ++here;
  if (here < count && steps[here].before != int(snapshot))
    ++here;
  LineFollower follower(document, history);
  const LineKey start(document.lines(snapshot), line);
  LineKey key = start;
  bool goesOn = true;
  for (int i = here - 1; i >= 0 && goesOn; --i) {
    if (cancelled)
      return false;
    goesOn = follower.backward(i, key);
    progress(here - i, count);
  }
  if (goesOn)
    follower.beginning(key);
  key = start;
  goesOn = true;
  for (int i = here; i < count && goesOn; ++i) {
    if (cancelled)
      return false;
    goesOn = follower.forward(i, key);
    progress(i + 1, count);
  }
  std::stable_sort(history.events.begin(), history.events.end(),
                   [](const auto &a, const auto &b) { return a.step < b.step; });
  return true;
}

} // namespace fuselage
