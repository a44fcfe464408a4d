#include "core/tuning/dispatch/AttentionSpace.h"
#include "core/codegen/CodegenSteps.h"
#include "core/codegen/Targets.h"
#include "core/codegen/host/HostLowering.h"
#include "core/device/KnownDevices.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/tuning/dispatch/DispatchFeatures.h"
#include "core/tuning/enumerate/Count.h"
#include "core/tuning/library/TunedLibrary.h"
#include "gtest/gtest.h"

using namespace fuselage;
using namespace fuselage::tune;

namespace {

constexpr llvm::StringLiteral attention = R"mlir(
func.func @d(%q: tensor<3x100x16xf32>, %k: tensor<3x16x120xf32>, %v: tensor<3x120x24xf32>) -> tensor<3x100x24xf32> {
  %zero = arith.constant 0.0 : f32
  %scores_empty = tensor.empty() : tensor<3x100x120xf32>
  %scores_fill = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<3x100x120xf32>) -> tensor<3x100x120xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<3x100x16xf32>, tensor<3x16x120xf32>) outs(%scores_fill : tensor<3x100x120xf32>) -> tensor<3x100x120xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<3x100x120xf32>) outs(%scores_empty : tensor<3x100x120xf32>) -> tensor<3x100x120xf32>
  %empty = tensor.empty() : tensor<3x100x24xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x100x24xf32>) -> tensor<3x100x24xf32>
  %r = linalg.batch_matmul ins(%weights, %v : tensor<3x100x120xf32>, tensor<3x120x24xf32>) outs(%fill : tensor<3x100x24xf32>) -> tensor<3x100x24xf32>
  return %r : tensor<3x100x24xf32>
})mlir";

class AttentionSpaceTest : public testing::Test {
protected:
  void SetUp() override {
    module = llvm::cantFail(session.parse(attention, "d.mlir"));
    ASSERT_FALSE(bool(runPipeline(*module, "builtin.module(func.func(fuselage-decompose-softmax,fuselage-generalize,"
                                           "cse,fuselage-fuse-attention,canonicalize))")));
    inlineDispatchRegions(*module);
    dispatch = module->lookupSymbol<mlir::func::FuncOp>("d");
    ASSERT_TRUE(attentionIn(dispatch));
  }
  static DeviceModel known(llvm::StringRef name) { return llvm::cantFail(knownDeviceOrFile(name)); }
  static DeviceModel host() {
    DeviceModel device;
    device.language = {"host", "test"};
    return device;
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp dispatch;
};

} // namespace

TEST_F(AttentionSpaceTest, KnowsTheSizes) {
  AttentionSizes sizes = *attentionIn(dispatch);
  EXPECT_EQ(sizes.heads, 3);
  EXPECT_EQ(sizes.queries, 100);
  EXPECT_EQ(sizes.keys, 120);
  EXPECT_EQ(sizes.depth, 16);
  EXPECT_EQ(sizes.width, 24);
  EXPECT_FALSE(shapingOp(dispatch)) << "attention is no structured op";
  EXPECT_EQ(describeShapingOp(dispatch),
            "attention 3 x 100 queries, 120 keys, 16 and 24 wide, f32, f32, f32 -> tensor<3x100x24xf32>");
}

TEST_F(AttentionSpaceTest, TilesOfQueriesAndKeysAreKnobs) {
  for (const DeviceModel &device : {host(), known("lavapipe"), known("h100")}) {
    Space space = llvm::cantFail(dispatchSpace(dispatch, device));
    ASSERT_EQ(space.knobs.size(), 2u);
    EXPECT_EQ(space.knobs[0].name, "queries");
    EXPECT_EQ(space.knobs[1].name, "keys");
    EXPECT_TRUE(space.contains({0, 0}));
    EXPECT_TRUE(space.contains({32, 48})) << "neither divides";
    EXPECT_TRUE(space.contains({100, 120}));
    EXPECT_FALSE(space.contains({32, 0}));
    EXPECT_FALSE(space.knobs[0].domain.contains(128)) << "there are 100";
    auto features = dispatchFeatures(dispatch, space, device);
    EXPECT_EQ(features({0, 0}).size(), features({32, 48}).size());
    EXPECT_EQ(features({25, 40})[6], 0) << "nothing is repeated";
    EXPECT_GT(features({32, 40})[6], 0) << "queries are";
    EXPECT_GT(features({25, 48})[7], 0) << "keys are";
  }
  EXPECT_FALSE(llvm::cantFail(dispatchSpace(dispatch, known("h100"))).bounds.empty());
}

TEST_F(AttentionSpaceTest, DevicesWithOneTileHaveNothingToChoose) {
  auto space = dispatchSpace(dispatch, DeviceModel());
  ASSERT_FALSE(bool(space));
  EXPECT_EQ(takeFailure(space.takeError()).message, "@d: on this device the pipeline has one tile for attention");
}

TEST_F(AttentionSpaceTest, AskingLeavesNothingBehind) {
  std::string before = fingerprintOfDispatch(dispatch);
  EXPECT_FALSE(requestSizes(dispatch, {{"queries", 16}}));
  EXPECT_FALSE(requestSizes(dispatch, {{"queries", 16}, {"keys", 0}}));
  EXPECT_FALSE(requestSizes(dispatch, {{"tile_0", 16}, {"keys", 8}}));
  EXPECT_FALSE(requestSizes(dispatch, {{"queries", -16}, {"keys", 8}}));
  ASSERT_TRUE(requestSizes(dispatch, {{"queries", 16}, {"keys", 8}}));
  TilingConfig config = readTilingConfig(attentionIn(dispatch)->op);
  EXPECT_EQ(config.workgroup, (llvm::SmallVector<int64_t>{16}));
  EXPECT_EQ(config.reduction, (llvm::SmallVector<int64_t>{8}));
  ASSERT_TRUE(requestSizes(dispatch, {{"queries", 0}, {"keys", 0}}));
  EXPECT_EQ(fingerprintOfDispatch(dispatch), before);
}

TEST_F(AttentionSpaceTest, ThePipelineTakesThemAsTheyAre) {
  dispatch->setAttr(kDispatchAttr, mlir::UnitAttr::get(dispatch.getContext()));
  for (llvm::StringRef name : {"lavapipe", "h100"}) {
    TargetOptions target = llvm::cantFail(targetFor(known(name)));
    for (auto [queries, keys] : {std::pair(25, 40), std::pair(48, 32), std::pair(100, 48), std::pair(1, 120)}) {
      mlir::OwningOpRef<mlir::ModuleOp> copy(module->clone());
      auto asking = copy->lookupSymbol<mlir::func::FuncOp>("d");
      ASSERT_TRUE(requestSizes(asking, {{"queries", queries}, {"keys", keys}}));
      std::string pipeline = codegenPipelines(target).tileToWorkgroups;
      ASSERT_TRUE(strategyFor(target)->choosesAttentionTiles());
      setDevice(*copy, kernelDevice(target));
      ASSERT_FALSE(bool(runPipeline(*copy, pipeline)));
      mlir::scf::ForallOp forall = *asking.getBody().front().getOps<mlir::scf::ForallOp>().begin();
      EXPECT_EQ(forall.getStaticUpperBound().back(), (100 + queries - 1) / queries)
          << name.str() << ' ' << queries << ' ' << keys;
    }
  }
}
