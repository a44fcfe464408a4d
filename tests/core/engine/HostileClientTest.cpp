// A client that sends what no client should: every method with parameters of every kind, in any order,
// cancelled in the middle. Each request has one reply, and the engine lives.
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <gtest/gtest.h>
#include <set>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

const std::string softmax = std::string(FUSELAGE_SOURCE_DIR) + "/samples/softmax.mlir";

/// Methods of PROTOCOL.md that neither run kernels nor end the engine.
const std::vector<std::string> methods = {"initialize",      "document/open",
                                          "pipeline/list",   "pipeline/record",
                                          "text/lines",      "text/find",
                                          "text/opAt",       "text/uses",
                                          "text/source",     "text/sourceFind",
                                          "text/sourceUses", "text/opFrom",
                                          "text/sourceOf",   "graph/scene",
                                          "graph/export",    "op/details",
                                          "step/diff",       "step/graphDiff",
                                          "step/export",     "step/reproducer",
                                          "no/such",         "",
                                          "$/cancel",        "devices/list"};

const std::vector<std::string> names = {"snapshot", "first",     "count",    "line",     "column",   "id",   "step",
                                        "level",    "tag",       "format",   "pipeline", "schedule", "path", "pattern",
                                        "function", "collapsed", "expanded", "limit",    "layout"};

/// A stream of small numbers, the same in each run.
class Dice {
public:
  size_t roll(size_t sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % sides;
  }

private:
  uint64_t state_ = 42;
};

Value anyValue(Dice &dice) {
  switch (dice.roll(14)) {
  case 0:
    return nullptr;
  case 1:
    return true;
  case 2:
    return -1;
  case 3:
    return INT64_MAX;
  case 4:
    return INT64_MIN;
  case 5:
    return 1e300;
  case 6:
    return 0.5;
  case 7:
    return "";
  case 8:
    return std::string(10'000, '(');
  case 9:
    return "/dev/null";
  case 10:
    return Array{1, "x", nullptr, Array{}};
  case 11:
    return Object{{"x", 1}};
  case 12:
    return "\xc3\xa9 \xf0\x9f\x98\x80";
  default:
    return int64_t(dice.roll(4));
  }
}

Value anyParams(Dice &dice) {
  if (dice.roll(10) == 0)
    return anyValue(dice);
  Object params{{"snapshot", 0}, {"first", 0}, {"count", 1}, {"step", 0}, {"id", 1}};
  for (size_t i = dice.roll(4); i > 0; --i)
    params[names[dice.roll(names.size())]] = anyValue(dice);
  // Files are written where the tests say, not where the dice do.
  if (const Value *path = params.get("path"); path && path->getAsString() != "/dev/null")
    params["path"] = "/nonexistent/x";
  return params;
}

TEST(HostileClient, EveryRequestIsAnsweredOnce) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", softmax}});
  Dice dice;
  for (int round = 0; round < 10; ++round) {
    std::set<int64_t> waiting;
    for (int i = 0; i < 40; ++i) {
      waiting.insert(engine.request(methods[dice.roll(methods.size())], anyParams(dice)));
      if (dice.roll(5) == 0)
        engine.notify("$/cancel", anyParams(dice));
    }
    while (!waiting.empty()) {
      std::optional<Value> message = engine.read();
      ASSERT_TRUE(message.has_value()) << waiting.size() << " requests without an answer";
      const Object &reply = *message->getAsObject();
      if (std::optional<int64_t> id = reply.getInteger("id")) {
        EXPECT_EQ(waiting.erase(*id), 1u);
        EXPECT_NE(reply.get("result") != nullptr, reply.get("error") != nullptr);
      }
    }
  }
  engine.call("document/open", Object{{"path", softmax}});
  engine.call("text/lines", Object{{"snapshot", 0}, {"first", 0}, {"count", 5}});
}

TEST(HostileClient, MessagesOfAllShapes) {
  EngineProcess engine;
  const std::vector<std::string> bodies = {"null",
                                           "3",
                                           "\"x\"",
                                           "[]",
                                           "{}",
                                           "{\"method\": 3}",
                                           "{\"id\": null, \"method\": \"initialize\"}",
                                           "{\"id\": 1.5, \"method\": \"no/such\"}",
                                           "{\"id\": \"\\ud800\", \"method\": \"no/such\"}",
                                           "{\"id\": 901, \"method\": \"\\u0000\"}",
                                           "{\"id\": 1e400, \"method\": \"no/such\"}",
                                           "{\"id\": 901, \"id\": 902, \"method\": \"no/such\"}",
                                           "{\"id\": 901, \"method\": \"no/such\"",
                                           "{\"id\": 99999999999999999999999, \"method\": \"no/such\"}",
                                           "\xff\xfe",
                                           std::string(3, '\0'),
                                           "{\"id\": 901, \"method\": \"no/such\", \"params\": {\"tag\": [1]}}",
                                           "{\"method\": \"$/cancel\", \"params\": {\"id\": {\"x\": 1}}}",
                                           "{\"id\": 901, \"result\": {}}",
                                           "{\"id\": 901, \"error\": 3}"};
  for (const std::string &body : bodies)
    engine.sendRaw("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  int64_t last = engine.request("pipeline/list");
  EXPECT_TRUE(engine.replyTo(last).get("result"));
}

TEST(HostileClient, FramesInPiecesAndInOnePiece) {
  EngineProcess engine;
  std::string body = "{\"id\": 7, \"method\": \"initialize\", \"params\": {\"version\": 1}}";
  std::string frame = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (char byte : frame)
    engine.sendRaw(llvm::StringRef(&byte, 1));
  EXPECT_TRUE(engine.replyTo(7).get("result"));
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += frame;
  engine.sendRaw(many);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(engine.replyTo(7).get("result"));
}

TEST(HostileClient, GiantFramesAreRefusedBeforeTheyArrive) {
  for (const char *length : {"268435457", "18446744073709551615", "18446744073709551616", "0x10", "1 2", ""}) {
    EngineProcess engine;
    engine.sendRaw("Content-Length: " + std::string(length) + "\r\n\r\n");
    std::optional<Value> message = engine.read();
    ASSERT_TRUE(message && message->getAsObject()->getObject("error")) << length;
    EXPECT_EQ(engine.wait(), 0) << length;
  }
}

TEST(HostileClient, AClientThatLeavesInTheMiddle) {
  for (const char *method : {"pipeline/record", "document/open", "graph/scene", "text/find"}) {
    EngineProcess engine;
    engine.call("document/open", Object{{"path", softmax}});
    engine.request(method, Object{{"path", softmax}, {"snapshot", 0}, {"pattern", "a.*b"}});
    engine.abandon();
    std::optional<int> status = engine.wait();
    ASSERT_TRUE(status.has_value()) << method;
    EXPECT_TRUE(*status == 0 || *status == 1) << method << ' ' << *status;
  }
}

TEST(HostileClient, ASearchThatWouldTakeForeverIsCancelled) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", softmax}});
  int64_t search = engine.request("text/find", Object{{"snapshot", 0}, {"pattern", "((.*)*)*\\u0001"}});
  engine.notify("$/cancel", Object{{"id", search}});
  EXPECT_EQ(engine.replyTo(search).getObject("error")->getInteger("code"), -32800);
  engine.call("text/find", Object{{"snapshot", 0}, {"pattern", "linalg"}});
}

} // namespace
} // namespace fuselage::test
