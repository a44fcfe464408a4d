// Ops that are written like an earlier one are read once (OpRepeats.h): nobody may notice.
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

struct Reading {
  explicit Reading(llvm::StringRef body) {
    auto read =
        session.readText("x.unit @u(%a: i32, %b: f32, %t: tensor<4xf32>) {\n" + body.str() + "}\n", "repeats.mlir");
    if (!read) {
      text = llvm::toString(read.takeError());
      return;
    }
    result = std::move(*read);
    llvm::raw_string_ostream os(text);
    result.module->print(os);
  }
  /// The ops of a name, in order.
  SmallVector<Operation *> ops(llvm::StringRef name) {
    SmallVector<Operation *> found;
    result.module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == name)
        found.push_back(op);
    });
    return found;
  }

  Session session{allDialects()};
  ReadResult result;
  std::string text;
};

TEST(RepeatedOps, HaveOperandsAndTextOfTheirOwn) {
  Reading read(
      "  %0 = x.add %a, %a : i32\n  %1 = x.add %0, %0 : i32\n  %2 = x.add %0, %1 : i32\n  %3 = x.add %1, %0 : i32\n");
  auto ops = read.ops("x.add");
  ASSERT_EQ(ops.size(), 4u) << read.text;
  EXPECT_EQ(ops[1]->getOperand(0), ops[0]->getResult(0));
  EXPECT_EQ(ops[3]->getOperand(0), ops[1]->getResult(0));
  EXPECT_NE(read.text.find("%3 = x.add %1, %0 : i32"), std::string::npos) << read.text;
}

TEST(RepeatedOps, HaveTheTypesOfTheirOwnOperands) {
  Reading read("  %0 = x.same %a\n  %1 = x.same %b\n  %2 = x.tie %t : (tensor<4xf32>) -> %t\n"
               "  %3 = x.tie %2 : (tensor<4xf32>) -> %2\n");
  auto ops = read.ops("x.same");
  ASSERT_EQ(ops.size(), 2u) << read.text;
  EXPECT_TRUE(ops[0]->getResult(0).getType().isInteger(32));
  EXPECT_TRUE(ops[1]->getResult(0).getType().isF32());
  EXPECT_TRUE(isa<RankedTensorType>(read.ops("x.tie")[1]->getResult(0).getType()));
  EXPECT_NE(read.text.find("%3 = x.tie %2 : (tensor<4xf32>) -> %2"), std::string::npos) << read.text;
}

TEST(RepeatedOps, KeepAttributesAndLocations) {
  Reading read("  x.tag %a {k = \"%a\"} : i32 loc(\"here\")\n  x.tag %a {k = \"%a\"} : i32 loc(\"there\")\n");
  auto ops = read.ops("x.tag");
  ASSERT_EQ(ops.size(), 2u) << read.text;
  EXPECT_EQ(ops[1]->getAttr("k"), ops[0]->getAttr("k"));
  EXPECT_EQ(cast<NameLoc>(ops[1]->getLoc()).getName().getValue(), "there");
  Reading plain("  x.tag %a : i32\n    x.tag %a : i32\n");
  EXPECT_EQ(positionOf(plain.ops("x.tag")[1]->getLoc()).line, 3u);
  EXPECT_EQ(positionOf(plain.ops("x.tag")[1]->getLoc()).column, 5u);
}

TEST(RepeatedOps, StandInRegionsThatAreLookedInto) {
  Reading read("  x.seq {\n    x.go @f\n    x.par {\n      x.go @f\n    }\n  }\n"
               "  x.loop (%i: i32) {\n    x.use %a, %i : i32, i32\n  }\n  x.loop (%i: i32) {\n    x.use %a, %i : i32, "
               "i32\n  }\n");
  EXPECT_EQ(read.result.gaps, 0u) << read.text;
  EXPECT_EQ(read.ops("x.go").size(), 2u) << read.text;
  EXPECT_EQ(read.ops("x.use")[1]->getNumOperands(), 2u) << read.text;
}

TEST(RepeatedOps, WithRegionsAreReadAnew) {
  // What looks like an attribute to the scan is a region to the parser: the first such op says so.
  Reading read(
      "  x.do (%i: i32) { x.return }\n  x.do (%j: i32) { x.return }\n  x.alt @f { x.end }\n  x.alt @f { x.end }\n");
  ASSERT_EQ(read.ops("x.do").size(), 2u) << read.text;
  EXPECT_EQ(read.ops("x.do")[1]->getNumRegions(), 1u) << read.text;
  EXPECT_EQ(read.ops("x.alt")[1]->getNumRegions(), 1u) << read.text;
}

TEST(RepeatedOps, SayWhatIsUndefinedWhereItIs) {
  Reading read("  x.use %a : i32\n  x.use %nobody : i32\n");
  ASSERT_TRUE(read.result.module) << read.text;
  bool said = false;
  for (const Diagnostic &diagnostic : read.result.diagnostics)
    said |= diagnostic.line == 3 && diagnostic.column == 9 &&
            diagnostic.message == "use of undeclared SSA value name '%nobody'";
  EXPECT_TRUE(said);
}

} // namespace
} // namespace fuselage
