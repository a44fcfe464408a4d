// values/*, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// %sum is 2, -4, 1, 6, 0 and NaN.
constexpr const char *known = R"(
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<[[1.0, -2.0, 0.5], [3.0, 0.0, 0x7FC00000]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %sum = linalg.add ins(%c, %c : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = linalg.add ins(%sum, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
)";

/// The engine with that module, and the edge of %sum.
class ValueMethods : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    int file = -1;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("values", "mlir", file, path));
    path_ = path.str().str();
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << known;
    engine_.call("document/open", Object{{"path", path_}});
    Object found = engine_.call("values/nonfinite", Object{{"snapshot", 0}});
    ASSERT_EQ(found.getBoolean("found"), true);
    EXPECT_EQ(found.getString("name"), "%sum");
    EXPECT_EQ(found.getInteger("nan"), 1);
    EXPECT_EQ(found.getInteger("infinite"), 0);
    edge_ = Object{{"snapshot", 0},
                   {"from", *found.getInteger("op")},
                   {"to", *found.getInteger("to")},
                   {"operand", *found.getInteger("operand")}};
  }
  void TearDown() override { (void)llvm::sys::fs::remove(path_); }
  Object edgeWith(llvm::StringRef key, llvm::json::Value value) const {
    Object request = edge_;
    request[key] = std::move(value);
    return request;
  }

  EngineProcess engine_;
  std::string path_;
  Object edge_;
};

} // namespace

TEST_F(ValueMethods, AnEdgeHasFiguresAndASlice) {
  Object value = engine_.call("values/edge", Object(edge_));
  EXPECT_EQ(value.getString("name"), "%sum");
  EXPECT_EQ(value.getString("type"), "tensor<2x3xf32>");
  EXPECT_EQ(value.getString("function"), "main");
  EXPECT_TRUE(value.getNumber("milliseconds"));
  const Object &figures = *value.getObject("statistics");
  EXPECT_EQ(figures.getString("min"), "-4");
  EXPECT_EQ(figures.getString("max"), "6");
  EXPECT_EQ(figures.getNumber("mean"), 1);
  EXPECT_EQ(figures.getInteger("nan"), 1);
  EXPECT_EQ(figures.getInteger("zeros"), 1);
  EXPECT_EQ(*value.getObject("slice")->getArray("texts"), (Array{"2", "-4", "1", "6", "0", "nan"}));
  // Another part of it computes nothing.
  Object part = engine_.call("values/edge", edgeWith("first_row", 1));
  EXPECT_FALSE(part.getNumber("milliseconds"));
  EXPECT_EQ(*part.getObject("slice")->getArray("texts"), (Array{"6", "0", "nan"}));
  Object other = engine_.call("values/edge", edgeWith("seed", 2));
  EXPECT_TRUE(other.getNumber("milliseconds"));
}

TEST_F(ValueMethods, WhatTakesMoreIsNotComputed) {
  Object value = engine_.call("values/edge", edgeWith("most_flops", 5));
  EXPECT_EQ(value.getBoolean("computed"), false);
  EXPECT_EQ(value.getInteger("flops"), 6);
  EXPECT_EQ(engine_.call("values/edge", edgeWith("most_flops", 6)).getBoolean("computed"), true);
}

TEST_F(ValueMethods, TheFileIsTheValue) {
  Object file = engine_.call("values/file", Object(edge_));
  std::vector<char> bytes;
  ASSERT_FALSE(llvm::decodeBase64(*file.getString("base64"), bytes));
  float values[6];
  ASSERT_GT(bytes.size(), sizeof(values));
  EXPECT_EQ(std::string(bytes.data() + 1, 5), "NUMPY");
  std::memcpy(values, bytes.data() + bytes.size() - sizeof(values), sizeof(values));
  EXPECT_EQ(values[0], 2);
  EXPECT_EQ(values[3], 6);
  EXPECT_TRUE(std::isnan(values[5]));
}

TEST_F(ValueMethods, RefusalsSayWhy) {
  auto said = [&](Object params) {
    return engine_.callError("values/edge", std::move(params)).getString("message").value_or("").str();
  };
  EXPECT_NE(said(edgeWith("to", 9999)).find("names no op"), std::string::npos);
  EXPECT_NE(said(edgeWith("operand", 77)).find("choose the edge"), std::string::npos);
  EXPECT_NE(said(edgeWith("function", "nowhere")).find("@nowhere"), std::string::npos);
  EXPECT_NE(said(edgeWith("snapshot", 99)).find("snapshot"), std::string::npos);
}

} // namespace fuselage::test
