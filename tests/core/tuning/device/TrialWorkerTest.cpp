#include "core/tuning/device/TrialWorker.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

using namespace fuselage;
using namespace fuselage::tune;
using End = TrialWorker::Answer::End;

namespace {

/// What it is asked for, it does.
Serve obedient() {
  return [count = 0](const std::string &request) mutable -> std::string {
    if (request == "crash")
      raise(SIGSEGV);
    if (request == "leave")
      _exit(7);
    if (request == "hang")
      for (;;)
        pause();
    if (request == "long")
      return std::string(1'000'000, 'x');
    return request + " " + std::to_string(++count);
  };
}

TrialWorker::Answer ask(TrialWorker &worker, const std::string &request, double seconds = 20,
                        const std::atomic<bool> *cancelled = nullptr) {
  auto answer = worker.ask(request, seconds, cancelled);
  if (!answer) {
    ADD_FAILURE() << takeFailure(answer.takeError()).message;
    return {};
  }
  return *answer;
}

TEST(TrialWorker, KeepsItsStateBetweenRequests) {
  TrialWorker worker(obedient);
  EXPECT_EQ(ask(worker, "a").text, "a 1");
  EXPECT_EQ(ask(worker, "b").text, "b 2");
  EXPECT_EQ(ask(worker, "long").text.size(), 1'000'000u);
  EXPECT_EQ(ask(worker, std::string(1'000'000, 'y')).text.size(), 1'000'002u);
  EXPECT_EQ(worker.starts(), 1u);
}

TEST(TrialWorker, StartsAgainBehindACrash) {
  TrialWorker worker(obedient);
  EXPECT_EQ(ask(worker, "a").text, "a 1");
  TrialWorker::Answer died = ask(worker, "crash");
  EXPECT_EQ(died.end, End::Died);
  EXPECT_NE(died.text.find("signal 11"), std::string::npos) << died.text;
  EXPECT_EQ(ask(worker, "b").text, "b 1");
  TrialWorker::Answer left = ask(worker, "leave");
  EXPECT_EQ(left.end, End::Died);
  EXPECT_NE(left.text.find("code 7"), std::string::npos) << left.text;
  EXPECT_EQ(ask(worker, "c").text, "c 1");
  EXPECT_EQ(worker.starts(), 3u);
}

TEST(TrialWorker, EndsWhatHangs) {
  TrialWorker worker(obedient);
  EXPECT_EQ(ask(worker, "hang", 0.3).end, End::Hung);
  EXPECT_EQ(ask(worker, "a").text, "a 1");
}

TEST(TrialWorker, EndsWhenCancelled) {
  TrialWorker worker(obedient);
  std::atomic<bool> cancelled = true;
  EXPECT_EQ(ask(worker, "hang", 100, &cancelled).end, End::Cancelled);
}

TEST(TrialWorker, RunsACommand) {
  TrialWorker echo(std::vector<std::string>{"cat"});
  EXPECT_EQ(ask(echo, "a").text, "a");
  std::string large(3'000'000, 'x'); // more than pipes hold
  EXPECT_EQ(ask(echo, large).text, large);
  EXPECT_EQ(echo.starts(), 1u);
  echo.stop();
  EXPECT_EQ(ask(echo, "b").text, "b");
}

TEST(TrialWorker, KnowsHowACommandEnds) {
  TrialWorker ends(std::vector<std::string>{"true"}), fails(std::vector<std::string>{"false"}),
      hangs(std::vector<std::string>{"sleep", "100"}), chats(std::vector<std::string>{"echo", "Have a nice day\n"});
  EXPECT_EQ(ask(ends, "a").text, "ended with code 0");
  EXPECT_EQ(ask(fails, "a").text, "ended with code 1");
  TrialWorker::Answer hung = ask(hangs, "a", 0.3);
  EXPECT_EQ(hung.end, End::Hung);
  EXPECT_FALSE(hangs.isRunning());
  TrialWorker::Answer nonsense = ask(chats, "a");
  EXPECT_EQ(nonsense.end, End::Died);
  std::atomic<bool> cancelled = true;
  EXPECT_EQ(ask(hangs, "a", 100, &cancelled).end, End::Cancelled);
}

/// Whether there is such a process, and it did not end.
bool isAlive(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  size_t name = text.rfind(')');
  return name != std::string::npos && text.substr(name, 3) != ") Z";
}

TEST(TrialWorker, WhatACommandStartsEndsWithIt) {
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  bool isInForeground = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
  if (terminal >= 0)
    close(terminal);
  if (isInForeground)
    GTEST_SKIP()
        << "in the foreground of a terminal, where ssh may ask for a password, commands have no group of their own";
  std::string path = testing::TempDir() + "/child-" + std::to_string(getpid());
  TrialWorker worker({"sh", "-c", "sleep 1000 & echo $! > " + path + "; wait"});
  ASSERT_FALSE(bool(worker.send("x", 600)));
  int child = 0;
  for (; child == 0; usleep(10'000))
    std::ifstream(path) >> child;
  EXPECT_TRUE(isAlive(child));
  worker.stop();
  for (unsigned waits = 0; isAlive(child) && waits < 1000; ++waits) // whoever adopted it may take a moment
    usleep(10'000);
  EXPECT_FALSE(isAlive(child));
}

} // namespace
