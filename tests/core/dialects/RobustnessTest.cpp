// Broken text gives a diagnostic: nothing crashes or hangs, wherever it breaks off.
#include "tests/core/dialects/TolerantTestSupport.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

std::string corpusFile(llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR "/tests/core/dialects/corpus/" + name);
  return file ? (*file)->getBuffer().str() : std::string();
}

class Robustness : public testing::TestWithParam<const char *> {};

TEST_P(Robustness, BreaksOffAnywhere) {
  std::string text = corpusFile(GetParam());
  ASSERT_FALSE(text.empty());
  TolerantReading reading;
  for (size_t end = 0; end < text.size(); end += 7)
    reading.parse(llvm::StringRef(text).take_front(end));
}

TEST_P(Robustness, LacksABracket) {
  std::string text = corpusFile(GetParam());
  TolerantReading reading;
  for (size_t at = 0; at < text.size(); ++at)
    if (llvm::StringRef("()[]{}<>\"").contains(text[at]) && at % 3 == 0) {
      std::string broken = text;
      broken.erase(at, 1);
      reading.parse(broken);
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Robustness,
                         testing::Values("iree-flow.mlir", "iree-stream-hal.mlir", "in-house.mlir", "stablehlo.mlir",
                                         "twins.mlir"),
                         [](const auto &info) {
                           std::string name = info.param;
                           name.resize(name.find('.'));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Robustness, OddText) {
  TolerantReading reading;
  loadTolerantDialects(reading.context(), {"x"});
  for (const char *text : {"x.a (",
                           "x.a \"",
                           "x.a <",
                           "x.a {",
                           "x.a [1,",
                           "x.a %",
                           "x.a ^",
                           "x.a @",
                           "x.a #",
                           "x.a !",
                           "x.a -",
                           "x.a ->",
                           "x.a =>",
                           "x.a :",
                           "x.a = ",
                           "x.a )",
                           "x.a ]",
                           "x.a >",
                           "x.a , ,",
                           "%0 = x.a",
                           "%0:0 = x.a",
                           "%0:99999 = x.a : i32",
                           "x.a {%a",
                           "x.a {%a =",
                           "x.a (%a: ",
                           "x.a @f(%a: i32) -> %a as",
                           "x.a {a",
                           "x.a {@",
                           "x.a %a as %b:",
                           "x.a as %b: i32 {",
                           "x.a(%i) = ",
                           "x.a(%i, %j) in",
                           "x.a 0x",
                           "x.a 1.",
                           "x.a 99999999999999999999999",
                           "x.func @f(",
                           "x.func @f(...)",
                           "x.func @f() ->",
                           "x.a attributes",
                           "x.a loc(",
                           "x.a //",
                           "x.a \\",
                           "x.a $"})
    reading.parse(text);
}

} // namespace
} // namespace fuselage
