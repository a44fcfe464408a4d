#include "core/ir/module/TextUses.h"
#include "core/ir/Session.h"
#include "core/ir/ops/ValueNames.h"
#include "core/registration/Registration.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <map>

using namespace fuselage;

namespace {

/// A module, printed, with its ops by id.
struct Printed {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<PrintedModule> text;
  std::unique_ptr<mlir::AsmState> names;
  std::vector<mlir::Operation *> ops;
  std::map<mlir::Operation *, OpId> ids;

  explicit Printed(llvm::StringRef source) {
    auto read = session.readText(source, "test.mlir"); // keeps the names
    if (!read)
      ADD_FAILURE() << llvm::toString(read.takeError());
    else
      module = std::move(read->module);
    text.emplace(*module);
    names = std::make_unique<mlir::AsmState>(*module, withValueNames());
    module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      ids[op] = ops.size();
      ops.push_back(op);
    });
  }
  NumberedOps numbered() {
    return {.op = [this](OpId id) { return ops[id]; },
            .id = [this](mlir::Operation *op) { return ids.at(op); },
            .name =
                [this](mlir::Value value) {
                  std::string name;
                  llvm::raw_string_ostream os(name);
                  value.printAsOperand(os, *names);
                  return name;
                }};
  }
  /// The place of the n-th `piece`.
  std::pair<unsigned, unsigned> at(llvm::StringRef piece, unsigned occurrence = 0) {
    for (unsigned line = 0; line < text->lineCount(); ++line)
      for (size_t column = text->line(line).find(piece); column != llvm::StringRef::npos;
           column = text->line(line).find(piece, column + 1))
        if (occurrence-- == 0)
          return {line, column};
    ADD_FAILURE() << piece.str() << " is not in\n" << text->text();
    return {0, 0};
  }
  TextUses uses(llvm::StringRef piece, unsigned occurrence = 0) {
    auto [line, column] = at(piece, occurrence);
    return findUses(*text, numbered(), line, column);
  }
  std::vector<std::string> linesOf(const TextUses &found) {
    std::vector<std::string> lines;
    for (const TextSpan &use : found.uses)
      lines.push_back(text->line(use.line).trim().str());
    return lines;
  }
};

TEST(TextUses, ANameInAnotherFunctionIsAnotherValue) {
  Printed module(R"(
    func.func @a(%x: i32) -> i32 {
      %sum = arith.addi %x, %x : i32
      return %sum : i32
    }
    func.func @b(%x: i32) -> i32 {
      %sum = arith.muli %x, %x : i32
      return %sum : i32
    })");
  TextUses sum = module.uses("%sum", 3); // that of @b's return
  EXPECT_EQ(sum.name, "%sum");
  EXPECT_TRUE(sum.isExact);
  ASSERT_TRUE(sum.definition);
  EXPECT_EQ(sum.definition->line, module.at("arith.muli").first);
  EXPECT_EQ(module.linesOf(sum), std::vector<std::string>{"return %sum : i32"});
  TextUses argument = module.uses("%x", 1); // in @a's sum
  ASSERT_TRUE(argument.definition);
  EXPECT_EQ(argument.definition->line, module.at("@a").first);
  EXPECT_EQ(argument.uses.size(), 2u);
}

TEST(TextUses, NamesOfSiblingRegionsAreApart) {
  Printed module(R"(
    func.func @f(%c: i1, %a: i32) -> i32 {
      %r = scf.if %c -> i32 {
        %t = arith.addi %a, %a : i32
        scf.yield %t : i32
      } else {
        %t = arith.muli %a, %a : i32
        scf.yield %t : i32
      }
      %w:2 = scf.while (%i = %r, %j = %a) : (i32, i32) -> (i32, i32) {
        scf.condition(%c) %i, %j : i32, i32
      } do {
      ^bb0(%i: i32, %j: i32):
        %n = arith.addi %i, %j : i32
        scf.yield %n, %i : i32, i32
      }
      %k = arith.addi %w#0, %w#1 : i32
      %l = arith.addi %w#1, %k : i32
      return %l : i32
    })");
  TextUses second = module.uses("%t", 3);
  ASSERT_TRUE(second.definition);
  EXPECT_EQ(second.definition->line, module.at("arith.muli").first);
  EXPECT_EQ(second.uses.size(), 1u);
  EXPECT_EQ(module.uses("arith.addi %i").name, "");
  auto [line, column] = module.at("arith.addi %i");
  TextUses after = findUses(*module.text, module.numbered(), line, column + 11);
  ASSERT_TRUE(after.definition) << module.text->text();
  EXPECT_EQ(after.definition->line, module.at("^bb0").first);
  EXPECT_EQ(after.uses.size(), 2u);
  TextUses before = module.uses("%i, %j : i32, i32");
  ASSERT_TRUE(before.definition);
  EXPECT_EQ(before.definition->line, module.at("scf.while").first);
  EXPECT_EQ(before.uses.size(), 1u);
  EXPECT_EQ(module.uses("%w:2").uses.size(), 3u);
  TextUses one = module.uses("%w#1");
  EXPECT_EQ(one.uses.size(), 2u);
  ASSERT_TRUE(one.definition);
  EXPECT_EQ(one.definition->line, module.at("%w:2").first);
}

TEST(TextUses, SymbolsAliasesAndBlocks) {
  Printed module(R"(
    #map = affine_map<(d0, d1) -> (d1, d0)>
    module {
      func.func @callee(%a: i32) -> i32 { return %a : i32 }
      func.func @main(%a: i32) -> i32 {
        %0 = func.call @callee(%a) {note = "@callee", m = #map} : (i32) -> i32
        cf.br ^bb1(%0 : i32)
      ^bb1(%b: i32):
        %1 = func.call @callee(%b) {m = #map} : (i32) -> i32
        return %1 : i32
      }
      module @inner {
        func.func @callee() { return }
      }
    })");
  TextUses callee = module.uses("@callee", 1);
  ASSERT_TRUE(callee.definition);
  EXPECT_EQ(callee.definition->line, module.at("@callee").first);
  EXPECT_EQ(callee.uses.size(), 2u); // neither the string nor that of the inner module
  EXPECT_EQ(module.uses("@callee").uses.size(), 2u);
  TextUses map = module.uses("#map", 1);
  ASSERT_TRUE(map.definition);
  EXPECT_EQ(map.definition->line, 0u);
  EXPECT_EQ(map.uses.size(), 2u);
  TextUses block = module.uses("^bb1");
  ASSERT_TRUE(block.definition);
  EXPECT_EQ(block.definition->line, module.at("^bb1", 1).first);
  EXPECT_EQ(block.uses.size(), 1u);
  EXPECT_EQ(module.uses("%b").uses.size(), 1u);
}

TEST(TextUses, NothingAtAllIsNoName) {
  Printed module("func.func @f() { return }");
  EXPECT_EQ(module.uses("return").name, "");
  EXPECT_EQ(findUses(*module.text, module.numbered(), 1 << 30, 0).name, "");
  EXPECT_EQ(findUses(*module.text, module.numbered(), 0, 1 << 30).name, "");
}

/// Every operand of every op, against the IR.
TEST(TextUses, AgreeWithTheIr) {
  Printed module(R"(
    func.func @f(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : tensor<8x8xf32>
      %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %z = scf.for %row = %c0 to %n step %c1 iter_args(%acc = %g) -> tensor<8x8xf32> {
        %q = scf.for %col = %c0 to %row step %c1 iter_args(%held = %acc) -> tensor<8x8xf32> {
          %v = tensor.extract %held[%row, %col] : tensor<8x8xf32>
          %w = tensor.insert %v into %held[%col, %row] : tensor<8x8xf32>
          scf.yield %w : tensor<8x8xf32>
        }
        scf.yield %q : tensor<8x8xf32>
      }
      return %z : tensor<8x8xf32>
    })");
  const PrintedModule &text = *module.text;
  unsigned compared = 0;
  for (mlir::Operation *op : module.ops)
    for (mlir::Value operand : op->getOperands()) {
      std::string name = module.numbered().name(operand);
      unsigned line = text.linesOf(module.ids.at(op)).first;
      size_t column = text.line(line).find("= ");
      column = text.line(line).find(name, column == llvm::StringRef::npos ? 0 : column);
      if (column == llvm::StringRef::npos)
        continue; // the printer leaves it out
      TextUses found = findUses(text, module.numbered(), line, column);
      EXPECT_EQ(found.name, name);
      ASSERT_TRUE(found.definition && found.isExact) << name << " in " << text.line(line).str();
      mlir::Operation *owner =
          operand.getDefiningOp() ? operand.getDefiningOp() : operand.getParentBlock()->getParentOp();
      LineRange range = text.linesOf(module.ids.at(owner));
      EXPECT_GE(found.definition->line, range.first);
      EXPECT_LE(found.definition->line, range.last);
      size_t written = 0;
      for (mlir::OpOperand &use : operand.getUses())
        written += text.line(text.linesOf(module.ids.at(use.getOwner())).first).contains(name);
      EXPECT_EQ(found.uses.size(), written) << name;
      ++compared;
    }
  EXPECT_GT(compared, 10u);
}

} // namespace
