// Lines of ops in the printed text.
#include "core/ir/module/PrintedModule.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;

namespace {

struct Printed {
  explicit Printed(llvm::StringRef text) {
    auto parsed = session.parse(text, "input.mlir");
    if (!parsed)
      ADD_FAILURE() << toString(parsed.takeError());
    else
      module = std::move(*parsed);
    printed = std::make_unique<PrintedModule>(*module);
    module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ops.push_back(op); });
  }
  std::string nameAt(unsigned line) { return ops[printed->opAt(line)]->getName().getStringRef().str(); }
  /// The lines of the nth op of a name, as text.
  std::string linesOf(llvm::StringRef name) {
    for (auto [id, op] : llvm::enumerate(ops)) {
      if (op->getName().getStringRef() != name)
        continue;
      LineRange range = printed->linesOf(id);
      return printed->line(range.first).trim().str() + " | " + printed->line(range.last).trim().str();
    }
    return "";
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<PrintedModule> printed;
  std::vector<mlir::Operation *> ops;
};

} // namespace

TEST(PrintedModule, FindsOpsByLineAndLinesByOp) {
  Printed p("#map = affine_map<(d0) -> (d0)>\n"
            "func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {\n"
            "  %e = tensor.empty() : tensor<4xf32>\n"
            "  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> tensor<4xf32> {\n"
            "    %g = linalg.generic {indexing_maps = [#map, #map], iterator_types = [\"parallel\"]}\n"
            "        ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {\n"
            "    ^bb0(%in: f32, %out: f32):\n"
            "      %0 = math.exp %in : f32\n"
            "      linalg.yield %0 : f32\n"
            "    } -> tensor<4xf32>\n"
            "    scf.yield %g : tensor<4xf32>\n"
            "  }\n"
            "  %t = linalg.exp ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>\n"
            "  return %t : tensor<4xf32>\n"
            "}\n");
  ASSERT_EQ(p.printed->opCount(), static_cast<OpId>(p.ops.size()));
  EXPECT_EQ(p.printed->line(0), "#map = affine_map<(d0) -> (d0)>");
  EXPECT_TRUE(llvm::StringRef(p.linesOf("scf.for")).ends_with("| }"));
  EXPECT_TRUE(llvm::StringRef(p.linesOf("linalg.generic")).ends_with("| } -> tensor<4xf32>"));
  std::set<std::string> seen;
  for (unsigned line = 0; line < p.printed->lineCount(); ++line) {
    llvm::StringRef text = p.printed->line(line);
    for (llvm::StringRef name : {"math.exp", "scf.yield", "linalg.exp", "tensor.empty"})
      if (text.contains(name)) {
        EXPECT_EQ(p.nameAt(line), name) << text.str();
        seen.insert(name.str());
      }
    if (text.contains("scf.for") || text == "    }") {
      EXPECT_EQ(p.nameAt(line), "scf.for") << text.str();
    }
    if (text.contains("func.func") || text == "  }") {
      EXPECT_EQ(p.nameAt(line), "func.func") << text.str();
    }
  }
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_EQ(p.printed->opAt(0), 0);
  EXPECT_EQ(p.printed->opAt(100000), 0);
  EXPECT_EQ(p.printed->line(100000), "");
}

TEST(PrintedModule, ElidesLargeConstants) {
  std::string values;
  for (int i = 0; i < 1000; ++i)
    values += (i ? ", " : "") + std::to_string(i);
  Printed p("func.func @f() -> tensor<1000xi32> {\n  %0 = arith.constant dense<[" + values +
            "]> : tensor<1000xi32>\n  return %0 : tensor<1000xi32>\n}\n");
  EXPECT_LT(p.printed->text().size(), 300u);
}

TEST(PrintedModule, CoversBlocksAndOpsOfSeveralLines) {
  Printed p("func.func @f(%c: i1, %v: i32) {\n"
            "  cf.cond_br %c, ^a, ^b\n"
            "^a:\n"
            "  cf.switch %v : i32, [\n    default: ^b,\n    1: ^a\n  ]\n"
            "^b:\n"
            "  return\n"
            "}\n");
  EXPECT_TRUE(llvm::StringRef(p.linesOf("cf.switch")).ends_with("| ]")) << p.linesOf("cf.switch");
  EXPECT_TRUE(llvm::StringRef(p.linesOf("func.return")).starts_with("return"));
  EXPECT_TRUE(llvm::StringRef(p.linesOf("func.func")).ends_with("| }"));
}
