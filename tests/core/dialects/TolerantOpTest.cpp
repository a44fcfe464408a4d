// What the universal parser keeps of an op.
#include "tests/core/dialects/TolerantTestSupport.h"
#include "mlir/IR/BuiltinTypes.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

/// Parses a function body with %a, %b : index, %t : tensor<4x8xf32> and %c : i1 in scope.
class TolerantOpTest : public testing::Test {
protected:
  Operation *read(llvm::StringRef body, llvm::StringRef opName) {
    std::string text = "func.func @f(%a: index, %b: index, %t: tensor<4x8xf32>, %c: i1) {\n  " +
                       body.str() + "\n  return\n}\n";
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
  Operation *op = read("%0 = in.house %t, offsets = [%a, 0], sizes = [1, %b] : tensor<4x8xf32> -> i32",
                       "in.house");
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
  EXPECT_EQ(line(op),
            "%0 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%arg0) "
            "flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<4xf32>>");
}

TEST_F(TolerantOpTest, TiedOperandsAreNotRepeated) {
  Operation *op = read("%0 = flow.dispatch @ex::@entry[%a, %b](%t) : (tensor<4x8xf32>) -> %t",
                       "flow.dispatch");
  ASSERT_TRUE(op);
  EXPECT_EQ(op->getNumOperands(), 3u);
  EXPECT_EQ(op->getResult(0).getType(), op->getOperand(2).getType());
  ASSERT_EQ(TolerantOp(op).groups().size(), 2u);
  EXPECT_EQ(TolerantOp(op).groups()[0].count, 2u);
}

} // namespace
} // namespace fuselage
