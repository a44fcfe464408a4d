// The glossary that lessons and Help share.
#include "core/text/Glossary.h"
#include "core/lessons/BuiltInLessons.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <set>

namespace fuselage {
namespace {

Glossary shipped() {
  auto page = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR "/resources/docs/glossary.md");
  EXPECT_TRUE(bool(page));
  return Glossary(page ? std::string_view((*page)->getBuffer()) : std::string_view());
}

std::string usesIn(const Glossary &glossary, const char *text) {
  std::string found;
  for (const Glossary::Use &use : glossary.usesIn(text))
    found += (found.empty() ? "" : ", ") + std::string(text).substr(use.begin, use.length);
  return found;
}

TEST(GlossaryTest, TermsAreFoundAsWords) {
  const Glossary glossary("| word | meaning |\n|---|---|\n| tile, tiles | A *block* of `d0`. |\n| tile size | Its |\n\n"
                          "| word | meaning |\n|---|---|\n| step | A pass. |\n");
  ASSERT_EQ(glossary.entries().size(), 3u);
  EXPECT_EQ(glossary.entries()[0].meaning, "A block of d0.");
  EXPECT_TRUE(glossary.entries()[2].isEveryday && !glossary.entries()[0].isEveryday);
  EXPECT_EQ(glossary.find("Tile Sizes"), &glossary.entries()[1]);
  EXPECT_EQ(glossary.find("tilt"), nullptr);
  EXPECT_EQ(usesIn(glossary, "A Tile has tile sizes; each step makes tiles."), "Tile, tile sizes, tiles");
  EXPECT_EQ(usesIn(glossary, "%tile tile_sizes tile-sizes=8 tile.size textile tiled a#tile"), "");
  EXPECT_EQ(usesIn(glossary, "(tile)"), "tile");
  EXPECT_EQ(usesIn(glossary, "its tile\nsize"), "tile\nsize");
}

/// Each term has a meaning of one to three sentences, and is written down once.
TEST(GlossaryTest, TheShippedOneIsWhole) {
  const Glossary glossary = shipped();
  EXPECT_GT(glossary.entries().size(), 80u);
  std::set<std::string> words;
  for (const GlossaryEntry &entry : glossary.entries()) {
    EXPECT_GT(entry.meaning.size(), 10u) << entry.name;
    EXPECT_EQ(entry.meaning.back(), '.') << entry.name;
    size_t sentences = 0;
    for (size_t at = entry.meaning.find('.'); at != std::string::npos; at = entry.meaning.find('.', at + 1))
      sentences += at + 1 == entry.meaning.size() || entry.meaning[at + 1] == ' ';
    EXPECT_LE(sentences, 3u) << entry.name;
    for (const std::string &word : entry.words)
      EXPECT_TRUE(words.insert(word).second) << word << " is there twice";
  }
}

/// A lesson marks a term bold where it introduces it.
TEST(GlossaryTest, BoldTermsOfLessonsAreInIt) {
  const Glossary glossary = shipped();
  unsigned terms = 0;
  for (const Lesson &lesson : builtInLessons()) {
    std::string text = lesson.intro;
    for (const LessonTask &task : lesson.tasks)
      text += "\n" + task.text;
    for (size_t at = text.find("**"); at != std::string::npos; at = text.find("**", at), ++terms) {
      const size_t end = text.find("**", at + 2);
      ASSERT_NE(end, std::string::npos) << lesson.folder;
      const std::string term = text.substr(at + 2, end - at - 2);
      EXPECT_NE(glossary.find(term), nullptr)
          << lesson.folder << " introduces '" << term << "': add it to resources/docs/glossary.md";
      at = end + 2;
    }
  }
  EXPECT_GT(terms, 20u);
}

} // namespace
} // namespace fuselage
