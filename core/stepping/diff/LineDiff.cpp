#include "core/stepping/diff/LineDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <git2.h>

namespace fuselage {
namespace {

/// libgit2 counts its users, so that each call may bracket itself.
struct LibGit2 {
  LibGit2() { git_libgit2_init(); }
  ~LibGit2() { git_libgit2_shutdown(); }
};

int collectHunk(const git_diff_delta *, const git_diff_hunk *hunk, void *payload) {
  // A side without lines names the line before the place; the others count from 1.
  auto start = [](int start, int count) { return unsigned(count ? start - 1 : start); };
  static_cast<std::vector<LineHunk> *>(payload)->push_back(
      {.left = start(hunk->old_start, hunk->old_lines),
       .leftCount = unsigned(hunk->old_lines),
       .right = start(hunk->new_start, hunk->new_lines),
       .rightCount = unsigned(hunk->new_lines)});
  return 0;
}

/// One step of the edit path: the furthest x on each diagonal, kept to walk back.
using Frontier = std::vector<int>;

/// Marks the tokens that are on no longest common subsequence. False: more than `limit` edits.
bool myers(llvm::ArrayRef<size_t> a, llvm::ArrayRef<size_t> b, int limit,
           std::vector<bool> &aDiffers, std::vector<bool> &bDiffers) {
  const int n = a.size(), m = b.size();
  std::vector<Frontier> trace;
  Frontier v(2 * limit + 3, 0);
  auto at = [&](Frontier &f, int k) -> int & { return f[k + limit + 1]; };
  for (int d = 0; d <= limit; ++d) {
    for (int k = -d; k <= d; k += 2) {
      int x = k == -d || (k != d && at(v, k - 1) < at(v, k + 1)) ? at(v, k + 1) : at(v, k - 1) + 1;
      int y = x - k;
      while (x < n && y < m && a[x] == b[y])
        ++x, ++y;
      at(v, k) = x;
      if (x < n || y < m)
        continue;
      trace.push_back(v);
      for (int step = d, px = n, py = m; step > 0; --step) {
        Frontier &before = trace[step - 1];
        int diagonal = px - py;
        bool down = diagonal == -step ||
                    (diagonal != step && at(before, diagonal - 1) < at(before, diagonal + 1));
        int from = down ? diagonal + 1 : diagonal - 1;
        px = at(before, from);
        py = px - from;
        if (down)
          bDiffers[py] = true;
        else
          aDiffers[px] = true;
      }
      return true;
    }
    trace.push_back(v);
  }
  return false;
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
  LibGit2 library;
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_SKIP_BINARY_CHECK | GIT_DIFF_INDENT_HEURISTIC;
  options.context_lines = 0;
  options.interhunk_lines = 0;
  options.max_size = -1;
  git_diff_buffers(left.data(), left.size(), "left", right.data(), right.size(), "right", &options,
                   nullptr, nullptr, collectHunk, nullptr, &hunks);
  return hunks;
}

void WordDiff::split(llvm::StringRef line, const LineNormalizer &names, Words &words) {
  tokenize(line, words.tokens);
  llvm::erase_if(words.tokens, [&](const Token &token) {
    return line[token.begin] == ' ' || line[token.begin] == '\t';
  });
  words.keys.clear();
  std::string storage;
  for (const Token &token : words.tokens)
    words.keys.push_back(
        llvm::hash_value(names.token(line.substr(token.begin, token.length), storage)));
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
  // More edits than this are not worth showing word by word; it bounds the work on long lines.
  constexpr int limit = 256;
  std::vector<bool> aDiffers(a.size()), bDiffers(b.size());
  bool aligned = !a.empty() && !b.empty() &&
                 myers(a, b, std::min<size_t>(limit, a.size() + b.size()), aDiffers, bDiffers);
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
