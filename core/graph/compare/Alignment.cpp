#include "core/graph/compare/Alignment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace fuselage {
namespace {

using Items = llvm::ArrayRef<const WorkItem *>;
using Pairs = std::vector<std::pair<unsigned, unsigned>>;

bool haveCommon(const std::set<std::string> &a, const std::set<std::string> &b) {
  auto at = a.begin(), other = b.begin();
  while (at != a.end() && other != b.end()) {
    if (*at == *other)
      return true;
    *at < *other ? ++at : ++other;
  }
  return false;
}

/// How well two pieces of work match; 0: not at all.
int score(const WorkItem &a, const WorkItem &b) {
  if (a.kind != b.kind || a.size != b.size)
    return 0;
  int known =
      (a.extents == b.extents ? 3 : 0) + (haveCommon(a.marks, b.marks) ? 4 : 0) + (a.company == b.company ? 2 : 0);
  switch (a.kind) {
  case WorkItem::Kind::Contraction:
  case WorkItem::Kind::Convolution:
    return 100 + known;
  case WorkItem::Kind::Reduction:
    return 20 + known;
  case WorkItem::Kind::Elementwise:
    return 10 + known;
  case WorkItem::Kind::Other:
    return a.label == b.label ? 10 + known : a.size > 0 ? 4 + known : 0;
  case WorkItem::Kind::Move:
    return 2 + known;
  }
  return 0;
}

/// The pairs of the largest sum of scores that keep the order of both (Needleman and Wunsch without a price for gaps).
Pairs alignInOrder(Items a, Items b) {
  enum Step : uint8_t { SkipA, SkipB, Match };
  const size_t width = b.size();
  std::vector<uint8_t> steps(a.size() * width);
  std::vector<int> row(width + 1, 0), above(width + 1, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    std::swap(row, above);
    row[0] = 0;
    for (size_t j = 0; j < width; ++j) {
      int matched = score(*a[i], *b[j]);
      int best = above[j + 1];
      Step step = SkipA;
      if (row[j] > best) {
        best = row[j];
        step = SkipB;
      }
      if (matched > 0 && above[j] + matched > best) {
        best = above[j] + matched;
        step = Match;
      }
      row[j + 1] = best;
      steps[i * width + j] = step;
    }
  }
  Pairs pairs;
  for (size_t i = a.size(), j = width; i > 0 && j > 0;) {
    switch (steps[(i - 1) * width + j - 1]) {
    case Match:
      pairs.push_back({--i, --j});
      break;
    case SkipA:
      --i;
      break;
    default:
      --j;
    }
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

/// Too large for the table of all pairs: piece by piece, each as long as that table may be.
Pairs alignLarge(Items a, Items b) {
  constexpr size_t mostCells = size_t(64) << 20;
  if (a.size() * b.size() <= mostCells)
    return alignInOrder(a, b);
  size_t pieces = a.size() * b.size() / mostCells + 2;
  Pairs pairs;
  for (size_t piece = 0; piece < pieces; ++piece) {
    size_t beginA = a.size() * piece / pieces, endA = a.size() * (piece + 1) / pieces;
    size_t beginB = b.size() * piece / pieces, endB = b.size() * (piece + 1) / pieces;
    for (auto [i, j] : alignInOrder(a.slice(beginA, endA - beginA), b.slice(beginB, endB - beginB)))
      pairs.push_back({i + beginA, j + beginB});
  }
  return pairs;
}

/// Some of the items, and where they stand.
struct Selection {
  llvm::SmallVector<const WorkItem *> items;
  llvm::SmallVector<unsigned> places;
  Selection(Items all, unsigned begin, unsigned end, llvm::function_ref<bool(unsigned)> isIn) {
    for (unsigned i = begin; i < end; ++i)
      if (isIn(i)) {
        items.push_back(all[i]);
        places.push_back(i);
      }
  }
};

/// Adds pairs of what both selections hold, in order.
void addAligned(const Selection &a, const Selection &b, Pairs &pairs) {
  for (auto [i, j] : alignLarge(a.items, b.items))
    pairs.push_back({a.places[i], b.places[j]});
}

/// What is left pairs with the nearest that is left, since siblings stand in another order on the other side; but only
/// where that gives a dispatch without a partner one: chance must not tie together what has other partners.
void pairLeftovers(Items a, Items b, Pairs &pairs) {
  constexpr unsigned near = 64;
  std::vector<int> pairOfA(a.size(), -1);
  std::vector<bool> isTaken(b.size(), false);
  std::set<unsigned> tiedA, tiedB; // dispatches
  auto tie = [&](unsigned i, unsigned j) {
    isTaken[j] = true;
    tiedA.insert(a[i]->dispatch);
    tiedB.insert(b[j]->dispatch);
  };
  for (auto [i, j] : pairs) {
    pairOfA[i] = int(j);
    tie(i, j);
  }
  unsigned middle = 0; // where the last pair leads to
  Pairs found;
  for (unsigned i = 0; i < a.size(); ++i) {
    if (pairOfA[i] >= 0) {
      middle = unsigned(pairOfA[i]);
      continue;
    }
    int best = -1;
    bool isTied = tiedA.count(a[i]->dispatch);
    for (unsigned distance = 0; distance < near && best < 0; ++distance)
      for (unsigned j : {middle + distance, middle - distance})
        if (j < b.size() && !isTaken[j] && best < 0 && !(isTied && tiedB.count(b[j]->dispatch)) &&
            score(*a[i], *b[j]) > 0)
          best = int(j);
    if (best < 0)
      continue;
    tie(i, unsigned(best));
    found.push_back({i, unsigned(best)});
  }
  llvm::append_range(pairs, found);
}

/// Elementwise work that stands alone on one side, and goes on with what came before it on the other, where it made one
/// piece of work with that: it pairs with that piece, too.
void pairContinued(Items a, Pairs &pairs, bool isSwapped) {
  std::vector<int> partner(a.size(), -1);
  std::set<unsigned> tied; // dispatches of this side
  for (auto [i, j] : pairs) {
    unsigned own = isSwapped ? j : i;
    partner[own] = int(isSwapped ? i : j);
    tied.insert(a[own]->dispatch);
  }
  std::map<int64_t, int> last; // by size: the partner of the last elementwise work
  Pairs found;
  for (unsigned i = 0; i < a.size(); ++i) {
    if (a[i]->isHeavy())
      last.clear();
    if (a[i]->kind != WorkItem::Kind::Elementwise || a[i]->size < 0)
      continue;
    auto known = last.find(a[i]->size);
    if (partner[i] >= 0)
      last[a[i]->size] = partner[i];
    else if (known != last.end() && !tied.count(a[i]->dispatch))
      found.push_back(isSwapped ? std::pair(unsigned(known->second), i) : std::pair(i, unsigned(known->second)));
  }
  llvm::append_range(pairs, found);
}

} // namespace

Pairs alignItems(Items a, Items b) {
  Pairs heavy, pairs;
  addAligned(Selection(a, 0, a.size(), [&](unsigned i) { return a[i]->isHeavy(); }),
             Selection(b, 0, b.size(), [&](unsigned i) { return b[i]->isHeavy(); }), heavy);
  pairs = heavy;
  heavy.push_back({a.size(), b.size()});
  unsigned beginA = 0, beginB = 0;
  for (auto [endA, endB] : heavy) {
    auto isLight = [](Items items) { return [items](unsigned i) { return !items[i]->isHeavy(); }; };
    auto lightA = isLight(a), lightB = isLight(b);
    addAligned(Selection(a, beginA, endA, lightA), Selection(b, beginB, endB, lightB), pairs);
    beginA = endA + 1;
    beginB = endB + 1;
  }
  pairLeftovers(a, b, pairs);
  pairContinued(a, pairs, /*isSwapped=*/false);
  pairContinued(b, pairs, /*isSwapped=*/true);
  llvm::sort(pairs);
  return pairs;
}

} // namespace fuselage
