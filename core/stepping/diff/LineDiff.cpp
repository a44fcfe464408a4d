#include "core/stepping/diff/LineDiff.h"
#include "core/support/LazyLibrary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <git2.h>

namespace fuselage {
namespace {

/// What is used of libgit2, which counts its users and is set up by the first: here once, for good.
struct Git {
  decltype(&::git_libgit2_init) init = nullptr;
  decltype(&::git_diff_options_init) initOptions = nullptr;
  decltype(&::git_diff_buffers) diffBuffers = nullptr;

  Git() {
    const LazyLibrary library(FUSELAGE_LIBGIT2_SONAME);
    isThere = library.find("git_libgit2_init", init) && library.find("git_diff_options_init", initOptions) &&
              library.find("git_diff_buffers", diffBuffers) && init() > 0;
  }
  bool isThere;
};

unsigned countLines(llvm::StringRef text) { return text.count('\n'); }

int collectHunk(const git_diff_delta *, const git_diff_hunk *hunk, void *payload) {
  // A side without lines names the line before the place; the others count from 1.
  auto start = [](int start, int count) { return unsigned(count ? start - 1 : start); };
  static_cast<std::vector<LineHunk> *>(payload)->push_back({.left = start(hunk->old_start, hunk->old_lines),
                                                            .leftCount = unsigned(hunk->old_lines),
                                                            .right = start(hunk->new_start, hunk->new_lines),
                                                            .rightCount = unsigned(hunk->new_lines)});
  return 0;
}

/// Words as the lines of a text, for libgit2 to compare: of each number, 48 bits in printable characters.
std::string asLines(llvm::ArrayRef<size_t> words) {
  constexpr unsigned length = 8, bits = 6;
  std::string text;
  text.reserve(words.size() * (length + 1));
  for (size_t word : words) {
    for (unsigned i = 0; i < length; ++i, word >>= bits)
      text += char('@' + (word & ((1u << bits) - 1)));
    text += '\n';
  }
  return text;
}

/// Marks all `words` but the first that is `word`; true if none is.
bool keepOnly(size_t word, llvm::ArrayRef<size_t> words, std::vector<bool> &differs) {
  const auto *found = llvm::find(words, word);
  differs.assign(words.size(), true);
  if (found != words.end())
    differs[found - words.begin()] = false;
  return found == words.end();
}

/// Marks the words that are on no longest common subsequence. False: more than `limit` of them.
bool alignWords(llvm::ArrayRef<size_t> a, llvm::ArrayRef<size_t> b, size_t limit, std::vector<bool> &aDiffers,
                std::vector<bool> &bDiffers) {
  // One word against some, the most frequent case, is not worth a call of 5 us.
  if (a.size() == 1 || b.size() == 1) {
    bool isFirst = a.size() == 1;
    (isFirst ? aDiffers : bDiffers)[0] = isFirst ? keepOnly(a[0], b, bDiffers) : keepOnly(b[0], a, aDiffers);
    return a.size() + b.size() <= limit;
  }
  size_t edits = 0;
  for (const LineHunk &hunk : diffLines(asLines(a), asLines(b))) {
    edits += hunk.leftCount + hunk.rightCount;
    std::fill_n(aDiffers.begin() + hunk.left, hunk.leftCount, true);
    std::fill_n(bDiffers.begin() + hunk.right, hunk.rightCount, true);
  }
  return edits <= limit;
}

/// Neighbouring tokens that differ become one span, blanks between them included.
void appendSpans(llvm::ArrayRef<Token> tokens, const std::vector<bool> &differs, size_t offset,
                 std::vector<Span> &spans) {
  bool open = false;
  for (size_t i = 0; i < differs.size(); ++i) {
    const Token &token = tokens[offset + i];
    if (!differs[i]) {
      open = false;
      continue;
    }
    if (!open)
      spans.push_back({token.begin, token.begin});
    spans.back().end = token.begin + token.length;
    open = true;
  }
}

} // namespace

std::vector<LineHunk> diffLines(llvm::StringRef left, llvm::StringRef right) {
  std::vector<LineHunk> hunks;
  if (left == right)
    return hunks;
  static const Git git;
  if (!git.isThere) // which a package sees to
    return {{.leftCount = countLines(left), .rightCount = countLines(right)}};
  git_diff_options options;
  git.initOptions(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_SKIP_BINARY_CHECK | GIT_DIFF_INDENT_HEURISTIC;
  options.context_lines = 0;
  options.interhunk_lines = 0;
  options.max_size = -1;
  git.diffBuffers(left.data(), left.size(), "left", right.data(), right.size(), "right", &options, nullptr, nullptr,
                  collectHunk, nullptr, &hunks);
  return hunks;
}

void WordDiff::split(llvm::StringRef line, const LineNormalizer &names, Words &words) {
  tokenize(line, words.tokens);
  llvm::erase_if(words.tokens,
                 [&](const Token &token) { return line[token.begin] == ' ' || line[token.begin] == '\t'; });
  words.keys.clear();
  std::string storage;
  for (const Token &token : words.tokens)
    words.keys.push_back(llvm::hash_value(names.token(line.substr(token.begin, token.length), storage)));
}

void WordDiff::compare(llvm::StringRef left, llvm::StringRef right, std::vector<Span> &leftSpans,
                       std::vector<Span> &rightSpans) {
  split(left, leftNames_, left_);
  split(right, rightNames_, right_);
  llvm::ArrayRef<size_t> a = left_.keys, b = right_.keys;
  size_t prefix = 0;
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a = a.drop_front(), b = b.drop_front();
    ++prefix;
  }
  while (!a.empty() && !b.empty() && a.back() == b.back())
    a = a.drop_back(), b = b.drop_back();
  // More edits than this are not worth showing word by word.
  constexpr size_t limit = 256;
  std::vector<bool> aDiffers(a.size()), bDiffers(b.size());
  bool aligned = !a.empty() && !b.empty() && alignWords(a, b, limit, aDiffers, bDiffers);
  if (!aligned) {
    aDiffers.assign(a.size(), true);
    bDiffers.assign(b.size(), true);
  }
  appendSpans(left_.tokens, aDiffers, prefix, leftSpans);
  appendSpans(right_.tokens, bDiffers, prefix, rightSpans);
}

WordDiff::Bag WordDiff::bag(llvm::StringRef line, const LineNormalizer &names, Words &words) {
  split(line, names, words);
  Bag bag = words.keys;
  llvm::sort(bag);
  return bag;
}

double WordDiff::similarity(const Bag &left, const Bag &right) {
  size_t common = 0;
  for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i] == right[j])
      ++common, ++i, ++j;
    else
      ++(left[i] < right[j] ? i : j);
  }
  size_t total = left.size() + right.size();
  return total == 0 ? 1.0 : 2.0 * common / total;
}

} // namespace fuselage
