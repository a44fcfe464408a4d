// The Markdown of lessons as HTML.
#include "core/lessons/MarkdownHtml.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

const Glossary glossary("| word | meaning |\n|---|---|\n| tile, tiles | A \"block\". |\n");

std::string blocksOf(llvm::StringRef markdown) {
  const auto pictureOf = [](llvm::StringRef name) { return name == "p.svg" ? std::string("data:image/x") : ""; };
  return MarkdownHtml(glossary, pictureOf).blocks(markdown);
}

TEST(MarkdownHtmlTest, BlocksAndSpans) {
  EXPECT_EQ(blocksOf("a\nb\n\n**c *d*** `e*`\n"), "<p>a\nb</p>\n<p><strong>c *d</strong>* <code>e*</code></p>\n");
  EXPECT_EQ(blocksOf("### H\n- a\n  b\n- c\n1. d\n"),
            "<h4>H</h4>\n<ul>\n<li>a b</li>\n<li>c</li>\n</ul>\n<ol>\n<li>d</li>\n</ol>\n");
  EXPECT_EQ(blocksOf("```mlir\n%a < %b\n```\nx"), "<pre><code>%a &lt; %b\n</code></pre>\n<p>x</p>\n");
  EXPECT_EQ(blocksOf("| a |\n|---|\n| b |\n"), "<table>\n<tr><th>a</th></tr>\n<tr><td>b</td></tr>\n</table>\n");
  EXPECT_EQ(blocksOf("2 * 3 * 4 ** \\*x"), "<p>2 * 3 * 4 ** *x</p>\n");
}

TEST(MarkdownHtmlTest, NothingIsMarkupOfItsOwn) {
  EXPECT_EQ(blocksOf("<b onclick='x'>"), "<p>&lt;b onclick=&#39;x&#39;&gt;</p>\n");
  EXPECT_EQ(blocksOf("[a](javascript:x)"), "<p>a</p>\n");
  EXPECT_EQ(blocksOf("[a](https://b/\"c)"), "<p><a rel=\"nofollow noopener\" href=\"https://b/&quot;c\">a</a></p>\n");
  EXPECT_EQ(blocksOf("![a\"b](p.svg) ![c](https://d)"),
            "<p><img src=\"data:image/x\" alt=\"a&quot;b\"> <em>c</em></p>\n");
  EXPECT_EQ(blocksOf("a\x01 b"), "<p>a b</p>\n");
}

/// Where it is first used, and not inside of a link.
TEST(MarkdownHtmlTest, TermsLeadToTheirMeaning) {
  EXPECT_EQ(blocksOf("[tile](http://t) Tiles tile"),
            "<p><a rel=\"nofollow noopener\" href=\"http://t\">tile</a> <a class=\"term\" href=\"#term-tile\" "
            "title=\"A &quot;block&quot;.\">Tiles</a> tile</p>\n");
}

/// Every text ends, with as many ends of elements as beginnings.
TEST(MarkdownHtmlTest, EveryPrefixIsWhole) {
  const std::string text =
      "# a\n**b *c* `d` [e](http://f) ![g](p.svg)** \\[\n- x\n  y\n3. z\n| a | **b |\n```\nq\n```\n[[[](*]*(";
  for (size_t length = 0; length <= text.size(); ++length) {
    const std::string html = blocksOf(llvm::StringRef(text).take_front(length));
    size_t open = 0, closed = 0, pictures = 0;
    for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
      pictures += html.compare(at, 4, "<img") == 0;
      ++(html[at + 1] == '/' ? closed : open);
    }
    EXPECT_EQ(open, closed + pictures) << html;
  }
}

} // namespace
} // namespace fuselage
