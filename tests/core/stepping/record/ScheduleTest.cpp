#include "tests/core/stepping/SteppingTestSupport.h"

namespace fuselage::test {
namespace {

llvm::Expected<Recording> recordSchedule(Input &input, const std::string &path) {
  RecordOptions options;
  options.schedule = path;
  return input.record(options);
}

TEST(Schedule, RecordsAStepPerTransformOp) {
  TemporaryFile script(R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%target: !transform.any_op {transform.consumed}) {
    %tiled, %loops:2 = transform.structured.tile_using_for %target tile_sizes [4, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%matmul) : (!transform.any_op) -> ()
    transform.apply_cse to %root : !transform.any_op
    transform.yield
  }
}
)mlir");
  Input input;
  for (int repeat = 0; repeat < 2; ++repeat) {
    auto recording = recordSchedule(input, script.path());
    ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
    ASSERT_EQ(recording->steps.size(), 3u);
    EXPECT_EQ(recording->snapshots.size(), 4u);
    EXPECT_EQ(recording->steps[0].pass, "transform.structured.match");
    EXPECT_EQ(recording->steps[0].name, "%matmul = transform.structured.match ops{[\"linalg.matmul\"]} in %root");
    EXPECT_FALSE(recording->steps[0].changed);
    EXPECT_TRUE(recording->steps[1].changed);
    EXPECT_EQ(recording->steps[1].opDelta.at("scf.for"), 2);
    EXPECT_TRUE(recording->steps[2].changed);
    EXPECT_NE(recording->steps[1].pipeline.find("transform-interpreter"), std::string::npos);
  }
}

TEST(Schedule, AScriptWritesNoFiles) {
  std::string target = testing::TempDir() + "fuselage_snapshot.mlir";
  std::remove(target.c_str());
  TemporaryFile script(R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.apply_registered_pass "snapshot-op-locations" with options = { "filename" = ")mlir" +
                       target + R"mlir(" } to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
)mlir");
  Input input;
  auto recording = recordSchedule(input, script.path());
  ASSERT_FALSE(bool(recording));
  EXPECT_NE(llvm::toString(recording.takeError()).find("'snapshot-op-locations', which writes files"),
            std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(target));
}

TEST(Schedule, AFailingOpIsAFailedStep) {
  TemporaryFile script(R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_cse to %root : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %matmul
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_cse to %root : !transform.any_op
    transform.yield
  }
}
)mlir");
  Input input;
  auto recording = recordSchedule(input, script.path());
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  ASSERT_EQ(recording->steps.size(), 3u);
  EXPECT_EQ(recording->snapshots.size(), 4u);
  EXPECT_TRUE(recording->steps[2].failed);
  ASSERT_FALSE(recording->steps[2].diagnostics.empty());
  EXPECT_EQ(recording->steps[2].diagnostics[0].line, 7u);
}

TEST(Schedule, AnOpThatIsKnownToBeDeadlyDoesNotRun) {
  TemporaryFile script(R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_cse to %root : !transform.any_op
    transform.apply_cse to %root : !transform.any_op
    transform.yield
  }
}
)mlir");
  Input input;
  RecordOptions options;
  options.schedule = script.path();
  options.deadly = DeadlyStep{.index = 1, .message = "crashed"};
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  ASSERT_EQ(recording->steps.size(), 2u);
  EXPECT_FALSE(recording->steps[0].failed);
  EXPECT_TRUE(recording->steps[1].failed);
  ASSERT_EQ(recording->steps[1].diagnostics.size(), 1u);
  EXPECT_EQ(recording->steps[1].diagnostics[0].message, "crashed");
}

TEST(Schedule, SaysWhatIsNoSchedule) {
  Input input;
  TemporaryFile empty("module {}");
  auto recording = recordSchedule(input, empty.path());
  ASSERT_FALSE(bool(recording));
  EXPECT_NE(takeFailure(recording.takeError()).message.find("@__transform_main"), std::string::npos);

  TemporaryFile wrongName(R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !transform.any_op) { transform.yield }
  transform.named_sequence @other(%root: !transform.any_op) { transform.yield }
})mlir");
  recording = recordSchedule(input, wrongName.path());
  ASSERT_FALSE(bool(recording));
  EXPECT_NE(takeFailure(recording.takeError()).message.find("to begin: @main, @other"), std::string::npos);

  recording = recordSchedule(input, "/no/such/schedule.mlir");
  ASSERT_FALSE(bool(recording));
  llvm::consumeError(recording.takeError());

  TemporaryFile broken("transform.named_sequence @x(");
  recording = recordSchedule(input, broken.path());
  ASSERT_FALSE(bool(recording));
  EXPECT_FALSE(takeFailure(recording.takeError()).diagnostics.empty());
}

} // namespace
} // namespace fuselage::test
