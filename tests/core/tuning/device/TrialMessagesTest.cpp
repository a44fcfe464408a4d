#include "core/tuning/device/TrialMessages.h"
#include "core/ir/Session.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/runtime/device/DeviceInfo.h"
#include "core/tuning/device/TrialMaker.h"
#include "gtest/gtest.h"
#include <limits>

using namespace fuselage;
using namespace fuselage::tune;

namespace {

std::optional<Measurement> decoded(std::vector<double> us, std::vector<double> baseline, bool hasBaseline,
                                   TrialStatus status = TrialStatus::Ok) {
  bool isSpent = false;
  llvm::json::Object result{{"status", nameOf(status)},
                            {"why", "a\x1b[2Jb\nc"},
                            {"kernel", "k"},
                            {"us", llvm::json::Array(us)},
                            {"baseline_us", llvm::json::Array(baseline)}};
  return decodeMeasurement(result, hasBaseline, isSpent);
}

TEST(TrialMessages, TakesTimesOnly) {
  auto good = decoded({1, 2}, {3, 4}, true);
  ASSERT_TRUE(good);
  EXPECT_EQ(good->microseconds, (std::vector<double>{1, 2}));
  EXPECT_EQ(good->why, "a?[2Jb\nc");
  EXPECT_TRUE(decoded({1, 2}, {}, false));
  EXPECT_TRUE(decoded({}, {}, true, TrialStatus::Failed));
  EXPECT_FALSE(decoded({}, {}, true)) << "it ran, and took no time";
  EXPECT_FALSE(decoded({1, 2}, {3}, true)) << "launches go in turns";
  EXPECT_FALSE(decoded({0, 1}, {1, 1}, true));
  EXPECT_FALSE(decoded({1, 1}, {1, -1}, true));
  EXPECT_FALSE(decoded({1, 1}, {1, std::numeric_limits<double>::infinity()}, true));
  EXPECT_FALSE(decoded(std::vector<double>(1'000'001, 1), {}, false));
}

TEST(TrialMessages, RefusesDevicesThatWriteToTheTerminal) {
  DeviceInfo device = hostDevice();
  EXPECT_EQ(llvm::cantFail(decodeDevice(message::encode(deviceMessage(device)))).name, device.name);
  device.name = "One\ntransform.sequence";
  auto refused = decodeDevice(message::encode(deviceMessage(device)));
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(takeFailure(refused.takeError()).message.find("control characters"), std::string::npos);
}

TEST(TrialMessages, RefusesModelsThatNestTooDeeply) {
  llvm::json::Object answer = message::encode(deviceMessage(hostDevice()));
  answer["model"] = std::string(100'000, '[');
  auto refused = decodeDevice(answer);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(takeFailure(refused.takeError()).message.find("nested too deeply"), std::string::npos);
}

TEST(TrialMaker, EndsWhoSendsWhatNobodyAskedFor) {
  Session session(allDialects());
  auto maker = llvm::cantFail(
      TrialMaker::command(R"(sh -c 'while printf "Content-Length: 14\r\n\r\n{\"method\":\"x\"}"; do :; done')", "1"));
  TuneSubject subject{.session = session, .payload = {}, .schedule = ""};
  llvm::cantFail(maker->open(subject, /*seconds=*/0.5, /*greeting=*/0.5));
  std::atomic<bool> cancelled = false;
  TrialMaker::Event event = llvm::cantFail(maker->wait(cancelled));
  EXPECT_EQ(event.kind, TrialMaker::Event::Kind::Refused);
  EXPECT_NE(event.why.find("took longer"), std::string::npos) << event.why;
}

} // namespace
