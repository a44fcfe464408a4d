// Every module of the corpus parses, and what is printed of it reads back as the same.
#include "tests/core/dialects/TolerantTestSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> paths;
  std::error_code error;
  // Another folder may be named, to try a heap of files.
  const char *other = std::getenv("FUSELAGE_TOLERANT_CORPUS");
  std::string folder = other ? other : FUSELAGE_SOURCE_DIR "/tests/core/dialects/corpus";
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".mlir"))
      paths.push_back(it->path());
  llvm::sort(paths);
  return paths;
}

class RoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, PrintsWhatReadsBack) {
  auto file = llvm::MemoryBuffer::getFile(GetParam());
  ASSERT_TRUE(file);
  TolerantReading reading;
  OwningOpRef<ModuleOp> module = reading.parse((*file)->getBuffer());
  ASSERT_TRUE(module) << reading.errors;
  std::string first = TolerantReading::print(*module);
  TolerantReading again;
  OwningOpRef<ModuleOp> second = again.parse(first);
  ASSERT_TRUE(second) << again.errors << "\n" << first;
  EXPECT_EQ(first, TolerantReading::print(*second));
  if (std::getenv("FUSELAGE_TOLERANT_PRINT"))
    llvm::outs() << first << "\n";
}

INSTANTIATE_TEST_SUITE_P(Corpus, RoundTrip, testing::ValuesIn(corpus()), [](const auto &info) {
  std::string name = llvm::sys::path::stem(info.param).str();
  for (char &c : name)
    if (!llvm::isAlpha(c))
      c = '_';
  return name;
});

} // namespace
} // namespace fuselage
