// Which strategy a device gets, and what the strategies decide for ops whose best tiles are known.
#include "core/codegen/CodegenSteps.h"
#include "core/codegen/Targets.h"
#include "core/device/KnownDevices.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/transforms/workgroups/reductions/ChooseSplitK.h"
#include "core/transforms/workgroups/reductions/ReductionShape.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/strategy/HostStrategy.h"
#include "core/transforms/workgroups/strategy/SoftwareSubgroupStrategy.h"
#include "core/transforms/workgroups/strategy/WideSimtStrategy.h"
#include <gtest/gtest.h>
#include <map>

using namespace mlir;

namespace fuselage {
namespace {

using Sizes = llvm::SmallVector<int64_t>;

std::string kindOf(const TargetStrategy &strategy) {
  if (dynamic_cast<const HostStrategy *>(&strategy))
    return "host";
  if (dynamic_cast<const SoftwareSubgroupStrategy *>(&strategy))
    return "software subgroup";
  return dynamic_cast<const WideSimtStrategy *>(&strategy) ? "wide SIMT" : "generic GPU";
}

std::unique_ptr<TargetStrategy> strategyNamed(llvm::StringRef name) {
  return strategyFor(llvm::cantFail(targetNamed(name)));
}

class TargetStrategyTest : public testing::Test {
protected:
  /// The last structured op of a function with `body` and these arguments.
  linalg::LinalgOp parse(const std::string &arguments, const std::string &body) {
    module_ = llvm::cantFail(session_.parse("func.func @f(" + arguments + ") { " + body + " return }", "op.mlir"));
    linalg::LinalgOp last;
    (*module_)->walk([&](linalg::LinalgOp op) { last = op; });
    return last;
  }
  linalg::LinalgOp matmul(int64_t m, int64_t n, int64_t k, const std::string &type = "f32",
                          const std::string &sum = "f32") {
    auto tensor = [](int64_t rows, int64_t columns, const std::string &element) {
      return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + element + ">";
    };
    std::string a = tensor(m, k, type), b = tensor(k, n, type), c = tensor(m, n, sum);
    return parse("%a: " + a + ", %b: " + b + ", %c: " + c,
                 "%r = linalg.matmul ins(%a, %b : " + a + ", " + b + ") outs(%c : " + c + ") -> " + c);
  }
  static TilingInterface tiling(linalg::LinalgOp op) { return cast<TilingInterface>(op.getOperation()); }

  Session session_{allDialects()};
  OwningOpRef<ModuleOp> module_;
};

//===-- Which strategy ----------------------------------------------------===//

TEST_F(TargetStrategyTest, EachKnownDeviceHasItsKind) {
  const std::map<std::string, std::string> kinds = {{"a100", "wide SIMT"},
                                                    {"h100", "wide SIMT"},
                                                    {"host", "host"},
                                                    {"l4", "wide SIMT"},
                                                    {"lavapipe", "software subgroup"},
                                                    {"rdna3", "generic GPU"},
                                                    {"rtx4090", "wide SIMT"},
                                                    {"xe", "generic GPU"}};
  std::map<std::string, std::string> found;
  for (llvm::StringRef name : knownDevices())
    found[name.str()] = kindOf(*strategyFor(llvm::cantFail(knownDeviceOrFile(name))));
  EXPECT_EQ(found, kinds);
}

TEST_F(TargetStrategyTest, TheHostAsATargetIsNoGpu) {
  TargetOptions host;
  host.target = KernelTarget::Host;
  DeviceModel device = kernelDevice(host);
  EXPECT_EQ(device.language.value, "host");
  EXPECT_TRUE(device.matrixShapes.value.empty()) << "the chip of the options is for PTX only";
  EXPECT_EQ(kindOf(*strategyFor(host)), "host");
}

TEST_F(TargetStrategyTest, WhatIsNotKnownIsAnyGpu) {
  EXPECT_EQ(kindOf(*strategyFor(DeviceModel())), "generic GPU");
  EXPECT_EQ(kindOf(*strategyNamed("spirv")), "generic GPU");
  EXPECT_EQ(kindOf(*strategyNamed("ptx")), "generic GPU") << "nobody knows how many registers a thread has";
  DeviceModel software = llvm::cantFail(knownDeviceOrFile("lavapipe"));
  software.subgroupOperations.value = {"basic"};
  EXPECT_EQ(kindOf(*strategyFor(software)), "generic GPU") << "lanes cannot hand on what they read";
  DeviceModel narrow = llvm::cantFail(knownDeviceOrFile("h100"));
  narrow.registersPerThread.value = 63;
  EXPECT_EQ(kindOf(*strategyFor(narrow)), "generic GPU") << "8 by 8 results do not fit";
}

TEST_F(TargetStrategyTest, PassesReadTheNearestDevice) {
  matmul(64, 64, 64);
  auto function = *module_->getOps<func::FuncOp>().begin();
  Operation *op = &function.getBody().front().front();
  EXPECT_EQ(kindOf(*strategyOf(op)), "generic GPU");
  setDevice(*module_, kernelDevice(llvm::cantFail(targetNamed("h100"))));
  EXPECT_EQ(kindOf(*strategyOf(op)), "wide SIMT");
  EXPECT_EQ(strategyOf(op)->multiprocessors(), 132);
  setDevice(function, kernelDevice(llvm::cantFail(targetNamed("lavapipe"))));
  EXPECT_EQ(kindOf(*strategyOf(op)), "software subgroup");
  EXPECT_EQ(kindOf(*strategyOf(*module_)), "wide SIMT");
}

TEST_F(TargetStrategyTest, TheAttributeHoldsWhatTheModelKnows) {
  session_.context().getOrLoadDialect("fuselage");
  for (llvm::StringRef name : knownDevices()) {
    DeviceModel model = llvm::cantFail(knownDeviceOrFile(name)),
                read = DeviceAttr::of(&session_.context(), model).model();
    EXPECT_EQ(read.name, model.name);
    std::vector<DeviceFact> before = factsOf(model), after = factsOf(read);
    ASSERT_EQ(before.size(), after.size()) << name.str();
    for (auto [known, again] : llvm::zip_equal(before, after))
      EXPECT_EQ(known.key + " " + known.value, again.key + " " + again.value);
  }
}

/// Devices that differ in numbers alone, also in how many multiprocessors they have and how much memory.
TEST_F(TargetStrategyTest, PipelinesHaveNoNumbersOfTheDevice) {
  auto textOf = [](llvm::StringRef name) {
    TargetOptions target = llvm::cantFail(targetNamed(name));
    target.cudaToolkit.clear();
    CodegenPipelines p = codegenPipelines(target);
    return p.tileToWorkgroups + p.fuseProducers + p.tileReductions + p.promote + p.outline + p.bufferize + p.mapToGpu +
           p.lower;
  };
  EXPECT_EQ(textOf("h100"), textOf("a100"));
  EXPECT_EQ(textOf("h100"), textOf("l4"));
  EXPECT_EQ(textOf("xe"), textOf("spirv"));
  EXPECT_NE(textOf("h100"), textOf("rdna3"));
}

//===-- Tiles -------------------------------------------------------------===//

TEST_F(TargetStrategyTest, TilesOfContractions) {
  linalg::LinalgOp op = matmul(2048, 2048, 1024);
  EXPECT_EQ(strategyNamed("spirv")->workgroupTargets(tiling(op)), (Sizes{32, 64, 0}));
  EXPECT_EQ(strategyNamed("h100")->workgroupTargets(tiling(op)), (Sizes{128, 128, 0}));
  EXPECT_EQ(strategyNamed("lavapipe")->workgroupTargets(tiling(op)), (Sizes{16, 32, 0}));
  EXPECT_EQ(strategyNamed("spirv")->reductionSteps(tiling(op), false), (Sizes{0, 0, 32}));
  EXPECT_EQ(strategyNamed("h100")->reductionSteps(tiling(op), false), (Sizes{0, 0, 16}));
  EXPECT_EQ(strategyNamed("lavapipe")->reductionSteps(tiling(op), false), Sizes()) << "lanes read from a cache";
  EXPECT_EQ(strategyNamed("lavapipe")->reductionSteps(tiling(op), true), (Sizes{0, 0, 32}))
      << "what is computed is not";
}

TEST_F(TargetStrategyTest, SmallerTilesWhereMultiprocessorsWouldIdle) {
  linalg::LinalgOp op = matmul(512, 512, 512);
  Sizes few = strategyNamed("l4")->workgroupTargets(tiling(op)),
        many = strategyNamed("h100")->workgroupTargets(tiling(op));
  EXPECT_LT(many[0] * many[1], 128 * 128);
  EXPECT_LE(many[0] * many[1], few[0] * few[1]);
}

TEST_F(TargetStrategyTest, TilesOfAKernelOfSeveralReductionsAreNotWide) {
  linalg::LinalgOp op = matmul(2048, 2048, 1024);
  auto wide = strategyNamed("h100");
  EXPECT_TRUE(wide->pickWideTile(op, {}));
  EXPECT_FALSE(wide->pickWideTile(op, {.isAlone = false}));
  EXPECT_EQ(wide->workgroupTargets(tiling(op), {.isAlone = false}), (Sizes{32, 64, 0}));
  for (const WideTile &tile : wide->wideTiles(op, {.computesOperand = true}))
    EXPECT_LE(tile.rows * tile.columns, 128 * 64) << "registers for what is computed on its way";
  EXPECT_FALSE(strategyNamed("spirv")->pickWideTile(op, {}));
}

TEST_F(TargetStrategyTest, WideTilesOverlapWhereNothingDivides) {
  linalg::LinalgOp op = matmul(1021, 1021, 512); // a prime
  auto wide = strategyNamed("h100");
  EXPECT_TRUE(wide->wideTiles(op, {}).empty());
  EXPECT_FALSE(wide->wideTiles(op, {.mayOverlap = true}).empty());
}

TEST_F(TargetStrategyTest, MatrixInstructionsOfTheDevice) {
  linalg::LinalgOp half = matmul(256, 256, 256, "f16");
  EXPECT_EQ(strategyNamed("h100")->instructionK(half), 16);
  EXPECT_EQ(strategyNamed("rdna3")->instructionK(half), 16);
  EXPECT_EQ(strategyNamed("xe")->instructionK(half), 0) << "it states none";
  EXPECT_EQ(strategyNamed("spirv")->instructionK(half), 0);
  linalg::LinalgOp bytes = matmul(256, 256, 256, "i8", "i32");
  EXPECT_EQ(strategyNamed("h100")->instructionK(bytes), 32);
  EXPECT_EQ(strategyNamed("rdna3")->instructionK(bytes), 0) << "no kernels are made with these";
  EXPECT_EQ(strategyNamed("h100")->instructionK(matmul(256, 256, 256)), 0) << "tf32 is asked for";
  EXPECT_EQ(strategyNamed("h100")->instructionK(matmul(256, 256, 250, "f16")), 0);
  EXPECT_EQ(strategyNamed("h100")->instructionK(matmul(256, 256, 250, "f16"), /*uneven=*/true), 16);
  EXPECT_EQ(strategyNamed("h100")->instructionK(matmul(8, 256, 256, "f16")), 0) << "too few rows";
  linalg::LinalgOp unknown =
      parse("%a: tensor<256x?xf16>, %b: tensor<?x256xf16>, %c: tensor<256x256xf32>",
            "%r = linalg.matmul ins(%a, %b : tensor<256x?xf16>, tensor<?x256xf16>) outs(%c : tensor<256x256xf32>) -> "
            "tensor<256x256xf32>");
  EXPECT_EQ(strategyNamed("h100")->instructionK(unknown), 0) << "nobody knows whether an instruction divides K";
}

TEST_F(TargetStrategyTest, StepsOfUnevenDepths) {
  // 509 is a prime: a last step that starts earlier, or the whole loop.
  linalg::LinalgOp op = matmul(512, 512, 509);
  EXPECT_EQ(strategyNamed("h100")->reductionSteps(tiling(op), false), (Sizes{0, 0, 16}));
  EXPECT_EQ(strategyNamed("h100")->reductionSteps(tiling(op), true), Sizes());
  EXPECT_EQ(strategyNamed("spirv")->reductionSteps(tiling(op), false), Sizes());
  EXPECT_EQ(strategyNamed("h100")->unplannedSteps(tiling(matmul(64, 64, 64)), false), (Sizes{0, 0, 32}));
}

TEST_F(TargetStrategyTest, DeepContractionsOfLanesReadFromACache) {
  linalg::LinalgOp op = matmul(1024, 1024, 8192);
  auto lanes = strategyNamed("lavapipe");
  EXPECT_EQ(lanes->workgroupTargets(tiling(op)), (Sizes{128, 32, 0}));
  EXPECT_EQ(lanes->workgroupTargets(tiling(op), {.isAlone = false}), (Sizes{16, 32, 0}));
  EXPECT_EQ(lanes->reductionSteps(tiling(op), false), (Sizes{0, 0, 512}));
}

TEST_F(TargetStrategyTest, TilesOfElementwiseOpsAndTransposes) {
  linalg::LinalgOp exp = parse("%a: tensor<512x256xf32>, %c: tensor<512x256xf32>",
                               "%r = linalg.exp ins(%a : tensor<512x256xf32>) outs(%c : tensor<512x256xf32>) -> "
                               "tensor<512x256xf32>");
  EXPECT_EQ(strategyNamed("h100")->workgroupTargets(tiling(exp)), (Sizes{4, 1024}));
  EXPECT_EQ(strategyNamed("lavapipe")->workgroupTargets(tiling(exp)), (Sizes{8, 2048}));
  linalg::LinalgOp transpose = parse("%a: tensor<256x512xf32>, %c: tensor<512x256xf32>",
                                     "%r = linalg.transpose ins(%a : tensor<256x512xf32>) outs(%c : "
                                     "tensor<512x256xf32>) permutation = [1, 0]");
  EXPECT_EQ(strategyNamed("spirv")->workgroupTargets(tiling(transpose)), (Sizes{32, 32}));
  EXPECT_EQ(strategyNamed("lavapipe")->workgroupTargets(tiling(transpose)), (Sizes{256, 16})) << "a line of 64 bytes";
}

TEST_F(TargetStrategyTest, TilesOfReductions) {
  auto sum = [&](int64_t rows, int64_t depth) {
    std::string in = "tensor<" + std::to_string(rows) + "x" + std::to_string(depth) + "xf32>",
                out = "tensor<" + std::to_string(rows) + "xf32>";
    return parse("%a: " + in + ", %c: " + out,
                 "%r = linalg.reduce { arith.addf } ins(%a : " + in + ") outs(%c : " + out + ") dimensions = [1]");
  };
  auto isLong = [](llvm::StringRef device, linalg::LinalgOp op) {
    return llvm::any_of(strategyNamed(device)->longReductions().limits,
                        [&](auto limit) { return isLongReduction(op, limit.mostResults, limit.leastIterations); });
  };
  linalg::LinalgOp op = sum(4096, 128);
  EXPECT_EQ(strategyNamed("spirv")->workgroupTargets(tiling(op)), (Sizes{4, 0}));
  EXPECT_EQ(strategyNamed("lavapipe")->workgroupTargets(tiling(op)), (Sizes{8, 0})) << "a row a lane";
  EXPECT_EQ(strategyNamed("spirv")->reductionSteps(tiling(sum(4, 16384)), false), (Sizes{0, 1024}));
  EXPECT_TRUE(isLong("spirv", sum(8, 4096)));
  EXPECT_FALSE(isLong("spirv", sum(64, 4096)));
  EXPECT_TRUE(isLong("lavapipe", sum(4, 4096)));
  EXPECT_FALSE(isLong("lavapipe", sum(8, 4096)));
  EXPECT_TRUE(isLong("lavapipe", sum(8, 8192)));
}

TEST_F(TargetStrategyTest, RequestedSizesAreTaken) {
  linalg::LinalgOp op = matmul(256, 256, 256);
  writeTilingConfig(op, {.workgroup = {24, 48, 0}, .reduction = {0, 0, 8}});
  for (llvm::StringRef name : {"spirv", "h100", "lavapipe"}) {
    EXPECT_EQ(strategyNamed(name)->workgroupTargets(tiling(op)), (Sizes{24, 48, 0})) << name.str();
    EXPECT_EQ(strategyNamed(name)->reductionSteps(tiling(op), false), (Sizes{0, 0, 8})) << name.str();
  }
}

TEST(PickTile, DividesOrOverlaps) {
  EXPECT_EQ(pickTile(20, 32, LastTile::Short), 20) << "it fits";
  EXPECT_EQ(pickTile(96, 64, LastTile::Short), 48);
  EXPECT_EQ(pickTile(1021, 64, LastTile::Short), 64) << "the last one is smaller";
  EXPECT_EQ(pickTile(1021, 64, LastTile::Overlapping), 64);
  EXPECT_EQ(pickTile(67, 64, LastTile::Overlapping), 67) << "a little more is better than twice";
  EXPECT_EQ(pickTile(131, 64, LastTile::Overlapping), 44) << "three alike";
  EXPECT_EQ(pickTile(131, 64, LastTile::Full), 131) << "nothing else has one shape";
  EXPECT_EQ(pickTile(50, 32, LastTile::OverlappingMultiple), 28) << "25 divides, but is odd";
  EXPECT_EQ(pickTile(50, 64, LastTile::OverlappingMultiple, 16), 32) << "two of whole instructions";
  EXPECT_EQ(pickTile(ShapedType::kDynamic, 64, LastTile::Short), 64);
  EXPECT_EQ(largestDivisor(60, 16), 15);
  EXPECT_EQ(largestDivisor(61, 16), 1);
}

//===-- Split reductions --------------------------------------------------===//

TEST_F(TargetStrategyTest, SplitsContractionsThatWouldLeaveTheDeviceIdle) {
  linalg::LinalgOp deep = matmul(128, 128, 8192);
  auto split = chooseSplitK(deep, *strategyNamed("h100"));
  ASSERT_TRUE(split);
  EXPECT_EQ(split->split[0], 0);
  EXPECT_GT(split->split[2], 0);
  EXPECT_EQ(8192 % split->split[2], 0);
  EXPECT_FALSE(chooseSplitK(deep, *strategyNamed("h100"), {}, /*mayChoose=*/false));
  EXPECT_FALSE(chooseSplitK(deep, *strategyNamed("lavapipe"))) << "a few cores have tiles enough";
  EXPECT_FALSE(chooseSplitK(deep, *strategyNamed("spirv"))) << "nobody knows how many multiprocessors there are";
  EXPECT_TRUE(chooseSplitK(deep, *strategyNamed("rdna3")));
  EXPECT_FALSE(chooseSplitK(matmul(4096, 4096, 8192), *strategyNamed("h100"))) << "there are tiles for all";
  EXPECT_FALSE(chooseSplitK(matmul(128, 128, 64), *strategyNamed("h100"))) << "too little for a second kernel";
}

TEST_F(TargetStrategyTest, RequestedSplitsAreTakenByAll) {
  linalg::LinalgOp op = matmul(128, 128, 1024);
  writeTilingConfig(op, {.workgroup = {}, .reduction = {}, .split = {0, 0, 256}});
  for (llvm::StringRef name : {"spirv", "h100", "lavapipe"}) {
    auto split = chooseSplitK(op, *strategyNamed(name), {}, /*mayChoose=*/false);
    ASSERT_TRUE(split) << name.str();
    EXPECT_EQ(split->split, (Sizes{0, 0, 256}));
  }
}

TEST_F(TargetStrategyTest, SplitsFewLongRowsOnly) {
  auto wide = strategyNamed("h100"), lanes = strategyNamed("lavapipe");
  EXPECT_TRUE(wide->shouldSplitReduction(1, 1 << 20, 4));
  EXPECT_FALSE(wide->shouldSplitReduction(1, 1 << 10, 4)) << "shorter than a launch";
  EXPECT_FALSE(wide->shouldSplitReduction(132, 1 << 20, 4)) << "a row for each multiprocessor";
  EXPECT_TRUE(lanes->shouldSplitReduction(8, 1 << 14, 4));
  EXPECT_FALSE(lanes->shouldSplitReduction(9, 1 << 14, 4));
  EXPECT_FALSE(strategyNamed("rdna3")->shouldSplitReduction(1, 1 << 20, 4));
}

//===-- Memory, threads, attention ----------------------------------------===//

TEST_F(TargetStrategyTest, LimitsOfTheDevice) {
  EXPECT_EQ(strategyNamed("spirv")->workgroupBytes(), 31744);
  EXPECT_EQ(strategyNamed("h100")->workgroupBytes(), 232448 - 232448 / 32);
  EXPECT_EQ(strategyNamed("h100")->threads().workgroupBytes, 232448);
  EXPECT_EQ(strategyNamed("h100")->threads().maxThreads, 1024);
  EXPECT_EQ(strategyNamed("lavapipe")->threads().lanes, 8);
  EXPECT_EQ(strategyNamed("rdna3")->threads().lanes, 0);
  EXPECT_EQ(strategyNamed("rdna3")->multiprocessors(), 96);
  EXPECT_FALSE(strategyNamed("lavapipe")->multiprocessors());
}

TEST_F(TargetStrategyTest, TwoWorkgroupsShareAMultiprocessor) {
  AttentionTileOptions tiles = strategyNamed("h100")->attentionTiles();
  EXPECT_EQ(tiles.workgroupBytes, 233472 / 2 - 1024);
  EXPECT_EQ(tiles.registers, 65536);
  auto copies = strategyNamed("h100")->asyncCopies();
  ASSERT_TRUE(copies);
  EXPECT_EQ(copies->workgroupBytes, 233472 / 2 - 1024);
  EXPECT_EQ(copies->mostWorkgroupBytes, 232448);
  DeviceModel old = llvm::cantFail(knownDeviceOrFile("a100"));
  old.chip.value = "sm_75";
  EXPECT_FALSE(strategyFor(old)->asyncCopies()) << "cp.async came with compute capability 8.0";
  EXPECT_FALSE(strategyNamed("rdna3")->asyncCopies());
}

TEST_F(TargetStrategyTest, TheHostCopiesNothingAndSplitsNothing) {
  HostStrategy host(llvm::cantFail(knownDeviceOrFile("host")));
  EXPECT_FALSE(host.promotesOperands());
  EXPECT_FALSE(host.multiprocessors());
  EXPECT_FALSE(chooseSplitK(matmul(128, 128, 8192), host));
}

} // namespace
} // namespace fuselage
