// What the universal parser keeps of an op.
#include "core/dialects/tolerant/UserSpelling.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tests/core/dialects/TolerantTestSupport.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

/// Parses a function body with %a, %b : index, %t : tensor<4x8xf32> and %c : i1 in scope.
class TolerantOpTest : public testing::Test {
protected:
  Operation *read(llvm::StringRef body, llvm::StringRef opName) {
    std::string text =
        "func.func @f(%a: index, %b: index, %t: tensor<4x8xf32>, %c: i1) {\n  " + body.str() + "\n  return\n}\n";
    module = reading.parse(text);
    EXPECT_TRUE(module) << reading.errors;
    return module ? findOp(*module, opName) : nullptr;
  }
  /// The line that the op prints as.
  std::string line(Operation *op) {
    std::string text = TolerantReading::print(op);
    return text;
  }

  TolerantReading reading;
  OwningOpRef<ModuleOp> module;
};

TEST_F(TolerantOpTest, GroupsOperandsByKeyword) {
  Operation *op = read("%0 = in.house %t, offsets = [%a, 0], sizes = [1, %b] : tensor<4x8xf32> -> i32", "in.house");
  ASSERT_TRUE(op);
  TolerantOp tolerant(op);
  EXPECT_TRUE(tolerant);
  ASSERT_EQ(tolerant.groups().size(), 3u);
  EXPECT_EQ(tolerant.group("offsets").size(), 1u);
  auto sizes = tolerant.mixedList("sizes");
  ASSERT_TRUE(sizes);
  ASSERT_EQ(sizes->size(), 2u);
  EXPECT_EQ(cast<IntegerAttr>(cast<Attribute>((*sizes)[0])).getInt(), 1);
  EXPECT_EQ(cast<Value>((*sizes)[1]), op->getOperand(2));
  EXPECT_TRUE(op->getResult(0).getType().isInteger(32));
}

TEST_F(TolerantOpTest, NamesAttributesByTheKeywordInFront) {
  Operation *op = read("%0 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) "
                       "offset(%a) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<4xf32>>",
                       "hal.interface.binding.subspan");
  ASSERT_TRUE(op);
  EXPECT_EQ(op->getAttrOfType<IntegerAttr>("binding").getInt(), 1);
  EXPECT_EQ(op->getAttrOfType<StringAttr>("type").getValue(), "storage_buffer");
  EXPECT_EQ(TolerantOp(op).group("offset").size(), 1u);
  EXPECT_EQ(line(op), "%0 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%arg0) "
                      "flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<4xf32>>");
}

TEST_F(TolerantOpTest, TiedOperandsAreNotRepeated) {
  Operation *op = read("%0 = flow.dispatch @ex::@entry[%a, %b](%t) : (tensor<4x8xf32>) -> %t", "flow.dispatch");
  ASSERT_TRUE(op);
  EXPECT_EQ(op->getNumOperands(), 3u);
  EXPECT_EQ(op->getResult(0).getType(), op->getOperand(2).getType());
  ASSERT_EQ(TolerantOp(op).groups().size(), 2u);
  EXPECT_EQ(TolerantOp(op).groups()[0].count, 2u);
}

TEST_F(TolerantOpTest, ChangedOpsPrintGenericallyAndReadBack) {
  Operation *op = read("in.house %a, %t {k = 1 : i32} : index, tensor<4x8xf32>", "in.house");
  ASSERT_TRUE(op);
  op->setAttr("k", UnitAttr::get(op->getContext()));
  EXPECT_EQ(line(op), "in.house(%arg0, %arg2) {k} : (index, tensor<4x8xf32>) -> ()");
  TolerantReading again;
  OwningOpRef<ModuleOp> module = again.parse(TolerantReading::print(op->getParentOp()));
  ASSERT_TRUE(module) << again.errors;
  EXPECT_EQ(findOp(*module, "in.house")->getNumOperands(), 2u);
}

TEST_F(TolerantOpTest, TwinsAndOldOpsHaveTheNamesOfUsers) {
  Operation *op = read("%0 = std.addi %a, %b : index\n  Linalg.foo ins(%t : tensor<4x8xf32>)", "linalg.foo");
  ASSERT_TRUE(op);
  EXPECT_TRUE(findOp(*module, "addi"));
  std::string text = TolerantReading::print(*module);
  spellAsUsersDo(text, reading.context());
  EXPECT_NE(text.find("    %0 = addi %arg0, %arg1 : index\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    linalg.foo ins(%arg2 : tensor<4x8xf32>)\n"), std::string::npos) << text;
}

TEST_F(TolerantOpTest, ForwardReferencesTakeTheTypeOfTheirDefinition) {
  module = reading.parse("in.graph {\n  in.use %0, %1 : i32, f32\n  in.untyped %2\n"
                         "  %0 = in.def : i32\n  %1, %2 = in.pair : f32, i8\n}\n");
  ASSERT_TRUE(module) << reading.errors;
  Operation *use = findOp(*module, "in.untyped");
  ASSERT_TRUE(use);
  EXPECT_TRUE(use->getOperand(0).getType().isInteger(8));
}

TEST_F(TolerantOpTest, AttributesOfForeignDialectsServeAsMemorySpace) {
  Operation *op = read("%0 = in.buffer : memref<4xf32, #hal.descriptor_type<storage_buffer>>\n"
                       "  %1 = memref.load %0[%a] : memref<4xf32, #hal.descriptor_type<storage_buffer>>",
                       "in.buffer");
  ASSERT_TRUE(op);
  EXPECT_TRUE(cast<MemRefType>(op->getResult(0).getType()).getMemorySpace());
}

TEST_F(TolerantOpTest, AliasesInForeignTypesAreSpelledOut) {
  for (const char *dialect : {"flow", "x"}) {
    std::string type = std::string("!") + dialect + ".tile<readonly:!t>";
    module =
        reading.parse("#enc = #x.enc<1>\n!t = tensor<4xf32, #enc>\nfunc.func @f(%a: " + type + ") {\n  return\n}\n");
    ASSERT_TRUE(module) << reading.errors;
    EXPECT_NE(TolerantReading::print(*module).find(".tile<readonly:tensor<4xf32, #x.enc<1>>>"), std::string::npos)
        << TolerantReading::print(*module);
  }
}

TEST_F(TolerantOpTest, LargeDataIsNotCopiedIntoTheText) {
  std::string numbers = "1";
  for (int i = 2; i <= 200; ++i)
    numbers += ", " + std::to_string(i);
  Operation *op = read("%0 = in.constant dense<[" + numbers + "]> : tensor<200xi32>", "in.constant");
  ASSERT_TRUE(op);
  EXPECT_TRUE(isa<ElementsAttr>(op->getAttr("value")));
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().elideLargeElementsAttrs(10));
  EXPECT_LT(text.size(), 120u) << text;
}

} // namespace
} // namespace fuselage
