// Finding ops in text without parsing it.
#include "core/ir/source/SourceScan.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

/// "name(parent's name) ..." of all ops.
std::string opsOf(llvm::StringRef text) {
  SourceScan scan(text);
  std::string result;
  for (const ScannedOp &op : scan.ops()) {
    result += (result.empty() ? "" : " ") + scan.nameOf(op).str();
    if (op.parent >= 0)
      result += "(" + scan.nameOf(scan.ops()[op.parent]).str() + ")";
  }
  return result;
}

/// The text of the op of this name.
std::string textOf(llvm::StringRef text, llvm::StringRef name) {
  SourceScan scan(text);
  for (const ScannedOp &op : scan.ops())
    if (scan.nameOf(op) == name)
      return scan.textOf(op).str();
  return "none";
}

} // namespace

TEST(SourceScan, FindsOpsAndTheirNesting) {
  EXPECT_EQ(opsOf("module @m attributes {a.b = 1, c} {\n"
                  "  func.func @f(%a: tensor<4xf32> {x.y}) -> (i32, i32) {\n"
                  "    %0, %1:2 = foo.bar %a, {k = [1, 2]} : tensor<4xf32>\n"
                  "    %2 = \"x.y\"(%0) ({\n"
                  "    ^bb0(%b: i32):\n"
                  "      x.yield %b : i32\n"
                  "    }, {\n"
                  "      %z = x.z\n"
                  "    }) : (i32) -> i32\n"
                  "    return %2, %2 : i32, i32\n"
                  "  }\n"
                  "}\n"),
            "module func.func(module) foo.bar(func.func) x.y(func.func) x.yield(x.y) x.z(x.y) return(func.func)");
}

TEST(SourceScan, ContinuedLinesBelongToTheirOp) {
  llvm::StringRef text = "func.func @f() {\n"
                         "  %1 = hal.load @a::@b, offset = %c0\n"
                         "    {operand = 0 : i32} : tensor<2x3xf32>\n"
                         "  %2 = linalg.matmul ins(%a,\n     %b : t, t)\n     init(%c : t)\n    -> tensor<4xf32>\n"
                         "  %3 = foo.insert %2 into %1[%a, %b] :\n    tensor<4xf32>\n"
                         "  scf.for %i = %lb to %ub\n      iter_args(%x = %2) -> (i32) {\n    scf.yield %x : i32\n  }\n"
                         "  affine.for %j = max #map(%n) to 10 {\n  }\n"
                         "  cf.cond_br %3,\n    ^bb1, ^bb2\n"
                         "^bb1:\n"
                         "  %4 = linalg.generic {\n    x.maps = [#map],\n    y = 3} ins(%a : t) {\n"
                         "  ^bb0(%q: f32): linalg.yield %q : f32\n  } -> t\n"
                         "  return\n}\n";
  EXPECT_EQ(opsOf(text), "func.func hal.load(func.func) linalg.matmul(func.func) foo.insert(func.func) "
                         "scf.for(func.func) scf.yield(scf.for) affine.for(func.func) cf.cond_br(func.func) "
                         "linalg.generic(func.func) linalg.yield(linalg.generic) return(func.func)");
  EXPECT_EQ(textOf(text, "foo.insert"), "%3 = foo.insert %2 into %1[%a, %b] :\n    tensor<4xf32>");
  EXPECT_EQ(textOf(text, "linalg.yield"), "linalg.yield %q : f32");
  EXPECT_TRUE(llvm::StringRef(textOf(text, "linalg.generic")).ends_with("} -> t"));
  EXPECT_TRUE(llvm::StringRef(textOf(text, "cf.cond_br")).ends_with("^bb2"));
}

TEST(SourceScan, StringsCommentsAndResourcesHoldNoOps) {
  EXPECT_EQ(opsOf("// foo.bar {{{\nx.a \"} foo.bar {\" // ((\nx.b {s = \"\\\"}\"}\n"
                  "{-#\n  dialect_resources: {\n    builtin: {\n      blob: \"0x0400\"\n    }\n  }\n#-}\n"),
            "x.a x.b");
}

TEST(SourceScan, OneLineFunctionsAndOldWords) {
  EXPECT_EQ(opsOf("func.func @f() { %0 = foo.bar : i32 %1 = \"a.b\"() : () -> i32 return }\n"),
            "func.func foo.bar(func.func) a.b(func.func)");
  EXPECT_EQ(opsOf("func @f(%a: f32) -> f32 {\n  %0 = addf %a, %a : f32\n  store %0, %m[%i] : memref<4xf32>\n"
                  "  return %0 : f32\n}\n"),
            "func addf(func) store(func) return(func)");
  EXPECT_EQ(opsOf("scf.if %c { return }\nscf.if %c { x.yield }\n"), "scf.if return(scf.if) scf.if x.yield(scf.if)");
}

TEST(SourceScan, NamespacesAndAliases) {
  SourceScan scan("#map = affine_map<(d0) -> (d0)>\n!t = !foo.type<!bar<\"x\">>\n"
                  "#two = #baz<x y>\n"
                  "\"gen.op\"() {a = #map, b = #two.x, c = #other} : () -> !t\n"
                  "cust.op @x loc(#loc3)\n");
  EXPECT_EQ(llvm::join(scan.namespaces(), " "), "bar baz cust foo gen two");
  EXPECT_TRUE(scan.customNamespaces().contains("cust"));
  EXPECT_FALSE(scan.customNamespaces().contains("gen"));
  ASSERT_EQ(scan.aliases().size(), 3u);
  EXPECT_EQ(scan.nameOf(scan.aliases()[0]).str(), "#map");
  EXPECT_EQ(scan.text().slice(scan.aliases()[1].value, scan.aliases()[1].end).str(), "!foo.type<!bar<\"x\">>");
  EXPECT_TRUE(scan.usedAliases().contains("#other"));
  EXPECT_TRUE(scan.usedAliases().contains("!t"));
  EXPECT_FALSE(scan.usedAliases().contains("#two"));
}

TEST(SourceScan, UnbalancedBrackets) {
  SourceScan open("func.func @f() {\n  scf.if %c {\n    %0 = foo.bar(%a\n");
  ASSERT_EQ(open.unclosed().size(), 3u);
  EXPECT_EQ(open.unclosed()[2].bracket, '(');
  SourceScan stray("module {\n}\n}\n)\n");
  EXPECT_EQ(stray.strayBrackets().size(), 2u);
  // A bracket that lacks its partner hurts its own op only.
  EXPECT_EQ(opsOf("func.func @f() {\n  %0 = foo.bar(%a, [1, 2\n  %1 = foo.baz %0\n  return\n}\nx.y\n"),
            "func.func foo.bar(func.func) foo.baz(func.func) return(func.func) x.y");
  SourceScan missing("func.func @f() {\n  scf.if %c {\n    x.y\n  return\nfunc.func @g() {\n  return\n}\n");
  ASSERT_EQ(missing.missingBraces().size(), 2u);
  EXPECT_EQ(missing.missingBraces()[1].braces, 1u);
  EXPECT_EQ(missing.ops().back().parent, missing.missingBraces()[1].op);
  EXPECT_EQ(missing.ops()[missing.missingBraces()[1].op].parent, -1);
}

TEST(SourceScan, ColumnsTellWhereABraceIsMissing) {
  EXPECT_EQ(opsOf("func.func @f() {\n  scf.if %c {\n    x.y\n  x.z\n  return\n}\n"),
            "func.func scf.if(func.func) x.y(scf.if) x.z(func.func) return(func.func)");
  // Not where all is in one column, nor where no brace is missing.
  EXPECT_EQ(opsOf("func.func @f() {\nscf.if %c {\nx.y\nx.z\n}\n"),
            "func.func scf.if(func.func) x.y(scf.if) x.z(scf.if)");
  EXPECT_EQ(opsOf("  func.func @f() {\n %0 = x.y\n}\n"), "func.func x.y(func.func)");
}

TEST(SourceScan, FindsTheOpAtAPlace) {
  SourceScan scan("a.b {\n  c.d\n  e.f {\n    g.h\n  }\n  i.j\n}\n");
  auto nameAt = [&](llvm::StringRef at) { return scan.nameOf(scan.ops()[scan.opAt(scan.text().find(at))]).str(); };
  EXPECT_EQ(nameAt("c.d"), "c.d");
  EXPECT_EQ(nameAt("}\n  i"), "e.f");
  EXPECT_EQ(nameAt("i.j"), "i.j");
  EXPECT_EQ(scan.nameOf(scan.ops()[scan.previousSibling(scan.opAt(scan.text().find("i.j")))]).str(), "e.f");
  EXPECT_EQ(scan.previousSibling(1), -1);
  EXPECT_EQ(scan.previousSibling(0), -1);
}

TEST(SourceScan, HostileTextEnds) {
  std::string deep(5000, '{');
  EXPECT_TRUE(SourceScan("a.b (" + std::string(5000, '(')).tooDeep().has_value());
  for (llvm::StringRef piece : {"{%a, ", "%a, %b", "(<[{", "\"", "\\\"", "#x = ", "^bb(", "%0 = foo.bar {", "}",
                                "func @f {\n", "{-#", "//", "a.b\n", "%x:", "\xff", "{a.b %x = "}) {
    std::string text;
    while (text.size() < 300000)
      text += piece;
    SourceScan scan(text);
    EXPECT_LE(scan.ops().size(), text.size());
  }
}
