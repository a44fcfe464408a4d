#include "core/stepping/diff/TextDiff.h"
#include "llvm/ADT/SmallVector.h"
#include <gtest/gtest.h>
#include <random>

namespace fuselage {
namespace {

std::vector<std::string> splitLines(llvm::StringRef text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line.str());
    text = rest;
  }
  return lines;
}

using Kind = DiffRow::Kind;

/// Both sides are covered in order, and each row is what its kind says; gives the right text that
/// the rows describe.
std::vector<std::string> checkAndApply(const TextDiff &diff, llvm::StringRef left, llvm::StringRef right) {
  std::vector<std::string> leftLines = splitLines(left), rightLines = splitLines(right), result;
  int nextLeft = 0, nextRight = 0;
  unsigned counts[4] = {};
  for (const DiffRow &row : diff.rows) {
    ++counts[int(row.kind)];
    EXPECT_EQ(row.left, row.kind == Kind::Added ? -1 : nextLeft);
    EXPECT_EQ(row.right, row.kind == Kind::Removed ? -1 : nextRight);
    nextLeft += row.left >= 0;
    nextRight += row.right >= 0;
    unsigned at = 0;
    for (const Span &span : row.leftWords) {
      EXPECT_LE(at, span.begin);
      EXPECT_LT(span.begin, span.end);
      EXPECT_LE(span.end, leftLines[row.left].size());
      at = span.end;
    }
    if (row.right >= 0)
      result.push_back(rightLines[row.right]);
  }
  EXPECT_EQ(nextLeft, int(leftLines.size()));
  EXPECT_EQ(nextRight, int(rightLines.size()));
  EXPECT_EQ(diff.added, counts[int(Kind::Added)]);
  EXPECT_EQ(diff.removed, counts[int(Kind::Removed)]);
  EXPECT_EQ(diff.changed, counts[int(Kind::Changed)]);
  return result;
}

TEST(TextDiff, EmptyAndEqualTexts) {
  EXPECT_TRUE(diffTexts("", "").rows.empty());
  TextDiff same = diffTexts("a\nb\n", "a\nb\n");
  EXPECT_EQ(same.rows.size(), 2u);
  EXPECT_EQ(same.added + same.removed + same.changed, 0u);
  EXPECT_EQ(diffTexts("", "a\nb\n").added, 2u);
  EXPECT_EQ(diffTexts("a\nb", "").removed, 2u);
}

TEST(TextDiff, IgnoresRenumbering) {
  TextDiff diff = diffTexts("%0 = arith.addf %arg0, %arg1 : f32\n%c0_3 = arith.constant 0 : index\n",
                            "%7 = arith.addf %arg2, %arg3 : f32\n%c0 = arith.constant 0 : index\n");
  EXPECT_EQ(diff.added + diff.removed + diff.changed, 0u);
  EXPECT_EQ(diffTexts("use %c0", "use %c1").changed, 1u);
}

TEST(TextDiff, IgnoresIndentation) {
  TextDiff diff = diffTexts("%0 = a.op\nreturn\n", "%1 = wrap {\n  %0 = a.op\n}\nreturn\n");
  EXPECT_EQ(diff.added, 2u);
  EXPECT_EQ(diff.removed + diff.changed, 0u);
}

TEST(TextDiff, ComparesAliasesByWhatTheyStandFor) {
  llvm::StringRef left = "#map = affine_map<(d0) -> (d0)>\n"
                         "op {m = #map} : f32\n";
  llvm::StringRef right = "#map = affine_map<(d0) -> (0)>\n"
                          "#map1 = affine_map<(d0) -> (d0)>\n"
                          "op {m = #map1} : f32\n";
  TextDiff diff = diffTexts(left, right);
  EXPECT_EQ(diff.added, 1u);
  EXPECT_EQ(diff.removed + diff.changed, 0u);
}

TEST(TextDiff, MarksTheWordsThatDiffer) {
  llvm::StringRef left = "%1 = linalg.fill ins(%a : f32) outs(%b : tensor<4xf32>)";
  llvm::StringRef right = "%9 = linalg.fill ins(%a : f16) outs(%b : tensor<8xf32>)";
  TextDiff diff = diffTexts(left, right);
  ASSERT_EQ(diff.rows.size(), 1u);
  ASSERT_EQ(diff.rows[0].kind, Kind::Changed);
  ASSERT_EQ(diff.rows[0].leftWords.size(), 2u);
  auto word = [](llvm::StringRef line, Span span) { return line.slice(span.begin, span.end).str(); };
  EXPECT_EQ(word(left, diff.rows[0].leftWords[0]), "f32");
  EXPECT_EQ(word(right, diff.rows[0].rightWords[0]), "f16");
  EXPECT_EQ(word(left, diff.rows[0].leftWords[1]), "4xf32");
  EXPECT_EQ(word(right, diff.rows[0].rightWords[1]), "8xf32");
}

/// The words of the one changed line of each side that differ.
std::pair<std::string, std::string> differingWords(llvm::StringRef left, llvm::StringRef right) {
  TextDiff diff = diffTexts(left, right);
  EXPECT_EQ(diff.rows.size(), 1u);
  std::pair<std::string, std::string> words;
  for (const Span &span : diff.rows[0].leftWords)
    words.first += "[" + left.slice(span.begin, span.end).str() + "]";
  for (const Span &span : diff.rows[0].rightWords)
    words.second += "[" + right.slice(span.begin, span.end).str() + "]";
  return words;
}

TEST(TextDiff, OneWordAgainstSome) {
  using Words = std::pair<std::string, std::string>;
  llvm::StringRef one = "call @f (red) : end";
  EXPECT_EQ(differingWords(one, "call @f (blue) : end"), Words("[red]", "[blue]"));
  EXPECT_EQ(differingWords(one, "call @f (dark red rose) : end"), Words("", "[dark][rose]"));
  EXPECT_EQ(differingWords(one, "call @f (dark blue) : end"), Words("[red]", "[dark blue]"));
  EXPECT_EQ(differingWords("call @f (dark red rose) : end", one), Words("[dark][rose]", ""));
}

TEST(TextDiff, WordsThatMovedAreTakenOutAndPutIn) {
  auto [left, right] = differingWords("call @f (a b c d) : end", "call @f (b c d a) : end");
  EXPECT_EQ(left, "[a]");
  EXPECT_EQ(right, "[a]");
}

TEST(TextDiff, DoesNotPairUnrelatedLines) {
  TextDiff diff = diffTexts("alpha beta gamma\n", "one two three\n");
  EXPECT_EQ(diff.changed, 0u);
  EXPECT_EQ(diff.added, 1u);
  EXPECT_EQ(diff.removed, 1u);
}

TEST(TextDiff, PairsSimilarLinesInABlock) {
  TextDiff diff =
      diffTexts("start\nload a from memory one\nend\n", "start\ncompletely new thing\nload a from memory two\nend\n");
  EXPECT_EQ(diff.added, 1u);
  EXPECT_EQ(diff.changed, 1u);
  EXPECT_EQ(diff.removed, 0u);
}

/// Random edits of a random text: the rows always describe both texts.
TEST(TextDiff, RowsDescribeBothTexts) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    auto pick = [&](unsigned n) { return unsigned(random() % n); };
    auto makeLine = [&] {
      std::string line;
      for (unsigned words = pick(9); words > 0; --words)
        line += "%" + std::to_string(pick(20)) + " op" + std::to_string(pick(4)) + " ";
      return line;
    };
    std::vector<std::string> left, right;
    for (unsigned i = pick(120); i > 0; --i)
      left.push_back(makeLine());
    unsigned rate = 1 + pick(100);
    for (const std::string &line : left) {
      if (pick(100) >= rate) {
        right.push_back(line);
        continue;
      }
      switch (pick(3)) {
      case 0:
        right.push_back(makeLine());
        right.push_back(line);
        break;
      case 1:
        right.push_back(line + " changed");
        break;
      default:
        break;
      }
    }
    auto join = [](const std::vector<std::string> &lines, bool newlineAtEnd) {
      std::string text;
      for (const std::string &line : lines)
        text += line + "\n";
      if (!newlineAtEnd && !text.empty() && !lines.back().empty())
        text.pop_back();
      return text;
    };
    std::string leftText = join(left, pick(2)), rightText = join(right, pick(2));
    TextDiff diff = diffTexts(leftText, rightText);
    EXPECT_EQ(checkAndApply(diff, leftText, rightText), splitLines(rightText)) << "seed " << seed;
  }
}

TEST(TextDiff, CountsUtf16) {
  llvm::StringRef line = "a\xc3\xa9\xe2\x86\x92\xf0\x9f\x98\x80z";
  EXPECT_EQ(utf16Length(line, 1), 1u);
  EXPECT_EQ(utf16Length(line, 3), 2u);
  EXPECT_EQ(utf16Length(line, 6), 3u);
  EXPECT_EQ(utf16Length(line, 10), 5u);
  EXPECT_EQ(utf16Length(line, 11), 6u);
}

} // namespace
} // namespace fuselage
