// Opening modules: what works, and what is refused with a position instead of a crash.
#include "core/ir/Session.h"
#include "core/ir/module/Splits.h"
#include "core/ir/source/SourceText.h"
#include "core/registration/Registration.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

constexpr llvm::StringRef kFunction = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                      "  %0 = math.exp %a : tensor<4xf32>\n"
                                      "  return %0 : tensor<4xf32>\n"
                                      "}\n";

/// The failure of a text that must not open.
Failure refused(llvm::StringRef text) {
  Session session(allDialects());
  auto module = session.parse(text, "input.mlir");
  if (module) {
    ADD_FAILURE() << "opened: " << text.take_front(80).str();
    return Failure("");
  }
  Failure failure = takeFailure(module.takeError());
  EXPECT_FALSE(failure.message.empty());
  EXPECT_FALSE(failure.diagnostics.empty());
  return failure;
}

std::string repeat(llvm::StringRef text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i)
    result += text;
  return result;
}

std::string bytecodeOf(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(module, os)));
  return bytes;
}

} // namespace

TEST(Session, OpensTextBytecodeAndUnregisteredOps) {
  Session session(allDialects());
  auto module = session.parse(kFunction, "input.mlir");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  auto again = session.parse(bytecodeOf(module->get()), "input.mlirbc");
  ASSERT_TRUE(bool(again)) << toString(again.takeError());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(again->get())));
  auto unknown = session.parse("%0 = \"foo.bar\"() {x = !foo.type} : () -> i32\n", "input.mlir");
  EXPECT_TRUE(bool(unknown)) << toString(unknown.takeError());
  auto marked = session.parse("module @m {}\n", "input.mlir");
  ASSERT_TRUE(bool(marked)) << toString(marked.takeError());
  EXPECT_EQ(marked->get().getName(), "m");
}

TEST(Session, SplitsKeepTheLinesOfTheFile) {
  Session session(allDialects());
  std::string text = "// a comment\n// -----\n" + kFunction.str() + "// -----\n" + kFunction.str();
  auto module = session.parse(text, "input.mlir");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  auto splits = splitModules(module->get());
  ASSERT_EQ(splits.size(), 2u); // the first holds nothing but a comment
  std::vector<unsigned> lines;
  for (mlir::ModuleOp split : splits)
    split->walk([&](mlir::func::FuncOp function) {
      lines.push_back(positionOf(function.getLoc()).line);
      EXPECT_EQ(positionOf(function.getLoc()).file, "input.mlir");
    });
  EXPECT_EQ(lines, (std::vector<unsigned>{3, 8}));
}

TEST(Session, ErrorsOfAllSplitsAreReportedAtTheirLines) {
  Failure failure = refused(kFunction.str() + "// -----\nfunc.func @f( {\n}\n// -----\n\n  bad.op\n");
  ASSERT_EQ(failure.diagnostics.size(), 2u);
  EXPECT_EQ(failure.diagnostics[0].line, 6u);
  EXPECT_EQ(failure.diagnostics[0].file, "input.mlir");
  EXPECT_EQ(failure.diagnostics[0].sourceLine, "func.func @f( {");
  EXPECT_EQ(failure.diagnostics[1].line, 10u);
}

TEST(Session, ReportsPositionsOfParseAndVerifierErrors) {
  Failure parse = refused("func.func @f() {\n  %0 = arith.constant 1 : i32x\n  return\n}\n");
  EXPECT_EQ(parse.diagnostics[0].line, 2u);
  Failure verify = refused("func.func @f() -> i32 {\n  return\n}\n");
  EXPECT_EQ(verify.diagnostics[0].line, 2u);
  EXPECT_NE(formatWithCaret(verify.diagnostics[0]).find("  return\n  ^"), std::string::npos);
}

TEST(Session, RefusesWhatHoldsNoIR) {
  EXPECT_NE(refused("").message.find("empty"), std::string::npos);
  EXPECT_NE(refused("// only a comment\n\n").message.find("no IR"), std::string::npos);
  Failure nul = refused(llvm::StringRef("module {\n\0}", 11));
  EXPECT_EQ(nul.diagnostics[0].line, 2u);
  EXPECT_EQ(nul.diagnostics[0].column, 1u);
  refused(llvm::StringRef("\xff\xfem\0o\0", 6));
  refused("\x7f"
          "ELF\x02\x01\x01");
}

TEST(Session, RefusesUnreadableFiles) {
  Session session(allDialects());
  for (llvm::StringRef path : {"/nonexistent/x.mlir", "/"}) {
    auto module = session.open(path);
    ASSERT_FALSE(bool(module));
    Failure failure = takeFailure(module.takeError());
    EXPECT_NE(failure.message.find("cannot read"), std::string::npos) << failure.message;
  }
}

TEST(Session, SurvivesDeepNesting) {
  for (size_t depth : {2000u, 100000u}) {
    EXPECT_NE(refused(repeat("module {\n", depth) + repeat("}\n", depth)).message.find("deep"), std::string::npos);
    refused("func.func private @f(" + repeat("tuple<", depth) + "i1" + repeat(">", depth) + ")");
    refused("module attributes {a = " + repeat("[", depth) + repeat("]", depth) + "} {}");
    refused("#m = affine_map<(d0) -> (" + repeat("(", depth) + "d0" + repeat(")", depth) + ")>");
    refused(repeat("\"x.y\"() ({\n", depth) + repeat("}) : () -> ()\n", depth));
  }
  Session session(allDialects());
  auto module = session.parse(repeat("module {\n", 500) + repeat("}\n", 500), "input.mlir");
  EXPECT_TRUE(bool(module)) << toString(module.takeError());
}

TEST(Session, BracketsInStringsAndCommentsDoNotNest) {
  EXPECT_FALSE(findSourceProblem("// " + repeat("{", 5000) + "\nmodule {}\n"));
  EXPECT_FALSE(findSourceProblem("module attributes {a = \"" + repeat("<\\\"", 5000) + "\"} {}\n"));
  EXPECT_FALSE(findSourceProblem(repeat("#s = affine_set<(d0) : (d0 >= 0)>\n", 5000)));
  EXPECT_FALSE(findSourceProblem(repeat("  %0 = f(%1) : () -> (i1)\n", 5000)));
}

TEST(Session, DeeplyNestedBytecodeIsRefused) {
  Session session(allDialects());
  mlir::OpBuilder builder(&session.context());
  mlir::OwningOpRef<mlir::ModuleOp> outer(mlir::ModuleOp::create(builder.getUnknownLoc()));
  mlir::ModuleOp inner = *outer;
  for (int i = 0; i < 1500; ++i) {
    builder.setInsertionPointToStart(inner.getBody());
    inner = mlir::ModuleOp::create(builder, builder.getUnknownLoc());
  }
  EXPECT_NE(refused(bytecodeOf(*outer)).message.find("deeper"), std::string::npos);
}

TEST(Session, TruncatedBytecodeIsAnErrorAtEveryLength) {
  Session session(allDialects());
  auto module = session.parse(kFunction, "input.mlir");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  std::string bytes = bytecodeOf(module->get());
  for (size_t length = 4; length < bytes.size(); ++length) {
    auto cut = session.parse(llvm::StringRef(bytes).take_front(length), "cut.mlirbc");
    ASSERT_FALSE(bool(cut)) << length;
    Failure failure = takeFailure(cut.takeError());
    EXPECT_NE(failure.message.find("damaged bytecode"), std::string::npos) << failure.message;
  }
}

TEST(Session, AFailureLeavesTheSessionUsable) {
  Session session(allDialects());
  llvm::consumeError(session.parse("func.func @", "bad.mlir").takeError());
  auto module = session.parse(kFunction, "input.mlir");
  EXPECT_TRUE(bool(module)) << toString(module.takeError());
}

TEST(DiagnosticCapture, CollectsInOrderWithNotes) {
  Session session(allDialects());
  DiagnosticCapture capture(session.context());
  auto loc = mlir::FileLineColLoc::get(&session.context(), "a.mlir", 3, 7);
  mlir::emitWarning(mlir::NameLoc::get(mlir::StringAttr::get(&session.context(), "n"), loc), "first");
  EXPECT_FALSE(capture.sawError());
  mlir::emitError(loc, "second").attachNote(mlir::UnknownLoc::get(&session.context())) << "why";
  EXPECT_TRUE(capture.sawError());
  std::vector<Diagnostic> diagnostics = capture.take();
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].line, 3u);
  EXPECT_EQ(diagnostics[0].severity, Diagnostic::Severity::Warning);
  ASSERT_EQ(diagnostics[1].notes.size(), 1u);
  EXPECT_EQ(diagnostics[1].notes[0].line, 0u);
  EXPECT_TRUE(capture.take().empty());
}

TEST(FormatWithCaret, KeepsTabsAndClipsLongLines) {
  Diagnostic tabs{.message = "m", .file = "f", .line = 1, .column = 3, .sourceLine = "\t\tx"};
  EXPECT_EQ(formatWithCaret(tabs), "f:1:3: error: m\n\t\tx\n\t\t^");
  Diagnostic wide{.message = "m",
                  .file = "f",
                  .line = 1,
                  .column = 5001,
                  .sourceLine = repeat(" ", 5000) + "X" + repeat("y", 5000)};
  std::string text = formatWithCaret(wide);
  EXPECT_LT(text.size(), 500u);
  auto lines = llvm::to_vector(llvm::split(text, '\n'));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].find('X'), lines[2].find('^'));
  Diagnostic none{.message = "m", .file = "/nonexistent", .line = 1, .column = 5};
  EXPECT_EQ(formatWithCaret(none), formatDiagnostic(none));
}
