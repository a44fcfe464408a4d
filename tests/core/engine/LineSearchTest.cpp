// Searching with patterns that make a backtracking matcher run for ages.
#include "core/engine/LineSearch.h"
#include "core/support/LargeStack.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace fuselage {
namespace {

/// "at+length" of every match, or the failure's text.
std::string search(llvm::StringRef pattern, llvm::StringRef line, uint64_t steps = 1'000'000,
                   const std::atomic<bool> *cancelled = nullptr) {
  auto search = LineSearch::create(pattern, cancelled, steps);
  if (!search)
    return toString(search.takeError());
  std::string matches;
  llvm::Error error = llvm::Error::success();
  runOnLargeStack([&] {
    error = search->forEachMatch(line, [&](unsigned begin, unsigned length) {
      matches += std::to_string(begin) + '+' + std::to_string(length) + ' ';
    });
  });
  return error ? toString(std::move(error)) : matches;
}

TEST(LineSearch, FindsTextAndExpressions) {
  EXPECT_EQ(search("ab", "abcab"), "0+2 3+2 ");
  EXPECT_EQ(search("a.", "abcab"), "0+2 3+2 ");
  EXPECT_EQ(search("x*", "abxxc"), "2+2 ");
  EXPECT_EQ(search("b$", "abcab"), "4+1 ");
  EXPECT_EQ(search("q.", "abcab"), "");
  EXPECT_NE(search("(", "a").find("no regular expression"), std::string::npos);
  EXPECT_NE(search("", "a").find("empty"), std::string::npos);
}

TEST(LineSearch, GivesUpOnExponentialPatterns) {
  std::string line(100, 'a');
  for (const char *pattern : {"(a*)*b", "(a|a)*b", "(.*)*x", "(a+)+b"})
    EXPECT_NE(search(pattern, line).find("takes too long"), std::string::npos) << pattern;
  EXPECT_EQ(search("(|)*b", line), "");
}

TEST(LineSearch, RefusesHugePatterns) {
  EXPECT_NE(search("((a{1000}){1000}){1000}", "a").find("no regular expression"), std::string::npos);
  EXPECT_NE(search(std::string(100000, '('), "a").find("may have"), std::string::npos);
}

TEST(LineSearch, CanBeCancelledInsideOfALine) {
  std::atomic<bool> cancelled = false;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancelled = true;
  });
  std::string result = search("(a*)*b", std::string(1000, 'a'), UINT64_MAX, &cancelled);
  canceller.join();
  EXPECT_NE(result.find("cancelled"), std::string::npos) << result;
}

} // namespace
} // namespace fuselage
