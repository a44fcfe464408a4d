#include "core/runtime/host/HostThreads.h"
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace fuselage;

namespace {

struct Counters {
  std::vector<std::atomic<int>> done;
  std::atomic<int> calls = 0;
};

void count(int64_t begin, int64_t end, void *context) {
  auto *counters = static_cast<Counters *>(context);
  ++counters->calls;
  for (int64_t task = begin; task < end; ++task)
    ++counters->done[task];
}

} // namespace

TEST(HostThreads, EachTaskIsDoneOnceInEachRound) {
  std::atomic<int> started = 0;
  HostThreads threads(4, [&] { ++started; });
  for (int64_t tasks : {1, 7, 64, 1000}) {
    HostThreads::Awake awake(&threads);
    Counters counters{std::vector<std::atomic<int>>(tasks)};
    for (int round = 1; round <= 50; ++round) {
      threads.run(count, &counters, tasks, 3);
      for (const std::atomic<int> &done : counters.done)
        ASSERT_EQ(done, round);
    }
  }
  EXPECT_EQ(started, 3) << "the caller is one of them";
}

TEST(HostThreads, OneThreadTakesAllAtOnce) {
  HostThreads threads(1, [] { FAIL() << "nobody else starts"; });
  HostThreads::Awake awake(&threads);
  Counters counters{std::vector<std::atomic<int>>(10)};
  threads.run(count, &counters, 10, 1);
  EXPECT_EQ(counters.calls, 1);
}

TEST(HostThreads, SleepingOnesCanBeWokenOrEnded) {
  for (int i = 0; i < 20; ++i) {
    HostThreads threads(3, [] {});
    Counters counters{std::vector<std::atomic<int>>(10)};
    for (int turn = 0; turn < i % 3; ++turn) {
      HostThreads::Awake awake(&threads);
      threads.run(count, &counters, 10, 1);
    }
    EXPECT_EQ(counters.done[9], i % 3);
  }
}
