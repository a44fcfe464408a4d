#include "core/stepping/diff/TextDiff.h"
#include "core/stepping/diff/LineDiff.h"
#include "core/support/TwoThreads.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <optional>

namespace fuselage {
namespace {

std::vector<llvm::StringRef> splitLines(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  lines.reserve(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.take_front(end));
    text = text.drop_front(std::min(end + 1, text.size()));
  }
  return lines;
}

/// What a line says, by its hash of 128 bits; nothing: the line is empty.
using LineKey = std::pair<uint64_t, uint64_t>;

/// A text, ready to be compared.
struct DiffedText {
  explicit DiffedText(llvm::StringRef text) : lines(splitLines(text)), names(text) {
    keys.reserve(lines.size());
    std::string said; // reused from line to line
    for (llvm::StringRef line : lines) {
      said.clear();
      names.append(line, said);
      llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(said));
      keys.push_back(said.empty() ? LineKey() : LineKey(hash.low64, hash.high64));
    }
  }
  std::vector<llvm::StringRef> lines;
  LineNormalizer names;
  std::vector<LineKey> keys; ///< by line
};

/// Numbers what lines say, those that say the same alike: libgit2 hashes texts twice, and hashes numbers faster.
class LineNumbers {
public:
  explicit LineNumbers(size_t lines) { numbers_.reserve(lines); }

  /// The lines of a text as numbers in printable characters, a line each; an empty line stays one.
  std::string of(const std::vector<LineKey> &keys) {
    constexpr unsigned bits = 6;
    std::string text;
    text.reserve(keys.size() * 4);
    for (const LineKey &key : keys) {
      unsigned number = key == LineKey() ? 0 : numbers_.try_emplace(key, numbers_.size() + 1).first->second;
      for (unsigned left = number; left != 0; left >>= bits)
        text += char('@' + (left & ((1u << bits) - 1)));
      text += '\n';
    }
    return text;
  }

private:
  llvm::DenseMap<LineKey, unsigned> numbers_; // from 1
};

/// Lays the rows of a diff out, hunk by hunk.
class RowBuilder {
public:
  RowBuilder(const DiffedText &left, const DiffedText &right)
      : leftLines_(left.lines), rightLines_(right.lines), leftKeys_(left.keys), rightKeys_(right.keys),
        words_(left.names, right.names) {}

  TextDiff build() {
    LineNumbers numbers(std::max(leftLines_.size(), rightLines_.size()));
    const std::string left = numbers.of(leftKeys_), right = numbers.of(rightKeys_);
    diff_.rows.reserve(std::max(leftLines_.size(), rightLines_.size()));
    for (const LineHunk &hunk : diffLines(left, right)) {
      same(hunk.left);
      change(hunk);
    }
    same(leftLines_.size());
    return std::move(diff_);
  }

private:
  /// Lines up to `leftEnd` are alike on both sides.
  void same(size_t leftEnd) {
    for (; left_ < leftEnd; ++left_, ++right_)
      diff_.rows.push_back(
          {.kind = DiffRow::Kind::Same, .left = int(left_), .right = int(right_), .leftWords = {}, .rightWords = {}});
  }

  void removed() {
    diff_.rows.push_back(
        {.kind = DiffRow::Kind::Removed, .left = int(left_++), .right = -1, .leftWords = {}, .rightWords = {}});
    ++diff_.removed;
  }
  void added() {
    diff_.rows.push_back(
        {.kind = DiffRow::Kind::Added, .left = -1, .right = int(right_++), .leftWords = {}, .rightWords = {}});
    ++diff_.added;
  }
  void changed() {
    DiffRow row{
        .kind = DiffRow::Kind::Changed, .left = int(left_), .right = int(right_), .leftWords = {}, .rightWords = {}};
    words_.compare(leftLines_[left_++], rightLines_[right_++], row.leftWords, row.rightWords);
    diff_.rows.push_back(std::move(row));
    ++diff_.changed;
  }

  /// Pairs lines that resemble each other, in order; what has no partner is removed or added.
  void change(const LineHunk &hunk) {
    const size_t leftEnd = hunk.left + hunk.leftCount, rightEnd = hunk.right + hunk.rightCount;
    if (hunk.leftCount && hunk.rightCount)
      fillBags(hunk);
    std::vector<std::pair<unsigned, unsigned>> pairs =
        hunk.leftCount * uint64_t(hunk.rightCount) <= maxTable ? bestPairs(hunk) : nearPairs(hunk);
    for (auto [left, right] : pairs) {
      while (left_ < left)
        removed();
      while (right_ < right)
        added();
      changed();
    }
    while (left_ < leftEnd)
      removed();
    while (right_ < rightEnd)
      added();
  }

  /// The words of the hunk's lines, a bag a line.
  void fillBags(const LineHunk &hunk) {
    leftBags_.clear();
    rightBags_.clear();
    for (unsigned i = 0; i < hunk.leftCount; ++i)
      leftBags_.push_back(words_.leftBag(leftLines_[hunk.left + i]));
    for (unsigned j = 0; j < hunk.rightCount; ++j)
      rightBags_.push_back(words_.rightBag(rightLines_[hunk.right + j]));
  }

  /// Of lines numbered within the hunk; 0 below the threshold.
  double similarity(unsigned i, unsigned j) const {
    double value = WordDiff::similarity(leftBags_[i], rightBags_[j]);
    return value >= threshold ? value : 0;
  }

  /// The order-preserving pairing of greatest total similarity, by dynamic programming.
  std::vector<std::pair<unsigned, unsigned>> bestPairs(const LineHunk &hunk) {
    const unsigned n = hunk.leftCount, m = hunk.rightCount;
    std::vector<double> best((n + 1) * size_t(m + 1), 0), alike(n * size_t(m), 0);
    auto at = [&](unsigned i, unsigned j) -> double & { return best[i * size_t(m + 1) + j]; };
    for (unsigned i = n; i-- > 0;)
      for (unsigned j = m; j-- > 0;) {
        double here = alike[i * size_t(m) + j] = similarity(i, j);
        at(i, j) = std::max({at(i + 1, j), at(i, j + 1), here > 0 ? here + at(i + 1, j + 1) : 0});
      }
    std::vector<std::pair<unsigned, unsigned>> pairs;
    for (unsigned i = 0, j = 0; i < n && j < m;) {
      double here = alike[i * size_t(m) + j];
      if (here > 0 && at(i, j) == here + at(i + 1, j + 1))
        pairs.push_back({hunk.left + i++, hunk.right + j++});
      else if (at(i, j) == at(i + 1, j))
        ++i;
      else
        ++j;
    }
    return pairs;
  }

  /// For large hunks: each left line takes the most similar of the next few right lines.
  std::vector<std::pair<unsigned, unsigned>> nearPairs(const LineHunk &hunk) {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    unsigned next = 0;
    for (unsigned left = 0; left < hunk.leftCount; ++left) {
      double best = 0;
      unsigned partner = 0;
      for (unsigned right = next; right < std::min(next + window, hunk.rightCount); ++right)
        if (double value = similarity(left, right); value > best) {
          best = value;
          partner = right;
        }
      if (best == 0)
        continue;
      pairs.push_back({hunk.left + left, hunk.right + partner});
      next = partner + 1;
    }
    return pairs;
  }

  static constexpr double threshold = 0.5;   // below, two lines have no more than brackets in common
  static constexpr uint64_t maxTable = 4096; // cells of the dynamic programme
  static constexpr unsigned window = 6;

  const std::vector<llvm::StringRef> &leftLines_, &rightLines_;
  const std::vector<LineKey> &leftKeys_, &rightKeys_;
  WordDiff words_;
  std::vector<WordDiff::Bag> leftBags_, rightBags_; // of the current hunk
  TextDiff diff_;
  size_t left_ = 0, right_ = 0;
};

} // namespace

TextDiff diffTexts(llvm::StringRef left, llvm::StringRef right) {
  constexpr size_t large = 256 << 10; // a thread costs less than reading so much
  std::optional<DiffedText> before, after;
  auto readBefore = [&] { before.emplace(left); };
  auto readAfter = [&] { after.emplace(right); };
  if (std::min(left.size(), right.size()) >= large) {
    runBoth(readBefore, readAfter);
  } else {
    readBefore();
    readAfter();
  }
  return RowBuilder(*before, *after).build();
}

unsigned utf16Length(llvm::StringRef line, unsigned bytes) {
  unsigned units = 0;
  for (unsigned char c : line.take_front(bytes)) {
    bool continuation = (c & 0xc0) == 0x80;
    units += continuation ? 0 : c >= 0xf0 ? 2 : 1; // four bytes make a surrogate pair
  }
  return units;
}

unsigned utf8Length(llvm::StringRef line, unsigned units) {
  unsigned bytes = 0;
  for (unsigned seen = 0; bytes < line.size(); ++bytes) {
    unsigned char c = line[bytes];
    if ((c & 0xc0) == 0x80)
      continue;
    if (seen >= units)
      break;
    seen += c >= 0xf0 ? 2 : 1;
  }
  return bytes;
}

} // namespace fuselage
