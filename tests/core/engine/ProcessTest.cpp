// The process after the protocol: broken frames, cancelling, crashing passes, the end.
#include "core/engine/LruCache.h"
#include "core/engine/RequestQueue.h"
#include "tests/core/engine/EngineProcess.h"
#include <csignal>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Object;

const std::string softmax = std::string(FUSELAGE_SOURCE_DIR) + "/samples/softmax.mlir";

std::string frame(llvm::StringRef body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body.str();
}

int64_t errorCode(EngineProcess &engine) {
  std::optional<llvm::json::Value> message = engine.read();
  if (!message || !message->getAsObject() || !message->getAsObject()->getObject("error"))
    return 0;
  return message->getAsObject()->getObject("error")->getInteger("code").value_or(0);
}

TEST(Process, EndsWithItsInput) {
  EngineProcess engine;
  engine.closeInput();
  EXPECT_EQ(engine.wait(), 0);
}

TEST(Process, AnswersWhatWasAskedBeforeTheEnd) {
  EngineProcess engine;
  int64_t id = engine.request("document/open", Object{{"path", softmax}});
  engine.closeInput();
  EXPECT_TRUE(engine.replyTo(id).getObject("result"));
  EXPECT_EQ(engine.wait(), 0);
}

TEST(Process, EndsAtShutdown) {
  EngineProcess engine;
  engine.call("shutdown");
  EXPECT_EQ(engine.wait(), 0);
}

TEST(Process, BadMessagesAreAnsweredAndSurvived) {
  EngineProcess engine;
  engine.sendRaw(frame("this is no json"));
  EXPECT_EQ(errorCode(engine), -32700);
  engine.sendRaw(frame(""));
  EXPECT_EQ(errorCode(engine), -32700);
  engine.sendRaw(frame("[1, 2]"));
  EXPECT_EQ(errorCode(engine), -32600);
  engine.sendRaw(frame("{\"id\": 1}"));
  EXPECT_EQ(errorCode(engine), -32600);
  engine.sendRaw(frame("{\"id\": [1], \"method\": \"initialize\"}"));
  EXPECT_EQ(errorCode(engine), -32600);
  engine.sendRaw(frame(std::string(1 << 20, '[')));
  EXPECT_EQ(errorCode(engine), -32700);
  engine.sendRaw(frame("{\"id\": 9, \"method\": \"devices/list\", \"params\": 3}"));
  EXPECT_EQ(errorCode(engine), -32602);
  engine.notify("no/such/notification");
  engine.sendRaw("content-length:  2 \r\nContent-Type: text\r\n\r\n{}");
  engine.call("initialize", Object{{"version", 1}});
}

TEST(Process, BrokenFramesEndIt) {
  for (const char *bytes :
       {"Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: -1\r\n\r\n{}",
        "Content-Length: 4000000000\r\n\r\n{}", "Content-Length: x\r\n\r\n{}", "Hello: 1\r\n\r\n"}) {
    EngineProcess engine;
    engine.sendRaw(bytes);
    EXPECT_EQ(errorCode(engine), -32700) << bytes;
    EXPECT_EQ(engine.wait(), 0) << bytes;
  }
  EngineProcess endless;
  endless.sendRaw(std::string(1 << 20, 'x'));
  EXPECT_EQ(errorCode(endless), -32700);
  EXPECT_EQ(endless.wait(), 0);
  EngineProcess cut;
  cut.sendRaw("Content-Length: 100\r\n\r\n{\"id\"");
  cut.closeInput();
  EXPECT_EQ(errorCode(cut), -32700);
  EXPECT_EQ(cut.wait(), 0);
}

TEST(Process, StdoutBelongsToTheProtocol) {
  EngineProcess engine(/*testPasses=*/true);
  engine.call("document/open", Object{{"path", softmax}});
  Object recording = engine.call("pipeline/record", Object{{"pipeline", "fuselage-test-print,cse"}});
  EXPECT_EQ(recording.getArray("steps")->size(), 2u);
  engine.call("shutdown");
  EXPECT_FALSE(engine.read().has_value());
}

TEST(Process, ACrashIsNamedByTheLastStepStarted) {
  EngineProcess engine(/*testPasses=*/true);
  engine.call("document/open", Object{{"path", softmax}});
  engine.request("pipeline/record", Object{{"pipeline", "cse,fuselage-test-crash"}});
  std::string last;
  while (auto message = engine.read())
    if (message->getAsObject()->getString("method") == "step/started")
      last = message->getAsObject()->getObject("params")->getString("name")->str();
  EXPECT_EQ(last, "fuselage-test-crash");
  EXPECT_EQ(engine.wait(), -SIGSEGV);
}

TEST(Process, AHangingPassDiesWithItsClient) {
  auto engine = std::make_unique<EngineProcess>(/*testPasses=*/true);
  engine->call("document/open", Object{{"path", softmax}});
  engine->request("pipeline/record", Object{{"pipeline", "fuselage-test-hang"}});
  EXPECT_EQ(engine->read()->getAsObject()->getString("method"), "step/started");
  engine->abandon();
  EXPECT_EQ(engine->wait(), 1);
}

TEST(Process, TestPassesAreHidden) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", softmax}});
  engine.callError("pipeline/record", Object{{"pipeline", "fuselage-test-crash"}});
}

TEST(Process, EarlierRequestsWithTheTagAreSuperseded) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", softmax}});
  // The recording keeps the worker busy while the scenes queue up.
  int64_t busy = engine.request("pipeline/record");
  std::vector<int64_t> ids;
  for (int i = 0; i < 20; ++i)
    ids.push_back(engine.request("graph/scene", Object{{"snapshot", 0}, {"tag", "scene"}}));
  unsigned answered = 0, superseded = 0;
  bool lastAnswered = false;
  for (size_t left = ids.size() + 1; left > 0;) {
    std::optional<llvm::json::Value> message = engine.read();
    ASSERT_TRUE(message.has_value());
    const Object &object = *message->getAsObject();
    if (!object.get("id"))
      continue;
    --left;
    if (object.getInteger("id") == busy)
      continue;
    if (const Object *error = object.getObject("error")) {
      EXPECT_EQ(error->getInteger("code"), -32800);
      ++superseded;
    } else {
      ++answered;
      lastAnswered |= object.getInteger("id") == ids.back();
    }
  }
  EXPECT_TRUE(lastAnswered);
  EXPECT_EQ(answered + superseded, ids.size());
  EXPECT_GE(superseded, 1u);
}

TEST(RequestQueue, SupersedesByMethodAndTag) {
  std::atomic<bool> cancelled = false;
  RequestQueue queue(cancelled);
  auto request = [](int id, std::string method, std::string tag) {
    return Request{.id = id, .method = method, .params = nullptr, .tag = tag, .isAhead = false};
  };
  EXPECT_TRUE(queue.push(request(1, "a", "t")).empty());
  EXPECT_TRUE(queue.push(request(2, "b", "t")).empty());
  EXPECT_TRUE(queue.push(request(3, "a", "")).empty());
  std::vector<Request> superseded = queue.push(request(4, "a", "t"));
  ASSERT_EQ(superseded.size(), 1u);
  EXPECT_EQ(superseded[0].id, llvm::json::Value(1));
  EXPECT_EQ(queue.pop()->id, llvm::json::Value(2));
  queue.done();
  EXPECT_EQ(queue.pop()->id, llvm::json::Value(3));
  queue.done();
  EXPECT_EQ(queue.pop()->id, llvm::json::Value(4));
  EXPECT_FALSE(cancelled);
  queue.push(request(5, "a", "t"));
  EXPECT_TRUE(cancelled);
  queue.done();
  EXPECT_TRUE(queue.pop().has_value());
  EXPECT_FALSE(cancelled);
  EXPECT_FALSE(queue.cancel(5).has_value());
  EXPECT_TRUE(cancelled);
  queue.done();
  queue.push(request(6, "a", ""));
  EXPECT_TRUE(queue.cancel(6).has_value());
  queue.close();
  EXPECT_FALSE(queue.pop().has_value());
}

TEST(RequestQueue, WhatIsAskedAheadRunsWhenNothingElseWaits) {
  std::atomic<bool> cancelled = false;
  RequestQueue queue(cancelled);
  for (int id : {1, 2, 3, 4})
    queue.push(Request{.id = id, .method = "a", .params = nullptr, .tag = "", .isAhead = id < 4});
  EXPECT_FALSE(queue.idle());
  queue.hasten(3);
  queue.hasten(7); // nobody's
  for (int id : {4, 3, 1}) {
    EXPECT_EQ(queue.pop()->id, llvm::json::Value(id));
    queue.done();
  }
  EXPECT_TRUE(queue.cancel(2).has_value());
  EXPECT_TRUE(queue.idle());
  queue.close();
  EXPECT_FALSE(queue.pop().has_value());
}

TEST(RequestQueue, CancelComesTooLateForARequestThatIsOver) {
  std::atomic<bool> cancelled = false;
  RequestQueue queue(cancelled);
  for (int id : {1, 2})
    queue.push(Request{.id = id, .method = "a", .params = nullptr, .tag = "", .isAhead = false});
  EXPECT_EQ(queue.pop()->id, llvm::json::Value(1));
  queue.done();
  EXPECT_EQ(queue.pop()->id, llvm::json::Value(2));
  EXPECT_FALSE(queue.cancel(1).has_value());
  EXPECT_FALSE(cancelled);
  EXPECT_FALSE(queue.cancel(2).has_value());
  EXPECT_TRUE(cancelled);
}

TEST(LruCache, ForgetsTheOldest) {
  LruCache<int, int> cache(10);
  cache.insert(1, std::make_shared<int>(1), 4);
  cache.insert(2, std::make_shared<int>(2), 4);
  EXPECT_TRUE(cache.find(1));
  cache.insert(3, std::make_shared<int>(3), 4);
  EXPECT_TRUE(cache.find(1));
  EXPECT_FALSE(cache.find(2));
  cache.insert(4, std::make_shared<int>(4), 100);
  EXPECT_TRUE(cache.find(4));
  EXPECT_FALSE(cache.find(1));
}

} // namespace
} // namespace fuselage::test
