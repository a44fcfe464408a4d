// The fuzzers' corpus once more, without libFuzzer; whatever crashed once stays in it.
#include "tests/fuzz/BytecodeSections.h"
#include "tests/fuzz/CliCase.h"
#include "tests/fuzz/Exercise.h"
#include "tests/fuzz/LineMutator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>

namespace fuselage::fuzz {
namespace {

/// The files of a folder of the corpus, sorted; the test fails if there are none.
std::vector<std::string> filesIn(llvm::StringRef folder) {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(FUSELAGE_SOURCE_DIR "/" + folder.str()))
    if (entry.is_regular_file())
      files.push_back(entry.path().string());
  EXPECT_FALSE(files.empty()) << folder.str();
  std::sort(files.begin(), files.end());
  return files;
}

std::string contentsOf(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// What opens of the corpus, as bytecode.
std::vector<std::string> bytecodeSeeds() {
  std::vector<std::string> seeds;
  for (const std::string &file : filesIn("tests/fuzz/corpus/text"))
    if (std::string bytes = toBytecode(contentsOf(file)); !bytes.empty() && bytes.size() < 4096)
      seeds.push_back(std::move(bytes));
  return seeds;
}

/// A file that crashes ends the process: its name is the last one printed.
void replay(llvm::StringRef folder) {
  for (const std::string &file : filesIn(folder)) {
    std::cerr << file << std::endl;
    exercise(contentsOf(file));
  }
}

TEST(Replay, Text) { replay("tests/fuzz/corpus/text"); }
TEST(Replay, Bytecode) { replay("tests/fuzz/corpus/bytecode"); }

TEST(Replay, CommandLine) {
  for (const std::string &file : filesIn("tests/fuzz/corpus/cli")) {
    std::string text = contentsOf(file);
    EXPECT_EQ(findInCommand(cliCommandOf(text), text), std::nullopt) << file;
  }
}

TEST(Replay, ATextSaysWhichCommandItIsFor) {
  EXPECT_EQ(cliCommandOf("// fuselage tiles\nmodule {}"), "tiles");
  EXPECT_TRUE(llvm::is_contained(cliCommands(), cliCommandOf("module {}")));
}

TEST(Replay, MutantsKeepMostLines) {
  const std::string text = contentsOf(filesIn("tests/fuzz/corpus/text").front());
  std::minstd_rand random(1);
  unsigned changed = 0;
  for (unsigned i = 0; i < 200; ++i) {
    std::string mutant = mutateLines(text, random);
    changed += mutant != text;
    EXPECT_NEAR(std::count(mutant.begin(), mutant.end(), '\n'), std::count(text.begin(), text.end(), '\n'), 1);
  }
  EXPECT_GT(changed, 100u);
}

TEST(Replay, SectionsAreTakenApartAndPutTogether) {
  std::vector<std::string> seeds = bytecodeSeeds();
  ASSERT_FALSE(seeds.empty());
  for (const std::string &seed : seeds) {
    std::optional<SectionedBytecode> file = SectionedBytecode::parse(seed);
    ASSERT_TRUE(file.has_value());
    EXPECT_GE(file->sections.size(), 4u);
    EXPECT_TRUE(exercise(file->print()));
    EXPECT_FALSE(SectionedBytecode::parse(llvm::StringRef(seed).drop_back(1)).has_value());
  }
  EXPECT_FALSE(SectionedBytecode::parse("module {}").has_value());
}

TEST(Replay, FlippedBitsOfBytecode) {
  for (const std::string &seed : bytecodeSeeds()) {
    unsigned random = 12345;
    for (unsigned flip = 0; flip < 12; ++flip) {
      random = random * 1664525u + 1013904223u;
      std::string bytes = seed;
      bytes[4 + (random >> 8) % (bytes.size() - 4)] ^= static_cast<char>(1 << (random >> 5) % 8);
      exercise(bytes);
    }
  }
}

} // namespace
} // namespace fuselage::fuzz
