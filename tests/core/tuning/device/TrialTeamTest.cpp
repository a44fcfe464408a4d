#include "core/tuning/device/TrialTeam.h"
#include "core/registration/Registration.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace fuselage;
using namespace fuselage::tune;

namespace {

/// A product on the host, with copies of this process that make trials.
class TrialTeamTest : public testing::Test {
protected:
  void SetUp() override {
    auto read = session.parse(R"mlir(
func.func @d(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
})mlir",
                              "d.mlir");
    ASSERT_TRUE(bool(read));
    module = std::move(*read);
    subject.payload = *module;
    subject.run.device = "host";
    subject.run.function = "d";
  }

  std::unique_ptr<TrialTeam> make(const TeamOptions &options) {
    auto team = TrialTeam::make(options);
    if (!team)
      ADD_FAILURE() << takeFailure(team.takeError()).message;
    return team ? std::move(*team) : nullptr;
  }

  /// With so many rows in registers.
  static TrialRequest request(const std::string &rows) {
    return {.point = {{"rows", rows}, {"vectors", "1"}, {"task_rows", "8"}}, .effort = {.rounds = 3, .seconds = 0.1}};
  }

  TrialTeam::Done wait(TrialTeam &team) {
    while (true) {
      auto done = team.wait();
      if (!done) {
        ADD_FAILURE() << takeFailure(done.takeError()).message;
        return {};
      }
      if (*done)
        return std::move(**done);
    }
  }

  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  TuneSubject subject{.session = session, .payload = {}, .schedule = ""};
};

TEST_F(TrialTeamTest, CompilesABatchAndMeasuresItWithNothingBeside) {
  std::vector<size_t> updated;
  auto team = make({.jobs = 2});
  ASSERT_TRUE(team);
  team->updateBy([&](size_t number, TrialRequest &) { updated.push_back(number); });
  auto device = team->open(subject, 60);
  ASSERT_TRUE(bool(device)) << takeFailure(device.takeError()).message;
  auto news = team->wait(); // the second copy is there, too
  ASSERT_TRUE(bool(news));
  ASSERT_FALSE(news->has_value());
  team->begin(0, request("1"));
  EXPECT_TRUE(team->hasIdle()) << "one compiles, another one could";
  team->begin(1, request("2"));
  EXPECT_FALSE(team->hasIdle());
  EXPECT_TRUE(updated.empty());
  for (size_t done = 1; done <= 2; ++done) {
    TrialTeam::Done next = wait(*team);
    EXPECT_EQ(next.measured.status, TrialStatus::Ok) << next.measured.why;
    EXPECT_GE(next.measured.microseconds.size(), 3u);
    EXPECT_EQ(updated.size(), done) << "each learns what is known right before it is measured";
    EXPECT_EQ(team->isBusy(), done < 2);
    EXPECT_EQ(team->hasIdle(), done == 2) << "nobody compiles while the other one waits to be measured";
  }
}

TEST_F(TrialTeamTest, WhatIsKnownByThenIsNotMeasuredAgain) {
  std::string known;
  auto team = make({.jobs = 2});
  ASSERT_TRUE(team);
  team->updateBy([&](size_t, TrialRequest &request) {
    if (!known.empty())
      request.known.insert(known);
  });
  auto device = team->open(subject, 60);
  ASSERT_TRUE(bool(device));
  team->begin(0, request("2"));
  team->begin(1, request("2")); // waits for a copy, or compiles beside
  TrialTeam::Done first = wait(*team);
  EXPECT_EQ(first.measured.status, TrialStatus::Ok);
  known = first.measured.kernel;
  EXPECT_EQ(wait(*team).measured.status, TrialStatus::Duplicate);
}

TEST_F(TrialTeamTest, WhatCannotBeCompiledIsSaidAndTheOthersGoOn) {
  auto team = make({.jobs = 2});
  ASSERT_TRUE(team);
  auto device = team->open(subject, 60);
  ASSERT_TRUE(bool(device));
  TrialRequest wrong = request("2");
  wrong.point["nothing"] = "3";
  team->begin(0, std::move(wrong));
  team->begin(1, request("2"));
  std::map<size_t, TrialStatus> ends;
  for (int i = 0; i < 2; ++i) {
    TrialTeam::Done done = wait(*team);
    ends[done.number] = done.measured.status;
  }
  EXPECT_EQ(ends[0], TrialStatus::Failed);
  EXPECT_EQ(ends[1], TrialStatus::Ok);
}

TEST_F(TrialTeamTest, WorkersThatAreDeafAreStoppedTogether) {
  std::string path = testing::TempDir() + "/deaf-" + std::to_string(getpid()) + "-";
  std::vector<std::string> workers;
  for (int i = 0; i < 4; ++i)
    workers.push_back("sh -c 'trap \"\" TERM; echo $$ > " + path + std::to_string(i) + "; while :; do sleep 1; done'");
  auto team = make({.workers = workers, .patience = 600});
  ASSERT_TRUE(team);
  std::atomic<bool> cancelled = false;
  subject.run.cancelled = &cancelled;
  auto processOf = [&](int i) {
    int process = 0;
    std::ifstream(path + std::to_string(i)) >> process;
    return process;
  };
  std::thread stopper([&] {
    while (processOf(0) == 0 || processOf(1) == 0 || processOf(2) == 0 || processOf(3) == 0)
      usleep(10'000);
    cancelled = true;
  });
  auto device = team->open(subject, 600); // deaf, they do not answer either
  ASSERT_FALSE(bool(device));
  EXPECT_EQ(takeFailure(device.takeError()).message, "cancelled");
  stopper.join();
  for (int i = 0; i < 4; ++i)
    EXPECT_NE(kill(processOf(i), 0), 0) << i;
}

} // namespace
