// Names by the text alone, beside what MLIR's own parser tells of every text that it reads.
#include "core/lsp/text/NameScopes.h"
#include "core/ir/Session.h"
#include "core/ir/source/SourceText.h"
#include "core/registration/Registration.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <random>

namespace fuselage::lsp {
namespace {

using llvm::StringRef;

/// What MLIR says and we do not, a line each.
class Comparison {
public:
  Comparison(StringRef text, const char *start) : text_(text), start_(start), names_(findNames(text)) {}

  void definition(llvm::SMRange definition, llvm::ArrayRef<llvm::SMRange> uses) {
    // An entry block without a name is where its region begins.
    if (!definition.isValid() || *definition.Start.getPointer() == '{')
      return;
    int defined = tokenAt(definition);
    if (defined < 0 || names_.tokens[defined].definition != defined)
      return complain(definition, "is no definition");
    compareUses(defined, uses);
  }
  void symbol(llvm::SMRange op, llvm::ArrayRef<llvm::SMRange> uses) {
    // What the generic form calls by an attribute has no name of its own in the text.
    if (uses.empty() || *op.Start.getPointer() == '"')
      return;
    int found = names_.opAt(op.Start.getPointer() - start_);
    if (found < 0 || names_.ops[found].symbol < 0)
      return complain(op, "defines no symbol");
    compareUses(names_.ops[found].symbol, uses);
  }
  unsigned compared() const { return compared_; }
  const std::string &complaints() const { return complaints_; }

private:
  int tokenAt(llvm::SMRange range) const {
    size_t at = range.Start.getPointer() - start_;
    int token = names_.tokenAt(at + 1);
    return token >= 0 && names_.tokens[token].bytes.begin == at ? token : -1;
  }
  void compareUses(int definition, llvm::ArrayRef<llvm::SMRange> uses) {
    for (llvm::SMRange use : uses) {
      ++compared_;
      int token = tokenAt(use);
      if (token < 0 || names_.tokens[token].definition != definition)
        complain(use, "means something else");
    }
  }
  void complain(llvm::SMRange range, StringRef what) {
    size_t at = range.Start.getPointer() - start_;
    size_t line = text_.substr(0, at).count('\n') + 1;
    complaints_ += "line " + std::to_string(line) + ": '" + text_.slice(at, range.End.getPointer() - start_).str() +
                   "' " + what.str() + "\n";
  }

  StringRef text_;
  const char *start_;
  NameScopes names_;
  unsigned compared_ = 0;
  std::string complaints_;
};

/// Nullopt: MLIR does not read the text. Else how many uses were compared; complaints are added.
std::optional<unsigned> compareWithMlir(Session &session, StringRef text, std::string &complaints) {
  mlir::ScopedDiagnosticHandler silence(&session.context(), [](mlir::Diagnostic &) { return mlir::success(); });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "text.mlir"), llvm::SMLoc());
  const char *start = sources.getMemoryBuffer(1)->getBufferStart();
  mlir::AsmParserState state;
  mlir::Block block;
  mlir::ParserConfig config(&session.context(), /*verifyAfterParse=*/false);
  if (mlir::failed(mlir::parseAsmSourceFile(sources, &block, config, &state)))
    return std::nullopt;
  Comparison comparison(text, start);
  for (auto &op : state.getOpDefs()) {
    for (auto &group : op.resultGroups)
      comparison.definition(group.definition.loc, group.definition.uses);
    comparison.symbol(op.loc, op.symbolUses);
  }
  for (auto &definition : state.getBlockDefs()) {
    comparison.definition(definition.definition.loc, definition.definition.uses);
    for (auto &argument : definition.arguments)
      comparison.definition(argument.loc, argument.uses);
  }
  for (auto &alias : state.getAttributeAliasDefs())
    comparison.definition(alias.definition.loc, alias.definition.uses);
  complaints += comparison.complaints();
  return comparison.compared();
}

/// Every part of every text of the tree that does not end MLIR; `where`: the file, and the line that it begins on.
void forEachText(llvm::function_ref<void(StringRef text, const std::string &where)> see) {
  for (StringRef folder : {"samples", "tests/lit"}) {
    std::error_code error;
    std::string root = std::string(FUSELAGE_SOURCE_DIR) + "/" + folder.str();
    for (llvm::sys::fs::recursive_directory_iterator at(root, error), end; at != end && !error; at.increment(error)) {
      if (!StringRef(at->path()).ends_with(".mlir"))
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(at->path());
      ASSERT_TRUE(bool(buffer)) << at->path();
      for (const SourceSplit &split : splitSource((*buffer)->getBuffer()))
        if (!findSourceProblem(split.text) && !split.text.contains("\n//--- ")) // several files in one
          see(split.text, at->path() + ":" + std::to_string(split.firstLine));
    }
  }
}

TEST(NameScopes, SaysWhatMlirsParserSays) {
  Session session(allDialects());
  unsigned files = 0, uses = 0;
  forEachText([&](StringRef text, const std::string &where) {
    std::string complaints;
    std::optional<unsigned> compared = compareWithMlir(session, text, complaints);
    files += compared.has_value();
    uses += compared.value_or(0);
    EXPECT_EQ(complaints, "") << where;
  });
  EXPECT_GT(files, 500u);
  EXPECT_GT(uses, 8000u);
}

/// What MLIR reads, without the names that it had; empty: it does not read the text.
std::string meaningOf(Session &session, StringRef text) {
  auto module = session.parse(text, "text.mlir");
  if (!module) {
    llvm::consumeError(module.takeError());
    return "";
  }
  std::string printed;
  llvm::raw_string_ostream os(printed);
  (*module)->print(os, mlir::OpPrintingFlags().printGenericOpForm().assumeVerified());
  return printed;
}

// A name that is changed wherever it means the same leaves the module that it was.
TEST(NameScopes, RenamingChangesNothing) {
  Session session(allDialects());
  std::mt19937 random(7);
  unsigned renamed = 0;
  forEachText([&](StringRef text, const std::string &where) {
    if (text.contains("dense_resource")) // which a context calls in another way each time
      return;
    std::string before = meaningOf(session, text);
    NameScopes names = findNames(text);
    for (int draw = 0; draw < 3 && !before.empty() && !names.tokens.empty(); ++draw) {
      int token = names.tokens[random() % names.tokens.size()].definition;
      if (token < 0 || names.tokens[token].kind == NameKind::Symbol) // its name is part of the module
        continue;
      std::string changed = text.str();
      std::vector<int> occurrences = names.occurrencesOf(token);
      for (int other : llvm::reverse(occurrences)) {
        ByteRange bytes = names.tokens[other].bytes;
        changed.replace(bytes.begin + 1, bytes.end - bytes.begin - 1, "renamed_here");
      }
      EXPECT_EQ(meaningOf(session, changed), before)
          << where << ": " << text.slice(names.tokens[token].bytes.begin, names.tokens[token].bytes.end).str();
      ++renamed;
    }
  });
  EXPECT_GT(renamed, 1000u);
}

/// The text that the definition of the name at `place` begins, up to the end of its line; `place` is marked in the text
/// by what stands before it.
std::string meaningAfter(StringRef text, StringRef before) {
  NameScopes names = findNames(text);
  int token = names.tokenAt(text.find(before) + before.size() + 1);
  if (token < 0)
    return "no name";
  int definition = names.tokens[token].definition;
  return definition < 0 ? "nothing" : text.substr(names.tokens[definition].bytes.begin).split('\n').first.str();
}

TEST(NameScopes, OpsOfUnknownDialects) {
  StringRef text = R"(
%0 = vendor.load @weights[%i] { axis = 1 } : !vendor.buffer
vendor.region %x = %0, count(%n) {
  %1 = vendor.add %x, %0
  vendor.yield %1
}
vendor.region %x = %0 {
  vendor.use second %x
}
)";
  EXPECT_EQ(meaningAfter(text, "vendor.add "), "%x = %0, count(%n) {");
  EXPECT_EQ(meaningAfter(text, "vendor.use second "), "%x = %0 {");
  EXPECT_EQ(meaningAfter(text, "vendor.yield "), "%1 = vendor.add %x, %0");
  EXPECT_EQ(meaningAfter(text, "@weights["), "nothing");
}

TEST(NameScopes, TextThatDoesNotParse) {
  StringRef text = R"(
func.func @f(%a: i32) {
  %b = arith.addi %a, : i32
  %c = arith.muli %b, %later : i32
  foo(((
}
func.func @g(%a: f32) {
  return %a
)";
  EXPECT_EQ(meaningAfter(text, "arith.addi "), "%a: i32) {");
  EXPECT_EQ(meaningAfter(text, "arith.muli "), "%b = arith.addi %a, : i32");
  EXPECT_EQ(meaningAfter(text, "return "), "%a: f32) {");
  EXPECT_EQ(meaningAfter(text, "%b, "), "nothing");
}

TEST(NameScopes, PartsAreApart) {
  StringRef text = "#m = affine_map<(d0) -> (d0)>\nfunc.func @f() { return }\n// -----\nfunc.call @f() {m = #m}\n";
  NameScopes names = findNames(text);
  ASSERT_EQ(names.parts.size(), 2u);
  EXPECT_EQ(meaningAfter(text, "func.call "), "nothing");
  EXPECT_EQ(meaningAfter(text, "{m = "), "nothing");
}

} // namespace
} // namespace fuselage::lsp
