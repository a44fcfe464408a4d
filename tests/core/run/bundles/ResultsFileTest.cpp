// Results are somebody else's text: whatever is wrong with them is refused, with what and where.
#include "core/run/bundles/ResultsFile.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/support/JsonText.h"
#include "tests/core/run/RunTestSupport.h"
#include <fstream>
#include <random>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// Two kernels of a dispatch, with all that a row can have, and host code.
message::Results<> smallResults() {
  message::Results<> results;
  results.device = "cuda:0";
  results.function = "main";
  results.verdict = message::RunVerdict::Ok;
  results.sumUs = 12;
  for (const char *kernel : {"first", "second"}) {
    message::Kernel<> &row = results.kernels.emplace_back();
    row.dispatch = "main_dispatch_0";
    row.device = "cuda:0";
    row.name = kernel;
    row.dispatchIndex = 0;
    row.loc = "f.mlir:3:5";
    row.grid = {4, 1, 1};
    row.block = {32, 1, 1};
    row.minUs = 5, row.medianUs = 6, row.p95Us = 7;
    row.launches = 2;
    row.calls = 3;
    row.samples = {5, 7};
    row.parts = {"f.mlir:3:5"};
    row.baselines = {{.kind = "library", .name = "cuBLAS", .what = "sgemm", .us = 3, .launches = 2}};
    row.verdict = message::RunVerdict::Ok;
    row.maxAbsError = row.maxRelError = 1e-7;
    row.absolute = row.relative = 1e-5;
    row.elements = 64;
  }
  message::Kernel<> &host = results.kernels.emplace_back();
  host.onHost = true;
  host.dispatch = "tensor.pad";
  host.device = "host";
  results.bundle = message::BundleOrigin<>{.deviceName = "NVIDIA H100",
                                           .api = "CUDA 13.0",
                                           .driver = "580.1",
                                           .measured = "2026-03-01 12:00 UTC",
                                           .launcher = "fuselage-launch 0.1.0",
                                           .bundler = "fuselage 0.1.0",
                                           .target = "sm_90",
                                           .source = "f.mlir",
                                           .sourceSha256 = std::string(64, 'a')};
  return results;
}

Value smallJson() { return Value(message::encode(smallResults())); }

std::string textOf(const Value &json) { return jsonText(Value(json)); }

/// Empty: they are read.
std::string refusalOf(llvm::StringRef text) {
  auto results = readResults(text, "r.json");
  return results ? "" : llvm::toString(results.takeError());
}
std::string refusalOf(const Value &json) { return refusalOf(llvm::StringRef(textOf(json))); }

/// A path such as "kernels[0].min_us" in a copy of the tree.
Value *at(Value &json, llvm::StringRef path) {
  Value *value = &json;
  while (value && !path.empty()) {
    if (path.consume_front("[")) {
      size_t index = 0;
      path.consumeInteger(10, index);
      path.consume_front("]");
      Array *array = value->getAsArray();
      value = array && index < array->size() ? &(*array)[index] : nullptr;
    } else {
      path.consume_front(".");
      llvm::StringRef key = path.take_until([](char c) { return c == '.' || c == '['; });
      path = path.drop_front(key.size());
      value = value->getAsObject() ? value->getAsObject()->get(key) : nullptr;
    }
  }
  return value;
}

/// Calls visit(path) for every member of the tree.
template <class Visit> void forEachMember(const Value &json, const std::string &path, const Visit &visit) {
  if (const Object *object = json.getAsObject())
    for (const auto &[key, value] : *object) {
      std::string inner = path.empty() ? llvm::StringRef(key).str() : path + "." + llvm::StringRef(key).str();
      visit(inner);
      forEachMember(value, inner, visit);
    }
  else if (const Array *array = json.getAsArray())
    for (size_t i = 0; i < array->size(); ++i)
      forEachMember((*array)[i], path + "[" + std::to_string(i) + "]", visit);
}

/// Written for clients, and not read back.
bool isDerived(llvm::StringRef path) {
  llvm::StringRef key = path.rsplit('.').second.empty() ? path : path.rsplit('.').second;
  return key == "ok" || key == "total_ms" || key == "drift";
}

} // namespace

TEST(ResultsFile, IsReadAsItWasWritten) {
  const std::string text = textOf(smallJson());
  auto results = readResults(text, "r.json");
  ASSERT_TRUE(static_cast<bool>(results)) << llvm::toString(results.takeError());
  EXPECT_EQ(textOf(Value(message::encode(*results))), text);
  ASSERT_TRUE(results->bundle);
  EXPECT_EQ(results->bundle->driver, "580.1");
}

TEST(ResultsFile, OfARunHasNoBundleAndMayHaveUnknownMembers) {
  Value json = smallJson();
  json.getAsObject()->erase("bundle");
  (*json.getAsObject())["of a later version"] = Array{1, "two"};
  auto results = readResults(textOf(json), "r.json");
  ASSERT_TRUE(static_cast<bool>(results)) << llvm::toString(results.takeError());
  EXPECT_FALSE(results->bundle);
}

TEST(ResultsFile, NoPrefixOfItIsTaken) {
  const std::string text = llvm::StringRef(textOf(smallJson())).rtrim().str();
  for (size_t length = 0; length < text.size(); ++length)
    ASSERT_NE(refusalOf(llvm::StringRef(text).take_front(length)).find("'r.json' holds no results of a run"),
              std::string::npos)
        << "of " << length << " bytes";
}

TEST(ResultsFile, WhatARowNeedsIsNamedWhereItIsMissing) {
  for (const char *path : {"version", "device", "function", "verdict", "kernels", "kernels[1].kind",
                           "kernels[1].dispatch", "kernels[1].dispatch_index", "kernels[1].loc", "kernels[1].device",
                           "kernels[1].min_us", "kernels[1].median_us", "kernels[1].verdict"}) {
    Value json = smallJson();
    auto [outer, key] = llvm::StringRef(path).rsplit('.');
    if (key.empty())
      json.getAsObject()->erase(outer);
    else
      at(json, outer)->getAsObject()->erase(key);
    EXPECT_NE(refusalOf(json).find(key.empty() ? outer.str() : path), std::string::npos)
        << path << ": " << refusalOf(json);
  }
}

TEST(ResultsFile, EveryMemberOfAnotherTypeIsNamed) {
  const Value whole = smallJson();
  int members = 0;
  for (const Value &other : {Value("a text"), Value(true), Value(7.5), Value(Array{}), Value(Object{})})
    forEachMember(whole, "", [&](const std::string &path) {
      Value json = whole;
      Value &member = *at(json, path);
      const bool isSameKind = member.kind() == other.kind();
      // Null: what is known of some is not known here. An element of a tensor may be a number or a text.
      if (isSameKind || member.kind() == Value::Null || isDerived(path))
        return;
      const bool isReal = member.kind() == Value::Number && other.kind() == Value::Number;
      if (isReal)
        return;
      member = other;
      const std::string key = path.substr(path.find_last_of('.') + 1);
      EXPECT_NE(refusalOf(json).find(key), std::string::npos)
          << path << " as " << textOf(other) << ": '" << refusalOf(json) << "'";
      ++members;
    });
  EXPECT_GT(members, 300);
}

TEST(ResultsFile, NumbersOfAnySizeAreTakenOrRefused) {
  const Value whole = smallJson();
  for (const Value &number : {Value(UINT64_MAX), Value(INT64_MAX), Value(INT64_MIN), Value(-1), Value(0), Value(1e300),
                              Value(-1e300), Value("nan"), Value("inf"), Value("-inf")})
    forEachMember(whole, "", [&](const std::string &path) {
      Value json = whole;
      Value &member = *at(json, path);
      if (member.kind() != Value::Number)
        return;
      member = number;
      auto results = readResults(textOf(json), "r.json");
      if (!results)
        return llvm::consumeError(results.takeError());
      for (const message::Kernel<> &row : results->kernels) { // what the header promises
        EXPECT_TRUE(std::isfinite(row.medianUs) && std::isfinite(row.minUs)) << path;
        EXPECT_TRUE(row.minUs < 0 || row.medianUs < 0 || row.minUs <= row.medianUs) << path;
        EXPECT_FALSE(row.maxAbsError < 0) << path;
        EXPECT_GE(row.calls, 1) << path;
        EXPECT_GE(row.dispatchIndex, -1) << path;
      }
    });
}

TEST(ResultsFile, WhatCannotBeIsRefused) {
  const std::vector<std::tuple<const char *, Value, const char *>> wrongs = {
      {"version", 2, "version must be 1"},
      {"verdict", "fine", "verdict must be one of \"ok\""},
      {"sum_us", "nan", "sum_us must be a finite number"},
      {"kernels[0].kind", "kernel", "kernels[0].kind must be one of \"dispatch\", \"host\""},
      {"kernels[0].verdict", "fine", "kernels[0].verdict must be one of"},
      {"kernels[0].dispatch", "", "kernels[0].dispatch must be a name"},
      {"kernels[0].dispatch_index", -2, "kernels[0].dispatch_index must be from -1"},
      {"kernels[0].min_us", 6.5, "kernels[0].min_us must be at most median_us"},
      {"kernels[0].median_us", 7.5, "kernels[0].median_us must be at most p95_us"},
      {"kernels[0].median_us", "inf", "kernels[0].median_us must be a finite number"},
      {"kernels[0].samples[1]", -1, "kernels[0].samples[1] must be a finite number"},
      {"kernels[0].samples[1]", Object{}, "kernels[0].samples[1]"},
      {"kernels[0].grid", Array{0, 1, 1}, "kernels[0].grid must be a list of sizes"},
      {"kernels[0].grid", Array{int64_t(1) << 32, 1, 1}, "kernels[0].grid must be a list of sizes"},
      {"kernels[0].calls", 0, "kernels[0].calls must be from 1"},
      {"kernels[0].max_abs_error", -1, "kernels[0].max_abs_error must be"},
      {"kernels[0].baselines[0].us", "nan", "kernels[0].baselines[0].us must be a finite number"},
      {"kernels[1]", 3, "kernels[1] must be an object"},
      {"kernels", Object{}, "it has no list of kernels"},
      {"bundle.source_sha256", "00", "bundle.source_sha256 must be 64 digits"},
      {"bundle.driver", std::string(70000, 'x'), "driver must be a text of at most 65536 bytes"},
  };
  for (const auto &[path, value, refusal] : wrongs) {
    Value json = smallJson();
    *at(json, path) = value;
    EXPECT_NE(refusalOf(json).find(refusal), std::string::npos) << path << ": " << refusalOf(json);
    EXPECT_NE(refusalOf(json).find("fuselage-launch --format json"), std::string::npos) << "says what to give";
  }
}

TEST(ResultsFile, NestingAndBytesDoNotMatter) {
  EXPECT_NE(refusalOf(llvm::StringRef(std::string(200000, '['))).find("nested too deeply"), std::string::npos);
  EXPECT_NE(refusalOf(llvm::StringRef("{\"kernels\": [\"\xff\"]}")), "");
  EXPECT_NE(refusalOf(llvm::StringRef("")), "");
  // Any text comes back: changed bytes, and pieces of the text in other places.
  std::mt19937 random(20260301);
  const std::string whole = textOf(smallJson());
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = whole;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t place = random() % text.size(), from = random() % text.size(), length = random() % 24;
      if (random() % 2)
        text[place] = char(random());
      else
        text.replace(place, length, text.substr(from, length));
    }
    const std::string refusal = refusalOf(llvm::StringRef(text));
    refused += !refusal.empty();
    ASSERT_TRUE(refusal.empty() || llvm::StringRef(refusal).starts_with("'r.json' holds no results of a run: "))
        << refusal;
  }
  EXPECT_GT(refused, 1000);
}

TEST(ResultsFile, OnlyPlainFilesAreRead) {
  const std::string folder = testing::TempDir(), path = folder + "/results.json";
  std::ofstream(path) << textOf(smallJson());
  EXPECT_TRUE(static_cast<bool>(readResultsFile(path)));
  EXPECT_EQ(checksumOfFile(path).size(), 64u);
  EXPECT_NE(errorOf(readResultsFile(folder)).find("it is no plain file"), std::string::npos);
  EXPECT_NE(errorOf(readResultsFile(path + ".nothing")).find("No such file"), std::string::npos);
  EXPECT_EQ(checksumOfFile(folder), "");
}

} // namespace fuselage::test
