// Input that no tool wrote, or that was damaged on its way: a diagnostic with a position, whatever it is.
#include "core/ir/Session.h"
#include "core/ir/module/PrintedModule.h"
#include "core/registration/Registration.h"
#include "core/support/LargeStack.h"
#include "core/support/TrialRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace fuselage {
namespace {

constexpr llvm::StringRef kName = "hostile.mlir";

std::string repeat(llvm::StringRef text, size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i)
    result += text;
  return result;
}

/// `count` lines made of a pattern in which '$' is the number of the line.
std::string numbered(llvm::StringRef pattern, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    for (char c : pattern) {
      if (c == '$')
        result += std::to_string(i);
      else
        result += c;
    }
  return result;
}

std::string inFunction(llvm::StringRef body) { return "func.func @f(%a: i32) {\n" + body.str() + "  return\n}\n"; }

struct Outcome {
  bool opened = false;
  std::vector<Diagnostic> diagnostics;
};

/// Reads a text and prints what it holds; checks that every diagnostic has a place in the text.
Outcome readHostile(llvm::StringRef text) {
  Session session(allDialects());
  Outcome outcome;
  auto read = session.readText(text, kName);
  if (read) {
    outcome.opened = true;
    outcome.diagnostics = std::move(read->diagnostics);
    PrintedModule printed(*read->module);
    EXPECT_GE(printed.lineCount(), 1u);
  } else {
    Failure failure = takeFailure(read.takeError());
    EXPECT_FALSE(failure.message.empty());
    EXPECT_LT(failure.message.size(), 20'000u);
    EXPECT_FALSE(failure.diagnostics.empty());
    outcome.diagnostics = std::move(failure.diagnostics);
  }
  unsigned lines = static_cast<unsigned>(text.count('\n')) + 1;
  for (const Diagnostic &diagnostic : outcome.diagnostics) {
    EXPECT_EQ(diagnostic.file, kName);
    EXPECT_LE(diagnostic.line, lines) << diagnostic.message;
    EXPECT_LT(diagnostic.message.size(), 20'000u);
    EXPECT_LT(formatWithCaret(diagnostic).size(), 30'000u);
  }
  return outcome;
}

bool hasError(const Outcome &outcome) {
  return llvm::any_of(outcome.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::Error && diagnostic.line > 0 && diagnostic.column > 0;
  });
}

struct Case {
  const char *name;
  std::string text;
};

/// Each must say that something is wrong, and where.
class MustComplain : public testing::TestWithParam<Case> {};

TEST_P(MustComplain, WithAPosition) {
  Outcome outcome = readHostile(GetParam().text);
  EXPECT_TRUE(hasError(outcome)) << (outcome.opened ? "opened" : "refused");
}

/// Each may open or not.
class MustEnd : public testing::TestWithParam<Case> {};

TEST_P(MustEnd, InOneWayOrTheOther) {
  Outcome outcome = readHostile(GetParam().text);
  EXPECT_TRUE(outcome.opened || hasError(outcome));
}

std::string nameOfCase(const testing::TestParamInfo<Case> &info) { return info.param.name; }

std::vector<Case> complaints() {
  constexpr size_t deep = 50'000;
  return {
      {"RegionsOfUnknownOps", repeat("my.op {\n", deep) + repeat("}\n", deep)},
      {"TypesOfUnknownDialects", "my.op : " + repeat("!my.t<", deep) + "i1" + repeat(">", deep) + "\n"},
      {"Attributes", "my.op {a = " + repeat("[", deep) + repeat("]", deep) + "}\n"},
      {"Dictionaries", "my.op " + repeat("{a = ", deep) + "1" + repeat("}", deep) + "\n"},
      {"Parentheses", "my.op " + repeat("(", deep) + "%a" + repeat(")", deep) + " : i32\n"},
      {"Locations", "my.op loc(" + repeat("callsite(\"a\" at ", deep) + "\"b\"" + repeat(")", deep) + ")\n"},
      {"NulBetweenOps", std::string("func.func @f() {\n  my.op\0\n  return\n}\n", 36)},
      {"Utf16WithoutMark", std::string("m\0o\0d\0u\0l\0e\0 \0{\0}\0", 18)},
      {"UndefinedValues", inFunction(numbered("  my.use %u$ : i32\n", 3000))},
      {"UndefinedAliases", inFunction(numbered("  my.use #u$\n", 3000))},
      {"UndefinedSuccessors", inFunction("  my.br ^a, ^b, ^c\n")},
      {"UnterminatedString", inFunction("  my.op \"abc\n")},
      {"UnterminatedBracket", inFunction("  my.op ((( %a\n")},
      {"UnterminatedRegion", inFunction("  my.op { my.inner\n")},
      {"StrayClosers", "}}}}\nfunc.func @g() { return }\n))\n"},
      {"TwoFunctionsOfAName", "func.func @f() { return }\nfunc.func @f() { return }\n"},
      {"HugeDimension", "func.func private @f(tensor<99999999999999999999xf32>)\n"},
      {"HugeResultCount", inFunction("  %0:4294967296 = my.op : i32\n")},
      {"LargeResultCount", inFunction("  %0:4000000000 = my.op : i32\n")},
      {"NoResults", inFunction("  %0:0 = my.op : i32\n")},
      {"HugeWidth", inFunction("  my.op : i4294967295\n")},
      {"OnlySigns", repeat("-> : = , ", 20'000)},
      {"OnlyPercents", repeat("%", 100'000)},
      {"OnlyAts", repeat("@", 100'000)},
      {"OnlyQuotes", repeat("\"", 100'001)},
      {"OnlyBackslashes", "\"" + repeat("\\", 100'000)},
      {"OnlyWords", repeat("x y ", 50'000)},
      {"ALongWord", repeat("x", 1'000'000)},
      {"ManyBadOps", inFunction(numbered("  %v$ = arith.addi %a %a : i32\n", 2000))},
      {"ManyBadOpNames", inFunction(numbered("  %v$ = <<< @@ ] : i32\n", 500))},
  };
}

std::vector<Case> anything() {
  constexpr size_t megabytes10 = 10'000'000;
  return {
      {"LongString", "func.func @f() {\n  my.op {s = \"" + repeat("x", megabytes10) + "\"}\n  return\n}\n"},
      {"LongLineOfOperands", inFunction("  my.op " + repeat("%a, ", 50'000) + "%a : i32\n")},
      {"LongLineOfOps", "func.func @f(%a: i32) { " + repeat("my.op %a : i32 ", 5000) + " return }\n"},
      {"LongComment", "// " + repeat("{<(", megabytes10 / 3) + "\nmodule {}\n"},
      {"NestingInBounds", repeat("my.op {\n", 300) + repeat("}\n", 300)},
      {"TypesInBounds", "my.op : " + repeat("!my.t<", 300) + "i1" + repeat(">", 300) + "\n"},
      {"TuplesInBounds", "%0 = my.op : " + repeat("tuple<", 300) + "i1" + repeat(">", 300) + "\n"},
      {"ParenthesesInBounds", inFunction("  my.op " + repeat("(", 300) + "%a" + repeat(")", 300) + " : i32\n")},
      {"InvalidUtf8", "func.func @f() {\n  my.op {s = \"\xff\xfe\xc0\"} // \xff\n  return\n}\n"},
      {"InvalidUtf8InAName", "func.func @f() {\n  my.\xffop\n  return\n}\n"},
      {"CarriageReturns", "func.func @f(%a: i32) {\r  my.op %a : i32\r  return\r}\r"},
      {"EmptySplits", repeat("// -----\n", 5000) + "my.op\n"},
      {"ManySplits", repeat("func.func @f() {\n  my.op\n  return\n}\n// -----\n", 200)},
      {"ManyNamespaces", inFunction(numbered("  ns$.op %a : i32\n", 500))},
      {"ManyAliases", numbered("#m$ = #my.attr<$>\n", 5000) + "my.op #m5\n"},
      {"ManyResults", inFunction(numbered("  %v$:1000 = my.op : i32\n", 20))},
      {"ManyBlocks", "func.func @f() {\n  my.br ^b1\n" + numbered("^b$:\n  my.end\n", 2000) + "}\n"},
      {"LongSymbol", inFunction("  my.op @a" + repeat("::@a", 5000) + "\n")},
      {"HugeLocation", inFunction("  my.op loc(\"a\":4294967295:4294967295)\n")},
      {"HugeInteger", inFunction("  my.op 99999999999999999999999999 {a = 99999999999999999999 : i64}\n")},
      {"HugeSplat", inFunction("  my.op dense<1> : tensor<9223372036854775807xi64>\n")},
      {"LateDefinitions", inFunction(numbered("  %v$ = my.op %v1$ : i32\n", 1000))},
  };
}

INSTANTIATE_TEST_SUITE_P(Hostile, MustComplain, testing::ValuesIn(complaints()), nameOfCase);
INSTANTIATE_TEST_SUITE_P(Hostile, MustEnd, testing::ValuesIn(anything()), nameOfCase);

TEST(HostileText, CarriageReturnsCountAsPartOfTheirLine) {
  Outcome outcome = readHostile("func.func @f(%a: i32) {\r\n  %0 = arith.addi %a %a : i32\r\n  return\r\n}\r\n");
  ASSERT_TRUE(hasError(outcome));
  EXPECT_EQ(outcome.diagnostics.front().line, 2u);
}

TEST(HostileText, AnOpWhoseVerifierCrashesIsNamed) {
  Outcome outcome = readHostile("func.func @f(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {\n"
                                "  %0 = tensor.expand_shape %a [[], [0, 1]] output_shape [4, 2]"
                                " : tensor<4x2xf32> into tensor<4x2xf32>\n"
                                "  return %0 : tensor<4x2xf32>\n}\n");
  ASSERT_TRUE(hasError(outcome));
  EXPECT_EQ(outcome.diagnostics.front().line, 2u);
}

/// A private directory, removed with what is in it.
class HostileFile : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/fuselage-hostile-XXXXXX";
    ASSERT_TRUE(mkdtemp(name));
    folder_ = name;
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }
  std::string path(llvm::StringRef name) const { return folder_ + "/" + name.str(); }

private:
  std::string folder_;
};

TEST_F(HostileFile, ADirectoryIsRefused) {
  Session session(allDialects());
  auto read = session.read(path(""));
  ASSERT_FALSE(bool(read));
  EXPECT_NE(takeFailure(read.takeError()).message.find("cannot read"), std::string::npos);
}

TEST_F(HostileFile, APipeIsReadToItsEnd) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    int pipe = open(path("pipe").c_str(), O_WRONLY);
    for (llvm::StringRef part : {"func.func @f() {\n", "  return\n", "}\nfunc.func @g(\n"}) {
      [[maybe_unused]] ssize_t count = write(pipe, part.data(), part.size());
      usleep(1000);
    }
    close(pipe);
  });
  Session session(allDialects());
  auto read = session.read(path("pipe"));
  writer.join();
  std::vector<Diagnostic> diagnostics;
  if (read)
    diagnostics = read->diagnostics;
  else
    diagnostics = takeFailure(read.takeError()).diagnostics;
  ASSERT_FALSE(diagnostics.empty());
  // Nobody writes a second time: the caret must come from what was read.
  for (Diagnostic &diagnostic : diagnostics) {
    EXPECT_FALSE(formatWithCaret(diagnostic).empty());
    diagnostic.sourceLine.clear();
    EXPECT_FALSE(formatWithCaret(diagnostic).empty());
  }
  unlink(path("pipe").c_str());
}

TEST_F(HostileFile, AFileThatIsGoneStillHasItsDiagnostics) {
  std::error_code error;
  llvm::raw_fd_ostream(path("gone.mlir"), error) << "func.func @f() {\n  %0 = arith.addi %0 %0 : i32\n  return\n}\n";
  Session session(allDialects());
  auto read = session.read(path("gone.mlir"));
  llvm::sys::fs::remove(path("gone.mlir"));
  std::vector<Diagnostic> diagnostics = read ? read->diagnostics : takeFailure(read.takeError()).diagnostics;
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_NE(formatWithCaret(diagnostics.front()).find("arith.addi %0 %0"), std::string::npos);
}

/// How a copy that does this dies; empty: it does not.
std::string deathBy(TrialLimits limits, llvm::function_ref<void()> work) {
  std::optional<TrialResult> result = runInCopy(limits, [&](llvm::raw_ostream &) { work(); });
  return result ? result->death.value_or("") : "no copy";
}

TEST(TrialRun, TellsHowACopyDied) {
  EXPECT_EQ(deathBy({}, [] {}), "");
  EXPECT_NE(deathBy({}, [] { std::abort(); }).find("signal 6"), std::string::npos);
  EXPECT_NE(deathBy({}, [] { std::_Exit(3); }).find("status 3"), std::string::npos);
  EXPECT_EQ(deathBy({.seconds = 1},
                    [] {
                      volatile bool forever = true;
                      while (forever) {
                      }
                    }),
            "takes more than 1 s");
  EXPECT_EQ(deathBy({.seconds = 60, .bytes = 50 << 20},
                    [] {
                      std::vector<std::string> hoard;
                      while (true)
                        hoard.emplace_back(1 << 20, 'x'), usleep(100);
                    }),
            "takes more than 50 MiB");
}

TEST(TrialRun, OnlyItsOutputComesBack) {
  int touched = 0;
  std::optional<TrialResult> result = runInCopy({}, [&](llvm::raw_ostream &out) {
    touched = 1;
    out << std::string(1 << 20, 'x');
  });
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(touched, 0);
  EXPECT_EQ(result->output.size(), size_t(1) << 20);
  EXPECT_FALSE(result->death.has_value());
}

/// The copy has one thread; the stacks of the others are memory that it still reads.
TEST(TrialRun, StacksOfOtherThreadsStayAsTheyAre) {
  bool isIntact = false;
  runOnLargeStack([&] {
    std::array<char, 64 << 10> pattern;
    pattern.fill('x');
    runOnLargeStack([&] {
      std::optional<TrialResult> result = runInCopy({}, [&](llvm::raw_ostream &out) {
        out << (std::count(pattern.begin(), pattern.end(), 'x') == std::ptrdiff_t(pattern.size()) ? "intact"
                                                                                                  : "overwritten");
      });
      isIntact = result && result->output == "intact";
    });
  });
  EXPECT_TRUE(isIntact);
}

/// Verifiers of upstream read operands that such ops do not have, and crash or not by what they find there.
TEST(HostileInput, ListsWithoutTheirOperandsAreRefusedEachTime) {
  constexpr llvm::StringLiteral dynamic = "-9223372036854775808";
  auto refusals = [](const std::string &op) {
    unsigned count = 0;
    for (const Diagnostic &diagnostic :
         readHostile("func.func @f(%a: tensor<4x4xf32>, %p: tensor<2x4x2xf32>, %i: index, %v: vector<4xf32>) {\n  " +
                     op + "\n  return\n}\n")
             .diagnostics)
      count +=
          llvm::StringRef(diagnostic.message).contains("has not as many operands as its lists have dynamic places");
    return count;
  };
  const std::string list = "inner_dims_pos = [0] inner_tiles = [" + dynamic.str() + "]";
  for (unsigned times = 0; times < 5; ++times) {
    EXPECT_EQ(refusals("%u = linalg.unpack %p " + list + " into %a : tensor<2x4x2xf32> -> tensor<4x4xf32>"), 1u);
    EXPECT_EQ(refusals("%u = linalg.pack %a " + list + " into %p : tensor<4x4xf32> -> tensor<2x4x2xf32>"), 1u);
    EXPECT_EQ(refusals("%e = vector.extract %v[" + dynamic.str() + "] : f32 from vector<4xf32>"), 1u);
  }
  EXPECT_EQ(refusals("%u = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [%i] into %a : tensor<2x4x2xf32> -> "
                     "tensor<4x4xf32>"),
            0u);
}

} // namespace
} // namespace fuselage
