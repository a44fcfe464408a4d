// What a run says on its way, and what a cancelled one keeps.
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "core/run/RunProgram.h"
#include "core/run/progress/RunMonitor.h"
#include "core/run/values/InputValue.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

/// Three dispatches, the first and the last of which are equal.
static const char *three = R"(
  func.func @three(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    %0 = flow.dispatch.region -> (tensor<16xf32>) {
      %s = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      flow.return %s : tensor<16xf32>
    }
    %1 = flow.dispatch.region -> (tensor<16xf32>) {
      %s = linalg.abs ins(%0 : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      flow.return %s : tensor<16xf32>
    }
    %2 = flow.dispatch.region -> (tensor<16xf32>) {
      %s = linalg.exp ins(%1 : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      flow.return %s : tensor<16xf32>
    }
    return %2 : tensor<16xf32>
  })";

namespace {

class RunProgressTest : public ::testing::Test {
protected:
  RunProgressTest() {
    options.repeat = 3;
    options.cancelled = &cancelled;
    options.keepsFinished = true;
  }
  /// Cancels as soon as so many dispatches have finished.
  void cancelAfter(unsigned dispatches) {
    options.progress = [this, dispatches](const RunProgress &progress) {
      if (progress.dispatchesDone == dispatches && progress.dispatches != 0)
        cancelled = true;
    };
  }
  llvm::Expected<RunReport> run() {
    module = parse(session, three);
    return runModule(session, *module, options);
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::atomic<bool> cancelled = false;
  RunOptions options;
};

} // namespace

TEST_F(RunProgressTest, RowsComeAsDispatchesFinish) {
  std::vector<KernelReport> rows;
  std::vector<size_t> rowsAt; // after each dispatch
  std::vector<message::RunPhase> phases;
  std::array<double, message::runPhaseCount> last{};
  options.progress = [&](const RunProgress &progress) {
    EXPECT_LE(progress.done, progress.total);
    if (phases.empty() || phases.back() != progress.phase)
      phases.push_back(progress.phase);
    for (size_t phase = 0; phase < last.size(); ++phase)
      EXPECT_GE(progress.phaseMs[phase], last[phase]);
    last = progress.phaseMs;
    if (progress.rows.empty())
      return;
    ASSERT_LE(progress.firstRow, rows.size());
    rows.resize(progress.firstRow);
    rows.insert(rows.end(), progress.rows.begin(), progress.rows.end());
    if (progress.phase == message::RunPhase::Run) {
      EXPECT_EQ(progress.dispatches, 3u);
      EXPECT_EQ(progress.rows.back().check.verdict, CheckVerdict::Unchecked);
      rowsAt.push_back(rows.size());
    }
  };
  RunReport report = valueOf(run());
  EXPECT_FALSE(report.cancelled);
  EXPECT_EQ(rowsAt, (std::vector<size_t>{1, 2, 3}));
  ASSERT_EQ(rows.size(), report.kernels.size());
  for (auto [row, kernel] : llvm::zip_equal(rows, report.kernels)) {
    EXPECT_EQ(row.dispatch, kernel.dispatch);
    EXPECT_EQ(row.medianUs, kernel.medianUs);
    EXPECT_EQ(row.check.verdict, CheckVerdict::Ok); // told again when they were compared
  }
  using message::RunPhase;
  ASSERT_GE(phases.size(), 4u);
  EXPECT_EQ(phases[0], RunPhase::Read);
  EXPECT_EQ(phases[1], RunPhase::Compile);
  EXPECT_TRUE(llvm::is_contained(phases, RunPhase::Run) && llvm::is_contained(phases, RunPhase::Check));
}

TEST_F(RunProgressTest, ACancelKeepsWhatHasFinished) {
  cancelAfter(2);
  RunReport report = valueOf(run());
  ASSERT_TRUE(report.cancelled);
  EXPECT_EQ(report.cancelled->after, 2);
  EXPECT_EQ(report.cancelled->of, 3);
  EXPECT_EQ(report.kernels.size(), 2u);
  EXPECT_TRUE(report.outputs.empty());
  EXPECT_EQ(report.verdict, CheckVerdict::Unchecked);
  EXPECT_EQ(report.why, "cancelled after 2 of 3 dispatches");
  EXPECT_EQ(report.sumUs(), report.kernels[0].medianUs + report.kernels[1].medianUs);
  message::RunReport<> message = messageOf(report);
  ASSERT_TRUE(message.cancelled);
  EXPECT_EQ(message.cancelled->after, 2);
  EXPECT_EQ(message.kernels.size(), 2u);
}

TEST_F(RunProgressTest, ACancelWithoutRowsIsAFailure) {
  options.progress = [&](const RunProgress &progress) {
    cancelled = cancelled || progress.phase == message::RunPhase::Compile;
  };
  EXPECT_EQ(errorOf(run()), "cancelled");
}

TEST_F(RunProgressTest, WhoDoesNotAskForRowsGetsAFailure) {
  options.keepsFinished = false;
  cancelAfter(2);
  EXPECT_EQ(errorOf(run()), "cancelled");
}

TEST_F(RunProgressTest, ACancelEndsRandomInputsAndForming) {
  cancelled = true;
  module = parse(session, three);
  auto function = module->lookupSymbol<mlir::func::FuncOp>("three");
  EXPECT_EQ(errorOf(makeInputs(function, 1, {}, {}, &cancelled)), "cancelled");
  std::vector<Diagnostic> remarks;
  EXPECT_EQ(errorOf(formRunProgram(mlir::OwningOpRef<mlir::ModuleOp>(module->clone()), "three", remarks, &cancelled)),
            "cancelled");
  cancelled = false; // nothing of it stays
  EXPECT_EQ(valueOf(formRunProgram(std::move(module), "three", remarks, &cancelled)).dispatchCalls, 3u);
}

TEST(RunMonitor, EstimatesByWhatHasFinished) {
  double left = 0;
  RunMonitor::Told told = [&](const RunProgress &progress) { left = progress.leftMs; };
  RunMonitor monitor(told);
  monitor.enter(message::RunPhase::Run);
  monitor.beginDispatches({0, 1, 0, 2});
  auto say = [&] {
    monitor.tell(0, "");
    return left;
  };
  EXPECT_LT(say(), 0); // nobody knows
  monitor.finishDispatch(0);
  EXPECT_LT(say(), 0); // one says nothing about others
  monitor.finishDispatch(1);
  EXPECT_GE(say(), 0);
  monitor.finishDispatch(0);
  monitor.finishDispatch(2);
  EXPECT_EQ(say(), 0);
  monitor.repeatDispatch();
  EXPECT_LT(say(), 0); // a loop may go round often
  monitor.enter(message::RunPhase::Check);
  EXPECT_LT(say(), 0);
}

TEST(RunMonitor, EqualDispatchesAreKnownAfterOne) {
  double left = -1;
  RunMonitor::Told told = [&](const RunProgress &progress) { left = progress.leftMs; };
  RunMonitor monitor(told);
  monitor.enter(message::RunPhase::Run);
  monitor.beginDispatches({4, 4, 4});
  monitor.finishDispatch(4);
  monitor.tell(0, "");
  EXPECT_GE(left, 0);
}
