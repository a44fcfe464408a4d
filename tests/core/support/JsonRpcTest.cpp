#include "core/support/rpc/JsonRpc.h"
#include "gtest/gtest.h"

namespace fuselage {
namespace {

/// "-32600: why" of a text that is none, else what is in the message.
std::string read(llvm::StringRef text) {
  RpcProblem problem;
  std::optional<RpcMessage> message = readRpcMessage(text, problem);
  if (!message)
    return std::to_string(problem.code) + ": " + problem.message;
  return message->method.value_or("no method") + (message->id ? ", id" : ", no id") +
         (message->isAnswer ? ", answer" : "");
}

TEST(JsonRpc, WhatIsAMessage) {
  EXPECT_EQ(read(R"({"id": 1, "method": "m", "params": {}})"), "m, id");
  EXPECT_EQ(read(R"({"id": "a", "method": "m"})"), "m, id");
  EXPECT_EQ(read(R"({"method": "m"})"), "m, no id");
  EXPECT_EQ(read(R"({"id": 1})"), "no method, id");
  EXPECT_EQ(read(R"({"id": 1, "result": null})"), "no method, id, answer");
  EXPECT_EQ(read(R"({"id": null, "error": {}})"), "no method, no id, answer");
}

TEST(JsonRpc, WhatIsNone) {
  EXPECT_EQ(read("[]"), "-32600: a message is an object");
  EXPECT_EQ(read(R"({"id": null, "method": "m"})"), "-32600: an id is a number or a string");
  EXPECT_EQ(read(R"({"id": 1e999, "method": "m"})"), "-32600: an id is a number or a string");
  EXPECT_EQ(read(R"({"id": [1], "method": "m"})"), "-32600: an id is a number or a string");
  EXPECT_EQ(read(std::string(101, '[')), "-32700: the message nests too deeply");
  EXPECT_EQ(read("{").substr(0, 6), "-32700");
}

} // namespace
} // namespace fuselage
