#include "core/tuning/space/ScheduleDemands.h"
#include "core/codegen/Codegen.h"
#include "core/codegen/Targets.h"
#include "core/registration/Registration.h"
#include "core/schedules/report/TraceReport.h"
#include "core/schedules/script/Knobs.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "core/tuning/space/Selection.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace fuselage;
using namespace fuselage::tune;

namespace {

constexpr llvm::StringLiteral product = R"mlir(
func.func @mm(%a: tensor<32x16xf32>, %b: tensor<16x24xf32>) -> tensor<32x24xf32> {
  %empty = tensor.empty() : tensor<32x24xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x24xf32>) -> tensor<32x24xf32>
  %matmul = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x24xf32>) outs(%fill : tensor<32x24xf32>) -> tensor<32x24xf32>
  return %matmul : tensor<32x24xf32>
})mlir";

/// A schedule for a GPU, with `promotion` after the tiles of blocks and `last` in the end.
std::string scheduleWith(const std::string &promotion, const std::string &parts = "[1, 2, 16]") {
  return R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @clean(%func: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %rows = transform.tune.knob<"rows"> = 16 from options = [4, 12, 16, 32] -> !transform.param<i64>
    %columns = transform.tune.knob<"columns"> = 8 from options = [8, 24] -> !transform.param<i64>
    %part = transform.tune.knob<"part"> = 2 from options = )mlir" +
         parts + R"mlir( -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [%rows, %columns] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %tiled_fill, %fused_blocks = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.include @clean failures(propagate) (%func) : (!transform.any_op) -> ()
)mlir" + promotion +
         R"mlir(
    %thread_matmul, %thread_loop = transform.structured.tile_using_forall %tiled tile_sizes [%part, %part] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_loop = transform.structured.tile_using_forall %tiled_fill tile_sizes [%part, %part] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.include @clean failures(propagate) (%func) : (!transform.any_op) -> ()
    transform.structured.vectorize %thread_matmul : !transform.any_op
    transform.structured.vectorize %thread_fill : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel = transform.structured.match ops{["func.func"]} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.include @clean failures(propagate) (%kernel) : (!transform.any_op) -> ()
    %launch = transform.gpu.map_forall_to_blocks %kernel generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [8, 8, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
})mlir";
}

constexpr const char *promotion = R"mlir(
    %operand = transform.get_operand %tiled[0] : (!transform.any_op) -> !transform.any_value
    %promoted = transform.structured.promote_tensor to #gpu.address_space<workgroup> %operand : !transform.any_value
)mlir";

class ScheduleDemandsTest : public testing::Test {
protected:
  void SetUp() override {
    auto read = session.parse(product, "mm.mlir");
    ASSERT_TRUE(bool(read));
    payload = std::move(*read);
    device.maxThreads = {1024, "test"};
    device.workgroupBytes = {32 * 1024, "test"};
  }

  Script parse(const std::string &text) {
    auto script = parseScript(session, text, "s.mlir");
    EXPECT_TRUE(bool(script)) << takeFailure(script.takeError()).message;
    return std::move(*script);
  }

  /// With what is asked beside the schedule's own; `unknown` is what nothing is derived of.
  Space spaceOf(const std::string &text) {
    Script script = parse(text);
    auto read = readSpace(*script.module);
    EXPECT_TRUE(bool(read));
    unknown = addDemands(*read, *script.module, *payload->getOps<mlir::func::FuncOp>().begin(), device);
    return std::move(read->space);
  }

  /// Whether a kernel for the device can be made of a point.
  bool works(const std::string &text, const Parameters &point) {
    Script script = parse(text);
    EXPECT_FALSE(bool(setKnobs(script, point)));
    EXPECT_FALSE(bool(resolveConstraints(script)));
    TraceOptions options;
    options.last = 0;
    auto traced = trace(script, *payload, options);
    EXPECT_TRUE(bool(traced));
    auto result = resultOf(script, *traced);
    if (!result) {
      llvm::consumeError(result.takeError());
      return false;
    }
    auto target = targetByName("spirv");
    target->device = device;
    mlir::ModuleOp made = *result;
    auto compiled = compileScheduled(*made.getOps<mlir::func::FuncOp>().begin(), *target);
    if (compiled)
      return true;
    llvm::consumeError(compiled.takeError());
    return false;
  }

  /// Whether the interpreter takes a point.
  bool runs(const std::string &text, const Parameters &point) {
    Script script = parse(text);
    EXPECT_FALSE(bool(setKnobs(script, point)));
    TraceOptions options;
    options.last = 0;
    auto traced = trace(script, *payload, options);
    auto result = traced ? resultOf(script, *traced) : traced.takeError();
    if (result)
      return true;
    llvm::consumeError(result.takeError());
    return false;
  }

  /// The space has the points that run, and no other; how many.
  unsigned expectExact(const std::string &text) {
    Space space = spaceOf(text);
    EXPECT_TRUE(unknown.empty()) << unknown.front();
    Script open = parse(text);
    auto all = readSpace(*open.module);
    unsigned found = 0;
    forEachPoint(all->space, planLoops(all->space), [&](const Point &point) {
      EXPECT_EQ(runs(text, all->space.parametersOf(point)), space.contains(point)) << space.textOf(point) << " of\n"
                                                                                   << text;
      found += space.contains(point);
      return true;
    });
    return found;
  }

  /// All points that the schedule itself allows, and whether the space has them.
  std::pair<unsigned, unsigned> tryAll(const std::string &text) {
    Script script = parse(text);
    auto open = readSpace(*script.module);
    Space asked = spaceOf(text);
    unsigned excluded = 0, worked = 0;
    forEachPoint(open->space, planLoops(open->space), [&](const Point &point) {
      bool isMade = works(text, open->space.parametersOf(point));
      worked += isMade;
      if (asked.contains(point))
        return true;
      ++excluded;
      EXPECT_FALSE(isMade) << open->space.textOf(point) << " works, and is excluded: " << asked.broken(point).front();
      return true;
    });
    return {excluded, worked};
  }

  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  DeviceModel device;
  std::vector<std::string> unknown;
};

std::vector<std::string> textsOf(const Space &space, Origin origin) {
  std::vector<std::string> texts;
  for (const Condition &condition : space.conditions)
    if (condition.origin == origin)
      texts.push_back(condition.text);
  return texts;
}

TEST_F(ScheduleDemandsTest, WhatThreadsAndVectorsNeedIsAsked) {
  Space space = spaceOf(scheduleWith(""));
  EXPECT_FALSE(textsOf(space, Origin::Op).empty());
  EXPECT_TRUE(space.contains({16, 8, 2}));
  EXPECT_FALSE(space.contains({32, 8, 2})) << "16 rows of threads, of which there are 8";
  EXPECT_FALSE(space.contains({12, 8, 2})) << "the last of the tiles has 8 rows";
  ASSERT_EQ(unknown.size(), 1u) << "the fill's tile is that of whoever it was fused into";
  EXPECT_EQ(unknown[0].rfind("transform.structured.tile_using_forall (line", 0), 0u);
}

TEST_F(ScheduleDemandsTest, WhatIsExcludedFails) {
  auto [excluded, worked] = tryAll(scheduleWith(""));
  EXPECT_GT(excluded, 5u);
  EXPECT_GT(worked, 2u);
}

TEST_F(ScheduleDemandsTest, WorkgroupMemoryIsExact) {
  device.workgroupBytes = {16 * 16 * 4, "test"};
  Space space = spaceOf(scheduleWith(promotion));
  std::vector<std::string> texts = textsOf(space, Origin::Device);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts[0].find("1024 bytes"), std::string::npos) << texts[0];
  EXPECT_TRUE(space.contains({16, 8, 2})) << "16 rows of 16 numbers";
  EXPECT_TRUE(space.contains({32, 8, 16})) << "all of it is no tile, and is copied outside of the kernel";
  EXPECT_GT(tryAll(scheduleWith(promotion)).first, 5u);
  device.workgroupBytes = {16 * 16 * 4 - 1, "test"};
  EXPECT_FALSE(spaceOf(scheduleWith(promotion)).contains({16, 8, 2}));
}

TEST_F(ScheduleDemandsTest, ADeviceWithFewThreads) {
  device.maxThreads = {32, "test"};
  Space space = spaceOf(scheduleWith(""));
  EXPECT_EQ(textsOf(space, Origin::Device),
            std::vector<std::string>{"a block has at most 32 threads, and this one 64"});
  EXPECT_FALSE(space.contains({16, 8, 2}));
  EXPECT_FALSE(works(scheduleWith(""), {{"rows", "16"}, {"columns", "8"}, {"part", "2"}}));
}

/// Tiles for vectors on one processor; `between` stands after the tile.
std::string hostSchedule(const std::string &between, const std::string &vectorized = "%tile") {
  return R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %rows = transform.tune.knob<"rows"> = 4 from options = [4, 5, 12, 32] -> !transform.param<i64>
    %columns = transform.tune.knob<"columns"> = 8 from options = [7, 8, 24] -> !transform.param<i64>
    %multiple = transform.tune.knob<"multiple"> = 1 from options = [1, 8] -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [%rows, %columns]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
)mlir" + between +
         "    transform.structured.vectorize " + vectorized + R"mlir( : !transform.any_op
    transform.yield
  }
})mlir";
}

constexpr const char *padBoth = R"mlir(
    %padded, %pads, %copies = transform.structured.pad %tile pad_to_multiple_of [%multiple, 1] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
        padding_dimensions = [0, 1], copy_back_op = "none"} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
)mlir";
constexpr const char *padRows = R"mlir(
    %padded, %pads, %copies = transform.structured.pad %tile {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
        padding_dimensions = [0], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
)mlir";

/// What the space has is what the transforms take.
TEST_F(ScheduleDemandsTest, TilesThatArePaddedNeedNotDivide) {
  for (auto [between, vectorized, feasible] :
       {std::tuple("", "%tile", 8u), std::tuple(padRows, "%padded", 16u), std::tuple(padBoth, "%padded", 24u)}) {
    EXPECT_EQ(expectExact(hostSchedule(between, vectorized)), feasible) << between;
  }
}

/// Loops that are interchanged between two levels of tiles, in any order: what is cut is cut by the size at its place.
TEST_F(ScheduleDemandsTest, LoopsAreFollowedThroughAnInterchange) {
  std::array<unsigned, 3> order = {0, 1, 2};
  std::set<unsigned> feasible;
  do {
    std::string text = llvm::formatv(
        "    %generic = transform.structured.generalize %tile : (!transform.any_op) -> !transform.any_op\n"
        "    %turned = transform.structured.interchange %generic iterator_interchange = [{0}, {1}, {2}] : "
        "(!transform.any_op) -> !transform.any_op\n"
        "    %part, %inner:3 = transform.structured.tile_using_for %turned tile_sizes [%multiple, 2, 4] : "
        "(!transform.any_op, !transform.param<i64>)\n"
        "        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)\n"
        "    %func = transform.structured.match ops{{[\"func.func\"]} in %module : (!transform.any_op) -> "
        "!transform.any_op\n"
        "    transform.apply_patterns to %func {{\n"
        "      transform.apply_patterns.linalg.tiling_canonicalization\n"
        "      transform.apply_patterns.scf.for_loop_canonicalization\n"
        "      transform.apply_patterns.canonicalization\n"
        "    } {{apply_cse} : !transform.any_op\n",
        order[0], order[1], order[2]);
    feasible.insert(expectExact(hostSchedule(text, "%part")));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_GT(feasible.size(), 1u) << "the order matters";
}

/// scheduleWith, whose product has its depth first, then columns, then rows.
std::string turnedSchedule(const std::string &promotion) {
  std::string text = scheduleWith(promotion);
  auto replace = [&](llvm::StringRef what, llvm::StringRef by) {
    size_t at = text.find(what.str());
    ASSERT_NE(at, std::string::npos) << what.str();
    text.replace(at, what.size(), by.str());
  };
  replace("    %tiled, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [%rows, %columns] (mapping "
          "= [#gpu.block<y>, #gpu.block<x>])",
          "    %generic = transform.structured.generalize %matmul : (!transform.any_op) -> !transform.any_op\n"
          "    %turned = transform.structured.interchange %generic iterator_interchange = [2, 1, 0] : "
          "(!transform.any_op) -> !transform.any_op\n"
          "    %tiled, %blocks = transform.structured.tile_using_forall %turned tile_sizes [0, %columns, %rows] "
          "(mapping = [#gpu.block<x>, #gpu.block<y>])");
  replace("tile_using_forall %tiled tile_sizes [%part, %part] (mapping = [#gpu.thread<y>, #gpu.thread<x>])",
          "tile_using_forall %tiled tile_sizes [0, %part, %part] (mapping = [#gpu.thread<x>, #gpu.thread<y>])");
  return text;
}

TEST_F(ScheduleDemandsTest, ThreadsAndFootprintsAreThoseBehindAnInterchange) {
  device.workgroupBytes = {16 * 16 * 4, "test"};
  std::string text = turnedSchedule(promotion);
  Space space = spaceOf(text);
  EXPECT_EQ(unknown.size(), 1u) << "the fill's, as ever";
  for (auto [point, fits] :
       {std::pair(Point{16, 8, 2}, true), {Point{32, 8, 2}, false}, {Point{12, 8, 2}, false}, {Point{32, 8, 16}, true}})
    EXPECT_EQ(space.contains(point), fits) << space.textOf(point);
  EXPECT_EQ(textsOf(space, Origin::Device), textsOf(spaceOf(scheduleWith(promotion)), Origin::Device));
  auto [excluded, worked] = tryAll(text);
  EXPECT_GT(excluded, 5u);
  EXPECT_GT(worked, 0u);
}

TEST_F(ScheduleDemandsTest, ResultsOfAVectorAreInRegistersOrComeLast) {
  device.registersPerThread = {32 * 8, "test"};
  Space space = spaceOf(hostSchedule(""));
  ASSERT_EQ(space.bounds.size(), 1u);
  EXPECT_EQ(space.bounds[0].text, "results in vectors have 4 * rows * columns <= 1024 bytes of a thread's registers");
  EXPECT_TRUE(space.contains({32, 24, 1})) << "a bound is no condition";
  EXPECT_TRUE(space.over({32, 8, 1}).empty());
  EXPECT_EQ(space.over({32, 24, 1}).size(), 1u);
  device.registersPerThread = {};
  EXPECT_TRUE(spaceOf(hostSchedule("")).bounds.empty()) << "nobody knows";
}

TEST_F(ScheduleDemandsTest, BuffersOfPadsAreInWorkgroupMemory) {
  constexpr const char *pads = R"mlir(
    %padded, %pads, %copies = transform.structured.pad %tiled {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2],
        nofold_flags = [1, 0, 0], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %buffers_of_pads, %made = transform.structured.bufferize_to_allocation %pads {memory_space = #gpu.address_space<workgroup>}
        : !transform.any_op
)mlir";
  std::string text = scheduleWith(pads);
  text.replace(text.find("%tiled tile_sizes [%part"), 6, "%padded");
  // 16 rows of 16 numbers of the left operand, which stays; the others are padded where the last tile is smaller.
  device.workgroupBytes = {4 * 16 * 16, "test"};
  Space space = spaceOf(text);
  EXPECT_TRUE(space.contains({16, 8, 2}));
  EXPECT_FALSE(space.contains({12, 8, 2})) << "12 x 16, 16 x 8 and 12 x 8 numbers";
  device.workgroupBytes = {4 * (12 * 16 + 12 * 8), "test"};
  EXPECT_TRUE(spaceOf(text).contains({12, 8, 2})) << "the right one is no smaller in the last tile";
  device.workgroupBytes = {4 * 16 * 16 - 1, "test"};
  EXPECT_FALSE(spaceOf(text).contains({16, 8, 2}));
  std::vector<std::string> texts = textsOf(space, Origin::Device);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts[0].find("bytes"), std::string::npos);
}

TEST_F(ScheduleDemandsTest, BuffersOfResultsAreInWorkgroupMemory) {
  constexpr const char *buffer = R"mlir(
    %buffer, %made = transform.structured.bufferize_to_allocation %tiled {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only}
        : !transform.any_op
)mlir";
  std::string text = scheduleWith(buffer);
  text.erase(text.find("    %thread_matmul, %thread_loop"),
             text.find("    %thread_fill, %fill_loop") - text.find("    %thread_matmul, %thread_loop"));
  text.erase(text.find("    transform.structured.vectorize %thread_matmul"),
             std::string("    transform.structured.vectorize %thread_matmul : !transform.any_op\n").size());
  device.workgroupBytes = {4 * 16 * 8, "test"};
  Space space = spaceOf(text);
  EXPECT_TRUE(space.contains({16, 8, 2}));
  EXPECT_FALSE(space.contains({16, 24, 2}));
}

TEST_F(ScheduleDemandsTest, NothingIsAskedBehindWhatIsNotUnderstood) {
  Space space = spaceOf(scheduleWith(
      "    %for = transform.loop.forall_to_for %fused_blocks : (!transform.any_op) -> !transform.any_op\n"));
  EXPECT_TRUE(textsOf(space, Origin::Op).empty());
  EXPECT_TRUE(textsOf(space, Origin::Device).empty());
  EXPECT_FALSE(unknown.empty());
}

} // namespace
