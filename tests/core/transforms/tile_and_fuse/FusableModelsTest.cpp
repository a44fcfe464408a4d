// FusableOpInterface: who has it, what its models compute, and why they refuse.
#include "core/interfaces/FusableOpInterface.h"
#include "core/interfaces/IndexFacts.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;
using namespace mlir;

namespace {

/// A function @f whose op `Op` is asked.
template <typename Op> struct Asked {
  explicit Asked(llvm::StringRef body) {
    auto parsed = session.parse(("func.func @f(" + body + "\n}").str(), "asked.mlir");
    EXPECT_TRUE(bool(parsed)) << (parsed ? "" : llvm::toString(parsed.takeError()));
    if (!parsed)
      return;
    module = std::move(*parsed);
    module->walk([&](Op found) { op = found; });
    EXPECT_TRUE(op);
    builder.emplace(op->getContext());
    builder->setInsertionPointAfter(op);
  }

  SmallVector<OpFoldResult> indices(llvm::ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(op->getContext(), values);
  }
  FusableOpInterface fusable() { return cast<FusableOpInterface>(op.getOperation()); }

  /// The code of the refusal of a tile of the result; "" if it is computed, with its type in
  /// `type`.
  std::string resultTile(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes) {
    auto refusal = fusable().explainResultTile(0, indices(offsets), indices(sizes));
    FailureOr<TilingResult> tile = fusable().generateResultTileValue(*builder, 0, indices(offsets), indices(sizes));
    EXPECT_EQ(succeeded(tile), !refusal) << "what is refused fails, and nothing else";
    if (refusal)
      return infoOf(refusal->reason).code.str();
    auto type = cast<RankedTensorType>(tile->tiledValues.front().getType());
    EXPECT_EQ(SmallVector<int64_t>(type.getShape()), SmallVector<int64_t>(sizes));
    EXPECT_FALSE(tile->generatedSlices.empty());
    slice = dyn_cast<tensor::ExtractSliceOp>(tile->generatedSlices.front());
    EXPECT_TRUE(succeeded(verify(*module)));
    return "";
  }

  /// The same of a tile of the first operand; where the result's tile lies in `at` and `of`.
  std::string operandTile(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes) {
    SmallVector<SmallVector<OpFoldResult>> allOffsets{indices(offsets)}, allSizes{indices(sizes)};
    auto refusal = fusable().explainOperandTiles({0}, allOffsets, allSizes);
    SmallVector<OpFoldResult> domainOffsets, domainSizes, resultOffsets, resultSizes;
    bool placed = succeeded(fusable().getIterationDomainTileFromOperandTiles(*builder, {0}, allOffsets, allSizes,
                                                                             domainOffsets, domainSizes));
    FailureOr<TilingResult> tile =
        fusable().getTiledImplementationFromOperandTiles(*builder, {0}, allOffsets, allSizes);
    if (refusal)
      return infoOf(refusal->reason).code.str();
    EXPECT_TRUE(placed && succeeded(tile));
    if (!placed || failed(tile))
      return "FAILED";
    EXPECT_TRUE(succeeded(
        fusable().getResultTilePosition(*builder, 0, domainOffsets, domainSizes, resultOffsets, resultSizes)));
    at = *getConstantIntValues(resultOffsets);
    of = *getConstantIntValues(resultSizes);
    EXPECT_EQ(of, SmallVector<int64_t>(cast<RankedTensorType>(tile->tiledValues.front().getType()).getShape()));
    EXPECT_TRUE(succeeded(verify(*module)));
    return "";
  }

  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  Op op;
  std::optional<OpBuilder> builder;
  tensor::ExtractSliceOp slice;
  SmallVector<int64_t> at, of;
};

using Numbers = SmallVector<int64_t>;

TEST(FusableOps, AreAllThatCanBeTiledAndMore) {
  Session session(allDialects());
  session.context().loadAllAvailableDialects();
  int tilable = 0;
  std::set<std::string> more;
  for (RegisteredOperationName name : session.context().getRegisteredOperations()) {
    tilable += name.hasInterface<TilingInterface>();
    EXPECT_TRUE(!name.hasInterface<TilingInterface>() || name.hasInterface<FusableOpInterface>())
        << name.getStringRef().str();
    if (name.hasInterface<FusableOpInterface>() && !name.hasInterface<TilingInterface>())
      more.insert(name.getStringRef().str());
  }
  EXPECT_GT(tilable, 40);
  EXPECT_EQ(more, (std::set<std::string>{"tensor.cast", "tensor.collapse_shape", "tensor.concat", "tensor.expand_shape",
                                         "tensor.extract_slice"}));
}

TEST(FusableReasons, HaveARowEach) {
  std::set<std::string> codes;
  for (const FusableReasonInfo &info : allFusableReasons()) {
    EXPECT_EQ(&infoOf(info.reason), &info);
    EXPECT_FALSE(info.sentence.empty() || info.sentence.ends_with("."));
    codes.insert(info.code.str());
  }
  EXPECT_EQ(codes.size(), allFusableReasons().size());
  EXPECT_EQ(allFusableReasons().size(), size_t(FusableReason::ControlDeclined) + 1);
}

TEST(CollapseShape, TilesAreRowsOrPartsOfOne) {
  Asked<tensor::CollapseShapeOp> asked(
      "%x: tensor<6x4x5xf32>) {\n"
      "  %r = tensor.collapse_shape %x [[0, 1, 2]] : tensor<6x4x5xf32> into tensor<120xf32>\n"
      "  return");
  EXPECT_EQ(asked.resultTile({20}, {40}), "");
  EXPECT_EQ(asked.slice.getStaticOffsets(), (llvm::ArrayRef<int64_t>{1, 0, 0}));
  EXPECT_EQ(asked.slice.getStaticSizes(), (llvm::ArrayRef<int64_t>{2, 4, 5}));
  EXPECT_EQ(asked.resultTile({30}, {10}), ""); // half of the four rows of one block
  EXPECT_EQ(asked.slice.getStaticOffsets(), (llvm::ArrayRef<int64_t>{1, 2, 0}));
  EXPECT_EQ(asked.slice.getStaticSizes(), (llvm::ArrayRef<int64_t>{1, 2, 5}));
  EXPECT_EQ(asked.resultTile({0}, {120}), "");
  EXPECT_EQ(asked.resultTile({12}, {1}), "");
  EXPECT_EQ(asked.resultTile({0}, {0}), ""); // no elements
  EXPECT_EQ(asked.resultTile({0}, {7}), "GROUP_SPLIT_UNEVENLY");
  EXPECT_EQ(asked.resultTile({10}, {20}), "OFFSET_NOT_MULTIPLE");
  EXPECT_EQ(asked.operandTile({2, 0, 0}, {2, 4, 5}), "");
  EXPECT_EQ(asked.at, Numbers{40});
  EXPECT_EQ(asked.of, Numbers{40});
  EXPECT_EQ(asked.operandTile({2, 1, 0}, {1, 2, 5}), "");
  EXPECT_EQ(asked.at, Numbers{45});
  EXPECT_EQ(asked.operandTile({0, 0, 0}, {2, 2, 5}), "INNER_DIMENSION_CUT");
  EXPECT_EQ(asked.operandTile({0, 0, 3}, {6, 1, 1}), "STRIDED_TILE");
}

TEST(ExpandShape, TilesAreRowsOfTheirSource) {
  Asked<tensor::ExpandShapeOp> asked("%x: tensor<120x3xf32>) {\n"
                                     "  %r = tensor.expand_shape %x [[0, 1, 2], [3]] output_shape "
                                     "[6, 4, 5, 3] : tensor<120x3xf32> into tensor<6x4x5x3xf32>\n"
                                     "  return");
  EXPECT_EQ(asked.resultTile({1, 0, 0, 1}, {2, 4, 5, 2}), "");
  EXPECT_EQ(asked.slice.getStaticOffsets(), (llvm::ArrayRef<int64_t>{20, 1}));
  EXPECT_EQ(asked.slice.getStaticSizes(), (llvm::ArrayRef<int64_t>{40, 2}));
  // One column of rows: every fifth element.
  EXPECT_EQ(asked.resultTile({1, 0, 2, 0}, {1, 4, 1, 3}), "");
  EXPECT_EQ(asked.slice.getStaticOffsets(), (llvm::ArrayRef<int64_t>{22, 0}));
  EXPECT_EQ(asked.slice.getStaticStrides(), (llvm::ArrayRef<int64_t>{5, 1}));
  EXPECT_EQ(asked.resultTile({0, 0, 0, 0}, {6, 2, 5, 3}), "INNER_DIMENSION_CUT");
  EXPECT_EQ(asked.operandTile({40, 0}, {20, 3}), "");
  EXPECT_EQ(asked.at, (Numbers{2, 0, 0, 0}));
  EXPECT_EQ(asked.of, (Numbers{1, 4, 5, 3}));
  EXPECT_EQ(asked.operandTile({0, 0}, {8, 3}), "GROUP_SPLIT_UNEVENLY");
}

TEST(ExpandShape, OfAScalarAndOfNothing) {
  Asked<tensor::ExpandShapeOp> scalar(
      "%x: tensor<f32>) {\n"
      "  %r = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>\n"
      "  return");
  EXPECT_EQ(scalar.resultTile({0, 0}, {1, 1}), "");
  Asked<tensor::CollapseShapeOp> empty("%x: tensor<4x0xf32>) {\n"
                                       "  %r = tensor.collapse_shape %x [[0, 1]] : tensor<4x0xf32> into tensor<0xf32>\n"
                                       "  return");
  EXPECT_EQ(empty.resultTile({0}, {0}), "EMPTY_TILE");
}

TEST(ExtractSlice, OfASliceIsOneSlice) {
  Asked<tensor::ExtractSliceOp> asked("%x: tensor<4x20x30xf32>) {\n"
                                      "  %r = tensor.extract_slice %x[1, 2, 3] [1, 8, 9] [1, 2, 3] "
                                      ": tensor<4x20x30xf32> to tensor<8x9xf32>\n"
                                      "  return");
  EXPECT_EQ(asked.resultTile({4, 1}, {2, 3}), "");
  EXPECT_EQ(asked.slice.getStaticOffsets(), (llvm::ArrayRef<int64_t>{1, 10, 6}));
  EXPECT_EQ(asked.slice.getStaticSizes(), (llvm::ArrayRef<int64_t>{1, 2, 3}));
  EXPECT_EQ(asked.slice.getStaticStrides(), (llvm::ArrayRef<int64_t>{1, 2, 3}));
  EXPECT_EQ(asked.operandTile({0, 0, 0}, {4, 5, 30}), "SLICE_CUT");
}

TEST(ExtractSlice, AsAConsumerOfWholeDimensions) {
  Asked<tensor::ExtractSliceOp> asked("%x: tensor<20x30xf32>) {\n"
                                      "  %r = tensor.extract_slice %x[0, 3] [20, 9] [1, 2] : "
                                      "tensor<20x30xf32> to tensor<20x9xf32>\n"
                                      "  return");
  EXPECT_EQ(asked.operandTile({5, 0}, {5, 30}), "");
  EXPECT_EQ(asked.at, (Numbers{5, 0}));
  EXPECT_EQ(asked.of, (Numbers{5, 9}));
  EXPECT_EQ(asked.operandTile({0, 0}, {20, 15}), "SLICE_CUT");
}

TEST(Cast, IsASliceOfItsSource) {
  Asked<tensor::CastOp> asked("%x: tensor<?x8xf32>) {\n"
                              "  %r = tensor.cast %x : tensor<?x8xf32> to tensor<16x?xf32>\n"
                              "  return");
  EXPECT_EQ(asked.resultTile({4, 2}, {4, 2}), "");
  Asked<tensor::CastOp> unranked("%x: tensor<*xf32>) {\n"
                                 "  %r = tensor.cast %x : tensor<*xf32> to tensor<16xf32>\n"
                                 "  return");
  EXPECT_EQ(unranked.resultTile({4}, {4}), "UNRANKED");
}

TEST(Pad, NeedsAConstant) {
  Asked<tensor::PadOp> asked("%x: tensor<8xf32>, %v: tensor<16xf32>) {\n"
                             "  %r = tensor.pad %x low[4] high[4] {\n"
                             "  ^bb0(%i: index):\n"
                             "    %e = tensor.extract %v[%i] : tensor<16xf32>\n"
                             "    tensor.yield %e : f32\n"
                             "  } : tensor<8xf32> to tensor<16xf32>\n"
                             "  return");
  auto refusal = asked.fusable().explainResultTile(0, asked.indices({0}), asked.indices({4}));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->reason, FusableReason::PaddingNotConstant);
  EXPECT_TRUE(asked.fusable().explainOperandTiles({0}, {}, {}));
}

TEST(Concat, PiecesOfTheOperands) {
  Asked<tensor::ConcatOp> asked("%x: tensor<8x4xf32>, %y: tensor<0x4xf32>, %z: tensor<12x4xf32>) {\n"
                                "  %r = tensor.concat dim(0) %x, %y, %z : (tensor<8x4xf32>, tensor<0x4xf32>, "
                                "tensor<12x4xf32>) -> tensor<20x4xf32>\n"
                                "  return");
  EXPECT_EQ(asked.resultTile({2, 0}, {3, 4}), ""); // in the first
  EXPECT_EQ(asked.slice.getSource(), asked.op.getInputs()[0]);
  EXPECT_EQ(asked.resultTile({10, 1}, {3, 2}), ""); // in the last
  EXPECT_EQ(asked.slice.getSource(), asked.op.getInputs()[2]);
  EXPECT_EQ(asked.slice.getStaticOffsets(), (llvm::ArrayRef<int64_t>{2, 1}));
  EXPECT_EQ(asked.resultTile({6, 0}, {6, 4}), "");  // straddles
  EXPECT_EQ(asked.resultTile({0, 2}, {20, 2}), ""); // of all
  EXPECT_EQ(asked.resultTile({20, 0}, {0, 4}), "EMPTY_TILE");
  EXPECT_EQ(asked.operandTile({0, 0}, {4, 4}), "CONCAT_NEEDS_OTHERS");
}

TEST(IndexFacts, DivisorsAndMaxima) {
  Session session(allDialects());
  auto parsed = session.parse("func.func @f(%n: index) {\n"
                              "  %c0 = arith.constant 0 : index\n  %c8 = arith.constant 8 : "
                              "index\n  %c20 = arith.constant 20 : index\n"
                              "  scf.for %i = %c0 to %c20 step %c8 {\n"
                              "    %a = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)\n"
                              "    %b = affine.min affine_map<(d0) -> (8, -d0 + 20)>(%i)\n"
                              "    %c = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)\n"
                              "    %d = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%i)[%n]\n"
                              "    %e = affine.apply affine_map<(d0) -> (d0 mod 12)>(%i)\n"
                              "    %f = arith.muli %i, %c20 : index\n"
                              "    %g = arith.addi %i, %n : index\n"
                              "    %h = affine.apply affine_map<(d0) -> ((d0 floordiv 8) * 8)>(%i)\n"
                              "    %j = affine.apply affine_map<(d0) -> ((d0 floordiv 16) * 16)>(%i)\n"
                              "    %k = affine.apply affine_map<(d0) -> (d0 mod 4 + 3)>(%i)\n"
                              "  }\n  return\n}",
                              "facts.mlir");
  ASSERT_TRUE(bool(parsed));
  std::vector<int64_t> divisors;
  std::optional<int64_t> most;
  (*parsed)->walk([&](scf::ForOp loop) {
    EXPECT_EQ(knownDivisor(OpFoldResult(loop.getInductionVar())), 8);
    for (Operation &op : loop.getBody()->without_terminator())
      divisors.push_back(knownDivisor(OpFoldResult(op.getResult(0))));
    // Of the last three, the first is the induction variable, and the last is 3.
    OpBuilder b(loop.getBody()->getTerminator());
    auto fold = [&](Operation *op) { return foldExactDivisions(b, op->getLoc(), OpFoldResult(op->getResult(0))); };
    Operation *third = loop.getBody()->getTerminator()->getPrevNode(), *second = third->getPrevNode();
    EXPECT_EQ(fold(third), OpFoldResult(b.getIndexAttr(3)));
    EXPECT_EQ(fold(second), OpFoldResult(second->getResult(0)));
    EXPECT_EQ(fold(second->getPrevNode()), OpFoldResult(loop.getInductionVar()));
    loop.walk([&](affine::AffineMinOp min) { most = knownMaximum(OpFoldResult(min.getResult())); });
  });
  EXPECT_EQ(divisors, (std::vector<int64_t>{4, 4, 2, 8, 4, 160, 1, 8, 16, 1}));
  EXPECT_EQ(most, 8);
  EXPECT_EQ(knownDivisor(Builder(&session.context()).getIndexAttr(0)), 0);
}

} // namespace
