// HLO text that is wrong, cut off or hostile: an error with a place, in linear time.
#include "core/ir/hlo/HloImport.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Verifier.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace fuselage {
namespace {

constexpr llvm::StringRef kName = "dump.hlo";

std::string inEntry(const std::string &instructions) { return "HloModule m\n\nENTRY main {\n" + instructions + "}\n"; }

/// "3:7: message" of the error that a text gives; empty if it opens.
std::string errorOf(llvm::StringRef text) {
  Session session(allDialects());
  auto read = session.readText(text, kName);
  if (read)
    return "";
  Failure failure = takeFailure(read.takeError());
  if (failure.diagnostics.empty())
    return failure.message;
  const Diagnostic &first = failure.diagnostics.front();
  EXPECT_EQ(first.file, kName);
  return std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.message;
}

struct Opened {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module{};
  std::vector<Diagnostic> diagnostics{};
};

std::unique_ptr<Opened> open(llvm::StringRef text) {
  auto opened = std::make_unique<Opened>();
  auto read = opened->session.readText(text, kName);
  if (!read) {
    ADD_FAILURE() << takeFailure(read.takeError()).message;
    return opened;
  }
  opened->module = std::move(read->module);
  opened->diagnostics = std::move(read->diagnostics);
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*opened->module)));
  return opened;
}

TEST(HloImport, KnowsHloByItsFirstLine) {
  EXPECT_TRUE(isHloText("HloModule jit_f, is_scheduled=true\n"));
  EXPECT_TRUE(isHloText("// a comment\n/* another */ HloModule m\n"));
  EXPECT_FALSE(isHloText("module { }"));
  EXPECT_FALSE(isHloText("HloModules"));
  EXPECT_FALSE(isHloText(""));
}

TEST(HloImport, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errorOf("HloModule m\n"), "2:1: the module has no computations; the text may be cut off");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2] parameter(0)\n  y = f32[2] add(x, z)\n")),
            "5:21: no instruction before this one in its computation is called 'z'");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2 parameter(0)\n")), "4:13: expected a dimension such as 8, <=8 or ?");
  EXPECT_EQ(errorOf(inEntry("  x = f32[-2] parameter(0)\n")), "4:13: a dimension is negative");
  EXPECT_EQ(errorOf(inEntry("  x = f32[4294967296,4294967296] parameter(0)\n")),
            "4:32: the shape has more elements than can be counted");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2] parameter(0)\n  x = f32[2] negate(x)\n")),
            "5:3: another instruction of the computation is called 'x'");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2] parameter(1)\n")), "3:7: the computation 'main' has no parameter 0");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2] parameter(0)\n  y = f32[2] get-tuple-element(x), index=0\n")),
            "5:3: the operand of 'get-tuple-element' is no tuple with an element of this index");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2] parameter(0)\n  y = (f32[2], f32[2]) tuple(x)\n")),
            "5:3: the shape of 'y' has another number of elements than its operands");
  EXPECT_EQ(errorOf("HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n"),
            "3:7: the computation 'main' is not closed by '}'; the text may be cut off");
  EXPECT_EQ(errorOf(inEntry("  x = f32[2] parameter(0), sharding={devices)\n")),
            "4:37: the attribute 'sharding' has no value, or its brackets are not closed");
}

TEST(HloImport, ReadsTheFirstOfSeveralModules) {
  std::string one = inEntry("  x = f32[2] parameter(0)\n");
  auto opened = open(one + one);
  ASSERT_EQ(opened->diagnostics.size(), 1u);
  EXPECT_EQ(opened->diagnostics.front().message,
            "another HloModule begins in line 6; only the first one is read: write each to a file of its own");
}

/// Each computation calls the one before twice: as text that is inlined, 2^40 instructions.
TEST(HloImport, CallsThatDoubleStayFunctions) {
  std::string text = "HloModule m\n\nc0 {\n  p = f32[] parameter(0)\n  ROOT n = f32[] negate(p)\n}\n";
  for (int i = 1; i <= 40; ++i) {
    std::string below = "c" + std::to_string(i - 1);
    text += "c" + std::to_string(i) + " {\n  p = f32[] parameter(0)\n  a = f32[] call(p), to_apply=" + below +
            "\n  ROOT b = f32[] call(a), to_apply=" + below + "\n}\n";
  }
  auto opened = open(text);
  unsigned functions = 0;
  opened->module->walk([&](mlir::func::FuncOp) { ++functions; });
  EXPECT_EQ(functions, 41u);
}

/// Regions nest as deep as the text says, up to a limit.
TEST(HloImport, LongChainsOfCallsDoNotNestDeep) {
  std::string text = "HloModule m\n\nc0 {\n  p = f32[] parameter(0)\n  ROOT n = f32[] negate(p)\n}\n";
  for (int i = 1; i <= 20000; ++i)
    text += "c" + std::to_string(i) + " {\n  p = f32[] parameter(0)\n  ROOT a = f32[] call(p), to_apply=c" +
            std::to_string(i - 1) + "\n}\n";
  open(text);
}

/// Computations that call themselves or each other, which XLA refuses.
TEST(HloImport, RecursionEnds) {
  open("HloModule m\n\na {\n  p = f32[] parameter(0)\n  ROOT x = f32[] call(p), to_apply=a\n}\n");
  open("HloModule m\n\na {\n  p = f32[] parameter(0)\n  ROOT x = f32[] call(p), to_apply=b\n}\n"
       "b {\n  p = f32[] parameter(0)\n  ROOT x = f32[] call(p), to_apply=a\n}\n");
}

TEST(HloImport, DeepTuplesAreRefused) {
  std::string open(100000, '('), close(100000, ')');
  EXPECT_EQ(errorOf(inEntry("  x = " + open + "f32[2]" + close + " parameter(0)\n")),
            "4:72: tuples nest deeper than 64");
  EXPECT_NE(errorOf(inEntry("  x = f32[2] parameter(0), a=" + std::string(100000, '{') + "\n")), "");
}

/// Cuts off, repeats, swaps and changes pieces of the dumps: whatever it is, it opens or says why not.
TEST(HloImport, DamagedDumps) {
  std::minstd_rand random(7);
  const std::string pieces[] = {"(",         ")",
                                "{",         "}",
                                "[",         ",",
                                "=",         "%",
                                "\"",        "\\",
                                "/*",        "-1",
                                "ROOT ",     "18446744073709551616",
                                "f32[2]",    "(f32[2], s32[])",
                                "fusion(",   "calls=%a",
                                "index=1",   "\n",
                                "HloModule "};
  unsigned opened = 0;
  Session session(allDialects());
  for (const auto &file : std::filesystem::directory_iterator(FUSELAGE_SOURCE_DIR "/tests/lit/hlo")) {
    std::stringstream stream;
    stream << std::ifstream(file.path()).rdbuf();
    std::string whole = stream.str();
    whole.erase(0, whole.find("HloModule"));
    for (unsigned round = 0; round < 60; ++round) {
      std::string text = whole;
      for (unsigned change = 0; change <= round % 3; ++change) {
        size_t at = random() % text.size(), length = random() % 40;
        switch (random() % 4) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), length));
          break;
        default:
          text.resize(at + 1);
        }
      }
      if (!isHloText(text))
        continue;
      auto read = session.readText(text, kName);
      if (!read) {
        llvm::consumeError(read.takeError());
        continue;
      }
      ++opened;
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*read->module)));
      (void)buildGraph(*read->module);
    }
  }
  EXPECT_GT(opened, 50u);
}

} // namespace
} // namespace fuselage
