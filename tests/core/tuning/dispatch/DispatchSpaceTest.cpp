#include "core/tuning/dispatch/DispatchSpace.h"
#include "core/codegen/CodegenSteps.h"
#include "core/codegen/Targets.h"
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/tuning/dispatch/DispatchFeatures.h"
#include "core/tuning/enumerate/Count.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "core/tuning/space/Selection.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace fuselage;
using namespace fuselage::tune;

namespace {

constexpr llvm::StringLiteral product = R"mlir(
func.func @d(%a: tensor<64x48xf32>, %b: tensor<48x1xf32>, %c: tensor<64x1xf32>, %init: tensor<64x1xf32>) -> tensor<64x1xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x1xf32>) outs(%c : tensor<64x1xf32>) -> tensor<64x1xf32>
  %e = linalg.exp ins(%r : tensor<64x1xf32>) outs(%init : tensor<64x1xf32>) -> tensor<64x1xf32>
  return %e : tensor<64x1xf32>
})mlir";
constexpr llvm::StringLiteral elementwise = R"mlir(
func.func @d(%a: tensor<4096x4096xf32>, %init: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %e = linalg.exp ins(%a : tensor<4096x4096xf32>) outs(%init : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %e : tensor<4096x4096xf32>
})mlir";

constexpr llvm::StringLiteral wide = R"mlir(
func.func @d(%a: tensor<2048x256xf32>, %b: tensor<256x2048xf32>, %c: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2048x256xf32>, tensor<256x2048xf32>) outs(%c : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
})mlir";

class DispatchSpaceTest : public testing::Test {
protected:
  mlir::func::FuncOp parse(llvm::StringRef text) {
    auto module = session.parse(text, "d.mlir");
    EXPECT_TRUE(bool(module));
    modules.push_back(std::move(*module));
    return modules.back()->lookupSymbol<mlir::func::FuncOp>("d");
  }
  static DeviceModel gpu(int64_t threads, int64_t workgroupBytes) {
    DeviceModel device;
    device.maxThreads = {threads, "test"};
    device.workgroupBytes = {workgroupBytes, "test"};
    return device;
  }
  static DeviceModel host() {
    DeviceModel device;
    device.language = {"host", "test"};
    return device;
  }
  Session session{allDialects()};
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

TEST_F(DispatchSpaceTest, HasKnobsForLoopsThatCanBeCut) {
  mlir::func::FuncOp dispatch = parse(product);
  EXPECT_EQ(describeShapingOp(dispatch),
            "linalg.matmul 64x1x48, tensor<64x48xf32>, tensor<48x1xf32> -> tensor<64x1xf32>");
  Space space = llvm::cantFail(dispatchSpace(dispatch, gpu(1024, 48 << 10)));
  ASSERT_EQ(space.knobs.size(), 2u); // the loop of length 1 has none
  EXPECT_EQ(space.knobs[0].name, "tile_0");
  EXPECT_EQ(space.knobs[1].name, "step");
  EXPECT_FALSE(space.knobs[0].domain.contains(24)); // the pipeline would take 16, which divides
  EXPECT_FALSE(space.knobs[1].domain.contains(32)); // steps divide
  EXPECT_EQ(selectedPoint(space), (Point{0, 0}));
  EXPECT_TRUE(space.contains({0, 0}));
  EXPECT_TRUE(space.contains({16, 8}));
  EXPECT_FALSE(space.contains({16, 0})) << "one size is asked for without the other";
}

TEST_F(DispatchSpaceTest, BoundsTheMemoryOfPartialSums) {
  Space space = llvm::cantFail(dispatchSpace(parse(wide), gpu(1024, 48 << 10)));
  ASSERT_EQ(space.knobs.size(), 4u);
  EXPECT_TRUE(space.contains({32, 32, 16, 1}));
  EXPECT_TRUE(space.contains({32, 32, 16, 2})) << "two of 16 MiB";
  EXPECT_FALSE(space.contains({32, 32, 16, 4}));
}

TEST_F(DispatchSpaceTest, SharesTheDepthOfAProduct) {
  constexpr llvm::StringLiteral deep = R"mlir(
func.func @d(%a: tensor<64x256xf32>, %b: tensor<256x32xf32>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x256xf32>, tensor<256x32xf32>) outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
})mlir";
  mlir::func::FuncOp dispatch = parse(deep);
  Space space = llvm::cantFail(dispatchSpace(dispatch, gpu(1024, 48 << 10)));
  ASSERT_EQ(space.knobs.size(), 4u);
  EXPECT_EQ(space.knobs[3].name, "split");
  EXPECT_TRUE(space.contains({0, 0, 0, 0}));
  EXPECT_TRUE(space.contains({32, 32, 16, 4}));
  EXPECT_FALSE(space.contains({32, 32, 16, 3})) << "parts have one size";
  EXPECT_FALSE(space.contains({32, 32, 128, 4})) << "a step is no longer than its part";
  EXPECT_FALSE(space.contains({32, 32, 16, 0})) << "left open where others are asked for";
  EXPECT_TRUE(requestSizes(dispatch, {{"tile_0", 32}, {"tile_1", 32}, {"step", 16}, {"split", 4}}));
  EXPECT_EQ(readTilingConfig(shapingOp(dispatch)).split, (llvm::SmallVector<int64_t>{0, 0, 64}));
  EXPECT_TRUE(requestSizes(dispatch, {{"tile_0", 32}, {"tile_1", 32}, {"step", 16}, {"split", 1}}));
  EXPECT_EQ(readTilingConfig(shapingOp(dispatch)).split, (llvm::SmallVector<int64_t>{0, 0, 0})) << "asks for none";
  DeviceModel software = gpu(1024, 48 << 10);
  software.kind = {DeviceKind::Software, "test"};
  EXPECT_FALSE(llvm::cantFail(dispatchSpace(dispatch, software)).find("split")) << "nobody is idle there";
}

TEST_F(DispatchSpaceTest, KeepsWhatTheDeviceCannotHold) {
  mlir::func::FuncOp dispatch = parse(product);
  Space space = llvm::cantFail(dispatchSpace(dispatch, gpu(1024, 1 << 10)));
  // 4 bytes of 16 x 8 and 8 x 1 numbers; then of 32 x 8.
  EXPECT_TRUE(space.contains({16, 8}));
  EXPECT_FALSE(space.contains({32, 8}));
  Space wide = llvm::cantFail(dispatchSpace(parse(elementwise), gpu(256, 48 << 10)));
  EXPECT_TRUE(wide.contains({128, 256}));
  EXPECT_FALSE(wide.contains({256, 256})) << "more results than 256 threads have registers for";
}

/// The tile of workgroups of the only kernel, by loop, that the pipeline makes of a dispatch which asks for `sizes`; 0:
/// whole.
static llvm::SmallVector<int64_t> tiledTo(mlir::func::FuncOp dispatch, const RequestedSizes &sizes,
                                          const TargetOptions &target) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(mlir::cast<mlir::ModuleOp>(dispatch->getParentOp()->clone()));
  auto asking = copy->lookupSymbol<mlir::func::FuncOp>("d");
  asking->setAttr(kDispatchAttr, mlir::UnitAttr::get(copy->getContext()));
  EXPECT_TRUE(requestSizes(asking, sizes));
  setDevice(*copy, kernelDevice(target));
  EXPECT_FALSE(bool(runPipeline(*copy, codegenPipelines(target).tileToWorkgroups)));
  llvm::SmallVector<int64_t> tile;
  unsigned kernels = 0;
  copy->walk([&](mlir::scf::ForallOp loop) {
    ++kernels;
    tile = readTilingConfig(loop).workgroup;
  });
  return kernels == 1 ? tile : llvm::SmallVector<int64_t>();
}

TEST_F(DispatchSpaceTest, OffersWhatThePipelineKeeps) {
  constexpr llvm::StringLiteral withBias = R"mlir(
func.func @d(%a: tensor<192x64xf32>, %b: tensor<64x90xf32>, %bias: tensor<90xf32>, %init: tensor<192x90xf32>) -> tensor<192x90xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%init : tensor<192x90xf32>) -> tensor<192x90xf32>
  %r = linalg.matmul ins(%a, %b : tensor<192x64xf32>, tensor<64x90xf32>) outs(%f : tensor<192x90xf32>) -> tensor<192x90xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias : tensor<192x90xf32>, tensor<90xf32>) outs(%init : tensor<192x90xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<192x90xf32>
  return %e : tensor<192x90xf32>
})mlir";
  constexpr llvm::StringLiteral window = R"mlir(
func.func @d(%image: tensor<1x9x13x4xf32>, %filter: tensor<3x3x4x32xf32>, %init: tensor<1x7x11x32xf32>) -> tensor<1x7x11x32xf32> {
  %c = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x9x13x4xf32>, tensor<3x3x4x32xf32>) outs(%init : tensor<1x7x11x32xf32>) -> tensor<1x7x11x32xf32>
  return %c : tensor<1x7x11x32xf32>
})mlir";
  constexpr llvm::StringLiteral turned = R"mlir(
func.func @d(%a: tensor<60x47xf32>, %init: tensor<47x60xf32>) -> tensor<47x60xf32> {
  %t = linalg.transpose ins(%a : tensor<60x47xf32>) outs(%init : tensor<47x60xf32>) permutation = [1, 0]
  return %t : tensor<47x60xf32>
})mlir";
  // A dimension that is kept, as exporters write it: the loop of length 1 comes while the dispatch is normalized.
  constexpr llvm::StringLiteral kept = R"mlir(
func.func @d(%a: tensor<48x20xf32>, %init: tensor<48x1xf32>) -> tensor<48x1xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<48x20xf32>) outs(%init : tensor<48x1xf32>) {
  ^bb0(%x: f32, %out: f32):
    %sum = arith.addf %x, %out : f32
    linalg.yield %sum : f32
  } -> tensor<48x1xf32>
  return %s : tensor<48x1xf32>
})mlir";
  DeviceModel lanes = gpu(1024, 32 << 10);
  lanes.kind = {DeviceKind::Software, "test"};
  lanes.subgroupSize = {8, "test"};
  lanes.subgroupOperations = {{"shuffle"}, "test"};
  for (const DeviceModel &device : {lanes, gpu(1024, 48 << 10)})
    for (llvm::StringRef text : {withBias, window, turned, kept}) {
      mlir::func::FuncOp dispatch = parse(text);
      Space space = llvm::cantFail(dispatchSpace(dispatch, device));
      TargetOptions target = llvm::cantFail(targetFor(device));
      llvm::SmallVector<int64_t> ranges = shapingOp(dispatch).getStaticLoopRanges();
      unsigned tried = 0;
      forEachPoint(space, planLoops(space), [&](const Point &point) {
        if (point[0] == 0 || tried++ % 7 != 0) // so many are enough
          return true;
        RequestedSizes sizes;
        for (auto [knob, value] : llvm::zip_equal(space.knobs, point))
          sizes[knob.name] = value;
        if (auto split = sizes.find("split"); split != sizes.end() && split->second > 1) // a second kernel adds up
          return true;
        llvm::SmallVector<int64_t> tile = tiledTo(dispatch, sizes, target);
        for (auto [knob, size] : llvm::zip_equal(space.knobs, point)) {
          unsigned loop = knob.sets->loop;
          if (knob.sets->role == KnobRole::WorkgroupTile && loop < tile.size()) {
            EXPECT_EQ(tile[loop] ? tile[loop] : ranges[loop], size)
                << space.textOf(point) << " of " << describeShapingOp(dispatch);
          }
        }
        EXPECT_FALSE(tile.empty()) << space.textOf(point);
        return true;
      });
      EXPECT_GT(tried, 4u);
    }
}

TEST_F(DispatchSpaceTest, SaysWhatBecomesAnotherOp) {
  DeviceModel device = gpu(1024, 48 << 10);
  device.language = {"ptx", "test"};
  device.chip = {"sm_90", "test"};
  device.registersPerThread = {255, "test"};
  auto none = dispatchSpace(parse(R"mlir(
func.func @d(%image: tensor<1x18x18x16xf32>, %filter: tensor<3x3x16x32xf32>, %init: tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %c = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x18x18x16xf32>, tensor<3x3x16x32xf32>) outs(%init : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %c : tensor<1x16x16x32xf32>
})mlir"),
                            device);
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(
      takeFailure(none.takeError()).message,
      "@d: on this device the pipeline makes another op of linalg.conv_2d_nhwc_hwcf, whose sizes it chooses itself");
}

TEST_F(DispatchSpaceTest, HasRegistersOfTheHost) {
  Space space = llvm::cantFail(dispatchSpace(parse(product), host()));
  ASSERT_EQ(space.knobs.size(), 3u);
  auto registers = int64_t(HostTarget::of(host()).vectorRegisters);
  EXPECT_TRUE(space.contains({1, 1, 64}));
  EXPECT_EQ(space.contains({14, 8, 64}), 14 * 8 + 8 + 1 <= registers);
}

TEST_F(DispatchSpaceTest, HasTasksOfTheHost) {
  Space space = llvm::cantFail(dispatchSpace(parse(elementwise), host()));
  ASSERT_EQ(space.knobs.size(), 3u);
  EXPECT_TRUE(space.contains({4096, 96, 8}));
  EXPECT_FALSE(space.contains({4096, 96, 0}));
  // Tiles are turned in registers, as many rows as lanes.
  Space turned = llvm::cantFail(dispatchSpace(parse(R"mlir(
    func.func @d(%a: tensor<48x64xf32>, %init: tensor<64x48xf32>) -> tensor<64x48xf32> {
      %t = linalg.transpose ins(%a : tensor<48x64xf32>) outs(%init : tensor<64x48xf32>) permutation = [1, 0]
      return %t : tensor<64x48xf32>
    })mlir"),
                                              host()));
  ASSERT_EQ(turned.knobs.size(), 2u);
  EXPECT_TRUE(turned.knobs[0].domain.contains(48) && !turned.knobs[0].domain.contains(64)) << turned.knobs[0].name;
  EXPECT_TRUE(turned.knobs[1].domain.contains(64)) << turned.knobs[1].name;
  auto none = dispatchSpace(parse(R"mlir(
    func.func @d(%a: tensor<1x1xf32>, %init: tensor<1x1xf32>) -> tensor<1x1xf32> {
      %e = linalg.exp ins(%a : tensor<1x1xf32>) outs(%init : tensor<1x1xf32>) -> tensor<1x1xf32>
      return %e : tensor<1x1xf32>
    })mlir"),
                            host());
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(takeFailure(none.takeError()).message,
            "@d: the pipeline has nothing to choose for linalg.exp on this device");
}

/// The quotient of each element and the sum of its row: both ops go over the same rows, of 8 KiB together.
static std::string quotients(unsigned batches, unsigned rows) {
  return llvm::formatv(R"mlir(
func.func @d(%a: tensor<{0}x{1}x1024xf32>, %init: tensor<{0}x{1}x1024xf32>, %zero: tensor<{0}x{1}xf32>) -> tensor<{0}x{1}x1024xf32> {{
  %s = linalg.generic {{indexing_maps = [affine_map<(b, i, k) -> (b, i, k)>, affine_map<(b, i, k) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : tensor<{0}x{1}x1024xf32>) outs(%zero : tensor<{0}x{1}xf32>) {{
  ^bb0(%x: f32, %out: f32):
    %sum = arith.addf %x, %out : f32
    linalg.yield %sum : f32
  } -> tensor<{0}x{1}xf32>
  %q = linalg.generic {{indexing_maps = [affine_map<(b, i, k) -> (b, i, k)>, affine_map<(b, i, k) -> (b, i)>, affine_map<(b, i, k) -> (b, i, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %s : tensor<{0}x{1}x1024xf32>, tensor<{0}x{1}xf32>) outs(%init : tensor<{0}x{1}x1024xf32>) {{
  ^bb0(%x: f32, %y: f32, %out: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<{0}x{1}x1024xf32>
  return %q : tensor<{0}x{1}x1024xf32>
})mlir",
                       batches, rows)
      .str();
}

TEST_F(DispatchSpaceTest, HasBlocksOfRowsOnTheHost) {
  mlir::func::FuncOp dispatch = parse(quotients(6, 4096));
  Space space = llvm::cantFail(dispatchSpace(dispatch, host()));
  std::optional<unsigned> block = space.find({KnobRole::BlockRows});
  ASSERT_TRUE(block);
  ASSERT_EQ(space.textOf(*selectedPoint(space)), "rows=0 vectors=0 task_rows=0 block_rows=0");
  EXPECT_TRUE(space.contains({4, 1, 4096, 8}));
  EXPECT_TRUE(space.contains({4, 1, 64, 6 * 4096})) << "without blocks, tasks are what they were";
  EXPECT_EQ(space.knobs[*block].absent, 6 * 4096);
  EXPECT_TRUE(space.knobs[*block].domain.contains(3 * 4096)) << "whole matrices of a batch";
  using Reasons = std::vector<std::string>;
  EXPECT_EQ(space.broken({4, 1, 4096, 7}), Reasons{"block_rows does not take 7"}) << "blocks have one size";
  EXPECT_EQ(space.broken({4, 1, 4096, 24}), Reasons{"block_rows does not take 24"}) << "4096 rows have no 24 of them";
  std::string bytes = std::to_string(HostTarget::of(host()).level2Bytes / 2);
  EXPECT_EQ(space.broken({4, 1, 4096, 4096}), Reasons{"a block of rows, of 8197 bytes each, has at most " + bytes +
                                                      " bytes: half of the L2 cache (the device)"});
  std::string oneTask = "a block of rows is one task: task_rows is 4096, and rows is at most block_rows (the op)";
  EXPECT_EQ(space.broken({4, 1, 64, 8}), Reasons{oneTask});
  EXPECT_EQ(space.broken({4, 1, 4096, 2}), Reasons{oneTask});
  ASSERT_TRUE(requestSizes(dispatch, {{"rows", 4}, {"vectors", 1}, {"task_rows", 4096}, {"block_rows", 8}}));
  EXPECT_EQ(llvm::ArrayRef<int64_t>(readTilingConfig(shapingOp(dispatch)).host),
            (llvm::ArrayRef<int64_t>{4, 1, 4096, 0, 8}));
  auto features = dispatchFeatures(dispatch, space, host());
  EXPECT_EQ(features({4, 1, 4096, 8}).size(), features(*selectedPoint(space)).size());
  EXPECT_EQ(features({4, 1, 4096, 8}).back(), 3) << "the size of the block";
}

/// As far as caches go, there is nothing to choose.
TEST_F(DispatchSpaceTest, HasNoBlocksOfFewRowsOrOfOneOp) {
  EXPECT_FALSE(llvm::cantFail(dispatchSpace(parse(quotients(1, 8)), host())).find({KnobRole::BlockRows}));
  EXPECT_FALSE(llvm::cantFail(dispatchSpace(parse(wide), host())).find({KnobRole::BlockRows}));
}

TEST_F(DispatchSpaceTest, SizesMeanBytesAndWaste) {
  DeviceModel device = gpu(1024, 48 << 10);
  device.computeUnits = {2, "test"};
  mlir::func::FuncOp dispatch = parse(product); // 64 x 1 x 48
  Space space = llvm::cantFail(dispatchSpace(dispatch, device));
  auto features = dispatchFeatures(dispatch, space, device);
  ASSERT_TRUE(bool(features));
  // Tiles of 16 rows and 8 of the sum: 4 bytes of 16 x 8 and 8 x 1 each of 6 steps, in each of 4 tiles, two for each
  // unit.
  std::vector<double> even = features({16, 8}), uneven = features({48, 8});
  ASSERT_EQ(even.size(), 7u);
  EXPECT_EQ(even[0], 4);
  EXPECT_EQ(even[1], std::log2(4 * (16 * 8 + 8)));
  EXPECT_EQ(even[2], std::log2(4 * (16 * 8 + 8) * 6 * 4));
  EXPECT_EQ(even[3], 1);
  EXPECT_EQ(even[4], 0) << "two full rounds";
  EXPECT_EQ(even[5], 0) << "nothing is computed in vain";
  EXPECT_EQ(uneven[5], std::log2(1.5)) << "96 rows for 64";
  EXPECT_EQ(features({0, 0}), std::vector<double>(7, 0));
  Space ofHost = llvm::cantFail(dispatchSpace(dispatch, host()));
  auto onHost = dispatchFeatures(dispatch, ofHost, host());
  EXPECT_EQ(onHost({4, 2, 64})[0], 3) << "8 vectors of results";
}

TEST_F(DispatchSpaceTest, AsksForSizes) {
  mlir::func::FuncOp dispatch = parse(product);
  mlir::Operation *matmul = shapingOp(dispatch);
  ASSERT_TRUE(requestSizes(dispatch, {{"tile_0", 16}, {"step", 8}}));
  EXPECT_EQ(readTilingConfig(matmul).workgroup, (llvm::SmallVector<int64_t>{16, 0, 0}));
  EXPECT_EQ(readTilingConfig(matmul).reduction, (llvm::SmallVector<int64_t>{0, 0, 8}));
  ASSERT_TRUE(requestSizes(dispatch, {{"rows", 4}, {"vectors", 2}, {"task_rows", 32}}));
  EXPECT_EQ(llvm::ArrayRef<int64_t>(readTilingConfig(matmul).host), (llvm::ArrayRef<int64_t>{4, 2, 32, 0}));
  EXPECT_FALSE(requestSizes(dispatch, {{"tile_9", 16}}));
  EXPECT_FALSE(requestSizes(dispatch, {{"tile_0", -1}}));
  EXPECT_FALSE(readTilingConfig(matmul).empty()) << "a refusal changes nothing";
  ASSERT_TRUE(requestSizes(dispatch, {{"tile_0", 0}, {"step", 0}}));
  EXPECT_TRUE(readTilingConfig(matmul).empty());
}

} // namespace
