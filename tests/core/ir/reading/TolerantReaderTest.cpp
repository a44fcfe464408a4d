// Opening what MLIR refuses: unknown dialects, old text, broken ops, fragments.
#include "core/ir/reading/TolerantReader.h"
#include "core/ir/Session.h"
#include "core/ir/module/Splits.h"
#include "core/ir/source/LegacyText.h"
#include "core/ir/source/SourceEdits.h"
#include "core/registration/Registration.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace fuselage;
using Severity = Diagnostic::Severity;

namespace {

/// What was read, and its text.
struct Read {
  Session session{allDialects()};
  ReadResult result;
  std::string text;
  bool isOpen = false;

  explicit Read(llvm::StringRef source) {
    auto read = session.readText(source, "input.mlir");
    if (!read) {
      text = toString(read.takeError());
      return;
    }
    isOpen = true;
    result = std::move(*read);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*result.module)));
    llvm::raw_string_ostream os(text);
    result.module->print(os);
  }
  bool has(llvm::StringRef piece) const { return llvm::StringRef(text).contains(piece); }
  unsigned count(Severity severity) const {
    return llvm::count_if(result.diagnostics, [&](const Diagnostic &d) { return d.severity == severity; });
  }
  /// "line:column message" of the first of this severity.
  std::string first(Severity severity) const {
    for (const Diagnostic &d : result.diagnostics)
      if (d.severity == severity)
        return std::to_string(d.line) + ":" + std::to_string(d.column) + " " + d.message;
    return "none";
  }
};

} // namespace

TEST(SourceEdits, MapsBack) {
  SourceEdits edits;
  edits.insert(0, "head\n");
  edits.replace(4, 8, "1234567");
  edits.replace(5, 6, "inside");
  edits.erase(10, 12);
  EditedText edited = edits.apply("abc defg hijklm");
  EXPECT_EQ(edited.text(), "head\nabc 1234567 hklm");
  EXPECT_EQ(edited.toOriginal(0), 0u);
  EXPECT_EQ(edited.toOriginal(edited.text().find("bc")), 1u);
  EXPECT_EQ(edited.toOriginal(edited.text().find("456")), 4u);
  EXPECT_EQ(edited.toOriginal(edited.text().find("klm")), 12u);
}

TEST(LineTable, GoesBothWays) {
  llvm::StringRef text = "ab\r\n\ncd";
  LineTable lines(text);
  EXPECT_EQ(lines.positionOf(5).line, 3u);
  EXPECT_EQ(lines.positionOf(6).column, 2u);
  EXPECT_EQ(lines.offsetOf({3, 2}), 6u);
  EXPECT_EQ(lines.offsetOf({9, 1}), text.size());
  EXPECT_EQ(lines.line(1).str(), "ab");
  EXPECT_EQ(lines.line(7).str(), "");
}

TEST(TolerantReader, StockTextIsReadStrictly) {
  Read read("func.func @f(%a: f32) -> f32 {\n  %0 = arith.addf %a, %a : f32\n  return %0 : f32\n}\n");
  EXPECT_TRUE(read.isOpen);
  EXPECT_EQ(read.result.diagnostics.size(), 0u);
  EXPECT_EQ(read.result.tolerated, 0u);
}

TEST(TolerantReader, UnknownDialectsOpenWithOneWarningEach) {
  Read read("func.func @f(%a: f32) -> !foo.t {\n  %0 = foo.wrap %a : f32 -> !foo.t\n"
            "  %1 = foo.wrap %a : f32 -> !foo.t\n  return %0 : !foo.t\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.tolerated, 2u);
  EXPECT_EQ(read.result.gaps, 0u);
  EXPECT_EQ(read.count(Severity::Error), 0u);
  EXPECT_EQ(read.count(Severity::Warning), 1u);
  EXPECT_EQ(read.first(Severity::Warning), "2:8 dialect 'foo' is unknown; it is shown as written (2 ops)");
}

TEST(TolerantReader, OldTextIsReadInTodaysWords) {
  Read read("func @f(%a: tensor<4x?xf32>, %m: memref<4xf32>, %c: i1) -> f32 {\n"
            "  %c1 = constant 1 : index\n"
            "  %d = dim %a, %c1 : tensor<4x?xf32>\n"
            "  %v = load %m[%c1] : memref<4xf32>\n"
            "  %s = addf %v, %v : f32\n"
            "  %i = linalg.init_tensor [4, %d] : tensor<4x?xf32>\n"
            "  %z = linalg.fill(%s, %i) : f32, tensor<4x?xf32> -> tensor<4x?xf32>\n"
            "  cond_br %c, ^bb1(%s : f32), ^bb1(%v : f32)\n"
            "^bb1(%r: f32):\n"
            "  store %r, %m[%c1] : memref<4xf32>\n"
            "  scf.if %c {\n    %q = call @g(%r) : (f32) -> f32\n  }\n"
            "  return %r : f32\n}\nfunc @g(%x: f32) -> f32 attributes {a}\nfunc private @h()\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.tolerated, 0u) << read.text;
  EXPECT_EQ(read.count(Severity::Error), 0u) << read.first(Severity::Error);
  for (llvm::StringRef piece : {"tensor.dim", "memref.load", "arith.addf", "tensor.empty(", "linalg.fill ins(",
                                "cf.cond_br", "memref.store", "func.call @g", "func.func private @h"})
    EXPECT_TRUE(read.has(piece)) << piece.str() << "\n" << read.text;
}

TEST(TolerantReader, LaterRenamings) {
  Read read("func.func @f(%a: tensor<12xf32>, %x: f32) -> tensor<3x4xf32> {\n"
            "  %0 = arith.maxf %x, %x : f32\n"
            "  %1 = tensor.expand_shape %a [[0, 1]] : tensor<12xf32> into tensor<3x4xf32>\n"
            "  return %1 : tensor<3x4xf32>\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("arith.maximumf"));
  EXPECT_TRUE(read.has("output_shape [3, 4]"));
  EXPECT_EQ(read.count(Severity::Error), 0u);
}

TEST(TolerantReader, AnErrorInStockTextIsAnErrorAndKeepsTheRest) {
  Read read("func.func @f(%a: f32) -> f32 {\n  %0 = math.exp %a : f32 : oops\n  %1 = math.exp %0 : f32\n"
            "  return %1 : f32\n}\nfunc.func @g() {\n  return\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.count(Severity::Error), 1u);
  EXPECT_EQ(read.count(Severity::Warning), 0u);
  EXPECT_TRUE(llvm::StringRef(read.first(Severity::Error)).starts_with("2:")) << read.first(Severity::Error);
  EXPECT_EQ(read.result.diagnostics.front().sourceLine, "  %0 = math.exp %a : f32 : oops");
  EXPECT_TRUE(read.has("@g"));
}

TEST(TolerantReader, InForeignTextADemotionIsAWarning) {
  Read read("func.func @f(%a: f32) -> f32 {\n  foo.bar %a : f32\n  %0 = math.exp %a fast_and_loose : f32\n  return %0 "
            ": f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.count(Severity::Error), 0u) << read.first(Severity::Error);
  EXPECT_EQ(read.count(Severity::Warning), 2u);
}

TEST(TolerantReader, UndefinedValuesGetTheTypesOfTheirUses) {
  std::string text = "func.func @f() {\n  %0 = arith.constant 1 : i32\n";
  for (int i = 0; i < 30; ++i)
    text += "  %r" + std::to_string(i) + " = arith.addf %u" + std::to_string(i) + ", %u" + std::to_string(i) + " : f" +
            (i % 2 ? "32" : "64") + "\n";
  text += "  scf.execute_region {\n    %x = arith.negf %u1 : f32\n    scf.yield\n  }\n  return\n}\n";
  Read read(text);
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.gaps, 0u);
  EXPECT_TRUE(read.has("{name = \"%u29\"} : () -> f32")) << read.text;
  EXPECT_TRUE(read.has("{name = \"%u0\"} : () -> f64"));
  EXPECT_EQ(llvm::StringRef(read.text).count("fuselage.undefined"), 30u); // %u1 once, though used in two regions
}

TEST(TolerantReader, FragmentsBecomeFunctions) {
  Read read("#map = affine_map<(d0) -> (d0)>\n"
            "    %2 = tensor.empty() : tensor<4xf32>\n"
            "    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = [\"parallel\"]} ins(%arg0 : "
            "tensor<4xf32>) outs(%2 : tensor<4xf32>) {\n"
            "    ^bb0(%in: f32, %out: f32):\n      linalg.yield %in : f32\n    } -> tensor<4xf32>\n"
            "    return %3 : tensor<4xf32>\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("func.func @fragment() -> tensor<4xf32>")) << read.text;
  EXPECT_EQ(read.result.tolerated, 0u) << read.text;
  EXPECT_EQ(read.first(Severity::Error), "3:91 use of undeclared SSA value name '%arg0'");
}

TEST(TolerantReader, WhatNobodyReadsIsAGap) {
  Read read("func.func @f(%a: f32) -> f32 {\n  %0, %1 = foo.bar %a %% ]][ : f32\n  %2 = arith.addf %1, %a : f32\n"
            "  return %2 : f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.gaps, 1u) << read.text;
  EXPECT_TRUE(read.has(": (f32) -> (none, f32)")) << read.text;
  EXPECT_GE(read.count(Severity::Error), 1u);
}

TEST(TolerantReader, AFunctionKeepsItsBodyWhereItsHeaderIsNotRead) {
  Read read("func.func @bad(%a: f32, %b: tensor<?<) -> f32 {\n  %0 = math.exp %a : f32\n  return %0 : f32\n}\n"
            "func.func @good(%a: f32) -> f32 {\n  return %a : f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.gaps, 1u) << read.text;
  EXPECT_TRUE(read.has("math.exp")) << read.text;
  EXPECT_TRUE(read.has("text = \"func.func @bad(%a: f32, %b: tensor<?<) -> f32\"")) << read.text;
  EXPECT_TRUE(read.has("func.func @good")) << read.text;
}

TEST(TolerantReader, AValueOfALaterFunctionIsUndefinedInThisOne) {
  Read read("func.func @f() -> f32 {\n  %1 = my.op %0 : f32\n  return %1 : f32\n}\n"
            "func.func @g(%a: f32) -> f32 {\n  %0 = my.op %a : f32\n  return %0 : f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.gaps, 0u) << read.text;
  EXPECT_TRUE(read.has("{name = \"%0\"} : () -> f32")) << read.text;
  EXPECT_EQ(read.first(Severity::Error), "2:8 use of undeclared SSA value name '%0'");
}

TEST(TolerantReader, AnOpWithoutEndHurtsNoneAroundIt) {
  Read read("func.func @g(%a: f32) -> f32 {\n  return %a : f32\n}\nfunc.func @f(%a: f32) -> f32 {\n"
            "  %0 = my.op %a : f32\n  %1 = call @g(%0) : (f32) -> f32\n  %2[= my.op %1 : f32\n  return %2 : f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.gaps, 1u) << read.text;
  EXPECT_TRUE(read.has("func.func @f")) << read.text;
}

TEST(TolerantReader, ACallOfWhatIsInNoSymbolTableOpens) {
  Read read("module @m {\n  func.func @g(%a: f32) -> f32 {\n    return %a : f32\n  }\n"
            "    %1 = call @g(%a) : (f32) -> f32\n    %2 = my.op %1 : f32\n    return %2 : f32\n  }\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("my.op")) << read.text;
  EXPECT_TRUE(read.has("func.func @g")) << read.text;
}

TEST(TolerantReader, AHeaderThatLacksABracketKeepsItsBody) {
  for (llvm::StringRef header : {"func.func @f(%a: f32, %b: tensor<4x -> f32 {", "func.func @f(%a: f32 -> f32 {",
                                 "func.func @f(%a: f32) -> f32 attributes {x = [1, 2 {"}) {
    Read read((header + "\n  %0 = math.exp %a : f32\n  return %0 : f32\n}\n").str());
    ASSERT_TRUE(read.isOpen) << header.str() << "\n" << read.text;
    EXPECT_TRUE(read.has("^bb0(%arg0: f32):\n    %0 = math.exp %arg0 : f32")) << read.text;
    EXPECT_EQ(read.count(Severity::Error), 1u) << read.text;
  }
}

TEST(TolerantReader, ArgumentsOfAHeaderThatIsNotReadAreArguments) {
  Read read("func.func @bad(%a: f32, %b: tensor<?<, %c: i1, %d: f64) -> f32 {\n  %0 = arith.addf %a, %a : f32\n"
            "  %1 = scf.if %c -> f32 {\n    %2 = my.op %a, %none : f32, i8 -> f32\n    scf.yield %2 : f32\n"
            "  } else {\n    scf.yield %0 : f32\n  }\n  return %1 : f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("^bb0(%arg0: f32, %arg1: i1):")) << read.text;
  EXPECT_TRUE(read.has("my.op %arg0, ")) << read.text;
  EXPECT_EQ(llvm::StringRef(read.text).count("fuselage.undefined"), 1u) << read.text;
  EXPECT_EQ(read.count(Severity::Error), 2u); // the header, and %none
}

TEST(TolerantReader, AGapUsesTheValuesInItsText) {
  Read read("func.func @f(%a: f32, %b: f64) -> f32 {\n  %0:2 = x.pair %a : f32, f32\n  x.use %0#1, %b, %none %% ??\n"
            "  cf.br ^bb1(%a : f32)\n^bb1(%c: f32):\n  x.use %c, %0#0 %% ??\n  return %c : f32\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("(%0#1, %arg1) {text = ")) << read.text;
  EXPECT_TRUE(read.has(": (f32, f64) -> ()")) << read.text;
  EXPECT_TRUE(read.has("\"fuselage.gap\"(%1) {text = ")) << read.text; // of its own block only
}

TEST(TolerantReader, AMissingBraceHurtsItsOpOnly) {
  std::string generic =
      "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = "
      "[\"parallel\"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {\n"
      "  ^bb0(%in: f32, %out: f32):\n    linalg.yield %in : f32\n";
  std::string text = "func.func @f(%a: tensor<4xf32>) {\n  %0 = " + generic;
  for (unsigned i = 1; i < 100; ++i)
    text += "  %" + std::to_string(i) + " = " + generic + "  } -> tensor<4xf32>\n";
  Read read(text + "  return\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_LE(read.result.gaps, 1u);
  EXPECT_GE(llvm::StringRef(read.text).count("linalg.generic"), 99u) << read.text;
  EXPECT_TRUE(llvm::any_of(read.result.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.line == 5 && diagnostic.message == "the op before this one lacks 1 closing brace(s)";
  }));
}

TEST(TolerantReader, UndefinedBlocksAreToldTogether) {
  std::string text = "func.func @f() {\n  %0 = arith.constant 1 : i32\n";
  for (unsigned i = 0; i < 300; ++i)
    text += "  cf.br ^bb" + std::to_string(i) + "\n" + (i < 299 ? "^l" + std::to_string(i) + ":\n" : "");
  Read read(text + "}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.count(Severity::Error), 300u);
}

TEST(TolerantReader, CutOffTextOpens) {
  Read read(
      "module {\n  func.func @f(%a: f32) {\n    %0 = math.exp %a : f32\n    scf.if %c {\n      %1 = math.exp(%0\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("math.exp"));
  EXPECT_GE(read.count(Severity::Error), 1u);
}

/// As it is while somebody types: the rest of the line is missing.
TEST(TolerantReader, AnUnfinishedOperandListIsAGapAndTheRestIsThere) {
  llvm::StringRef whole = R"(#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %t = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %s = linalg.sub ins(%e, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
)";
  const llvm::StringRef ops[] = {"linalg.transpose", "linalg.matmul", "linalg.generic", "linalg.sub", "return"};
  for (llvm::StringRef list : {"ins(", "outs("})
    for (size_t at = whole.find(list); at != llvm::StringRef::npos; at = whole.find(list, at + 1))
      for (size_t kept : {size_t(0), size_t(1), size_t(3), size_t(9)}) {
        size_t cut = std::min(at + list.size() + kept, whole.find('\n', at));
        std::string text = (whole.take_front(cut) + whole.substr(whole.find('\n', at))).str();
        SCOPED_TRACE(text);
        Read read(text);
        ASSERT_TRUE(read.isOpen);
        EXPECT_GE(read.count(Severity::Error), 1u);
        for (llvm::StringRef op : ops)
          EXPECT_TRUE(read.has(op)) << op.str();
      }
}

TEST(TolerantReader, ProseAroundOpsIsLeftOut) {
  Read read("func.func @f() {\n  %c = arith.constant 1 : i32\n  ...\n  return\n}\nThe above is what we get!\n"
            "func.func @g() {\n  return\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(read.result.gaps, 0u) << read.text;
  EXPECT_TRUE(read.has("@g"));
  EXPECT_EQ(read.count(Severity::Error), 2u);
}

TEST(TolerantReader, NothingUsableIsAFailure) {
  for (llvm::StringRef text : {"this is a letter, not IR\n", "%%%% ((\n", "}}}}\n"}) {
    Read read(text);
    EXPECT_FALSE(read.isOpen) << read.text;
  }
}

TEST(TolerantReader, DoubledSymbolsAreRenamed) {
  Read read("func.func @f() {\n  return\n}\nfunc.func @f() {\n  return\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_TRUE(read.has("@f_1"));
  EXPECT_EQ(read.first(Severity::Error), "4:1 a second definition of '@f'");
}

TEST(TolerantReader, SplitsKeepTheirLines) {
  Read read("func.func @f() {\n  return\n}\n// -----\nfunc.func @g() {\n  %0 = foo.bar : i32\n  %1 = foo.baz %% : "
            "i32\n  return\n}\n");
  ASSERT_TRUE(read.isOpen) << read.text;
  EXPECT_EQ(splitModules(*read.result.module).size(), 2u);
  EXPECT_TRUE(llvm::StringRef(read.first(Severity::Error)).starts_with("7:")) << read.first(Severity::Error);
}

TEST(TolerantReader, BytecodeOfForeignOpsComesBack) {
  Read text(
      "func.func @f(%a: f32) -> !foo.t {\n  %0 = foo.wrap %a, size = 4 : f32 -> !foo.t\n  return %0 : !foo.t\n}\n");
  ASSERT_TRUE(text.isOpen) << text.text;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(*text.result.module, os)));
  Read back(bytes);
  ASSERT_TRUE(back.isOpen) << back.text;
  EXPECT_EQ(back.text, text.text);
}

TEST(TolerantReader, ManyBadOpsOfManyKindsTakeFewParses) {
  std::string text = "func.func @f(%a: f32, %t: tensor<4xf32>) {\n";
  const char *names[] = {"arith.addf",  "arith.mulf", "math.exp",     "tensor.cast", "linalg.fill",
                         "memref.load", "scf.if",     "vector.splat", "cf.assert",   "tensor.pad"};
  for (int i = 0; i < 3000; ++i)
    text += "  %" + std::to_string(i) + " = " + names[i % 10] + " %a with option" + std::to_string(i % 50) + " : f32\n";
  text += "  return\n}\n";
  Read read(text);
  EXPECT_TRUE(read.isOpen) << llvm::StringRef(read.text).take_front(500).str();

  Session session(allDialects());
  SourceScan scan(text);
  TolerantResult result = readTolerantly(session.context(), "input.mlir", splitSource(text).front(), scan, {});
  ASSERT_TRUE(result.module);
  EXPECT_GT(result.triedOps, 0u);
  EXPECT_LE(result.triedOps, 300u); // a few for each of the 50 texts that differ
  EXPECT_LE(result.parses, 10u);
}
