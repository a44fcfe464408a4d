// What core writes can be read again, and what nobody wrote does no harm.
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/support/JsonText.h"
#include "tests/core/protocol/AllMessages.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <regex>
#include <set>

namespace fuselage::message::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string textOf(const llvm::json::Object &json) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object(json));
  return text;
}

llvm::json::Object parsed(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  EXPECT_TRUE(bool(value)) << text.str();
  return value ? *value->getAsObject() : (llvm::consumeError(value.takeError()), llvm::json::Object());
}

template <Message T> T read(const llvm::json::Object &json) {
  T message;
  decode(json, message);
  return message;
}

TEST(Messages, AreAllInTheList) {
  std::set<std::string> described, listed;
  const std::regex name("messageName = \"([^\"]+)\"");
  // What one method alone answers may be described beside it, in core/protocol/methods.
  for (const auto &entry : std::filesystem::recursive_directory_iterator(FUSELAGE_SOURCE_DIR "/core/protocol")) {
    if (!entry.is_regular_file() || entry.path().extension() != ".h")
      continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator match(text.begin(), text.end(), name), end; match != end; ++match)
      EXPECT_TRUE(described.insert((*match)[1]).second) << (*match)[1] << " is there twice";
  }
  forEachMessage([&]<template <class> class M>() { listed.insert(M<StdTypes>::messageName); });
  EXPECT_EQ(described, listed);
}

/// Written as text at once, or by way of a tree of values.
TEST(Messages, HaveOneText) {
  forEachMessage([]<template <class> class M>() {
    SCOPED_TRACE(M<StdTypes>::messageName);
    for (const auto &message : {M<StdTypes>(), filled<M<StdTypes>>()})
      EXPECT_EQ(jsonText(message), fuselage::jsonText(encode(message)));
  });
}

/// As a client gets it: no blanks, and the same members in the order in which they are written.
TEST(Messages, HaveOneMeaningInOneLine) {
  forEachMessage([]<template <class> class M>() {
    SCOPED_TRACE(M<StdTypes>::messageName);
    for (const auto &message : {M<StdTypes>(), filled<M<StdTypes>>()}) {
      std::string text;
      appendMessage<JsonForm::Compact>(text, message);
      EXPECT_EQ(text.find('\n'), std::string::npos);
      EXPECT_EQ(textOf(parsed(text)), textOf(encode(message)));
    }
  });
}

TEST(Messages, ComeBackAsTheyWere) {
  forEachMessage([]<template <class> class M>() {
    SCOPED_TRACE(M<StdTypes>::messageName);
    const auto message = filled<M<StdTypes>>();
    // Through text, as over the pipe.
    const llvm::json::Object json = parsed(textOf(encode(message)));
    const auto back = read<M<StdTypes>>(json);
    EXPECT_EQ(dumpOf(back), dumpOf(message));
    EXPECT_EQ(textOf(encode(back)), textOf(encode(message)));
    const M<StdTypes> unset;
    EXPECT_EQ(dumpOf(read<M<StdTypes>>(parsed(textOf(encode(unset))))), dumpOf(unset));
  });
}

TEST(Messages, KeepDefaultsWhereNothingIsToldOrNull) {
  forEachMessage([]<template <class> class M>() {
    SCOPED_TRACE(M<StdTypes>::messageName);
    EXPECT_EQ(dumpOf(read<M<StdTypes>>({})), dumpOf(M<StdTypes>()));
    const llvm::json::Object json = encode(filled<M<StdTypes>>());
    llvm::json::Object nulls;
    for (const auto &[key, value] : json)
      nulls[key] = nullptr;
    nulls["nobody knows"] = llvm::json::Array{1, "x"};
    EXPECT_EQ(dumpOf(read<M<StdTypes>>(nulls)), dumpOf(M<StdTypes>()));
    // One that is missing leaves the others alone.
    for (const auto &[key, value] : json) {
      llvm::json::Object less = json, null = json;
      less.erase(key);
      null[key] = nullptr;
      EXPECT_EQ(dumpOf(read<M<StdTypes>>(less)), dumpOf(read<M<StdTypes>>(null))) << key.str();
    }
  });
}

/// Whatever stands there, reading ends well, and what was read goes to and fro (once unknown counts became null).
TEST(Messages, TakeStrangeValues) {
  forEachMessage([]<template <class> class M>() {
    SCOPED_TRACE(M<StdTypes>::messageName);
    const llvm::json::Object json = encode(filled<M<StdTypes>>());
    for (const auto &[key, value] : json)
      for (const char *strange : strangeValues) {
        llvm::json::Object other = json;
        other[key] = llvm::cantFail(llvm::json::parse(strange));
        const std::string once = textOf(encode(read<M<StdTypes>>(parsed(textOf(encode(read<M<StdTypes>>(other)))))));
        const std::string twice = textOf(encode(read<M<StdTypes>>(parsed(once))));
        EXPECT_TRUE(once == twice) << key.str() << ": " << strange;
      }
  });
}

TEST(Messages, NumbersThatDoNotFitKeepDefaults) {
  for (const char *strange : {"1e300", "-1e300", "3000000000", "1.5", "\"7\"", "true", "null", "[7]"})
    EXPECT_EQ(read<Step<>>(parsed(llvm::formatv("{{\"index\": {0}}", strange).str())).index, 0) << strange;
  EXPECT_EQ(read<Step<>>(parsed("{\"index\": -7}")).index, -7);
  EXPECT_EQ(read<Step<>>(parsed("{\"index\": 7.0}")).index, 7);
  EXPECT_EQ(read<Document<>>(parsed("{\"bytes\": 3000000000}")).bytes, 3000000000);
  EXPECT_EQ(read<Document<>>(parsed("{\"bytes\": 9223372036854775807}")).bytes, INT64_MAX);
  for (const char *strange : {"9223372036854775808", "18446744073709551615", "9.3e18", "-1e300"})
    EXPECT_EQ(read<Document<>>(parsed(llvm::formatv("{{\"bytes\": {0}}", strange).str())).bytes, 0) << strange;
  EXPECT_EQ(read<Step<>>(parsed("{\"before\": null, \"after\": 3}")).before, -1);
  EXPECT_EQ(read<RunReport<>>(parsed("{\"verdict\": \"splendid\"}")).verdict, RunVerdict::NothingToRun);
  EXPECT_FALSE(read<OpOperand<>>(parsed("{\"from\": \"x\"}")).from.has_value());
}

TEST(Messages, InfinityAndNaNAreTexts) {
  Comparison<> comparison;
  comparison.maxAbsError = infinity;
  comparison.absolute = -infinity;
  const llvm::json::Object json = encode(comparison);
  EXPECT_EQ(json.getString("max_abs_error"), "inf");
  EXPECT_EQ(json.getString("max_rel_error"), "nan");
  EXPECT_EQ(json.getObject("tolerance")->getString("absolute"), "-inf");
  const auto back = read<Comparison<>>(json);
  EXPECT_EQ(back.maxAbsError, infinity);
  EXPECT_EQ(back.absolute, -infinity);
  EXPECT_TRUE(std::isnan(back.maxRelError));
}

TEST(Messages, UnknownNumbersAreNull) {
  const llvm::json::Object edge = encode(FusionEdge<>());
  for (const char *key : {"bytes", "est_us", "share", "legal", "reason", "sub_reason"}) {
    ASSERT_TRUE(edge.get(key)) << key;
    EXPECT_EQ(edge.get(key)->kind(), llvm::json::Value::Null) << key;
  }
  FusionEdge<> known;
  known.microseconds = 1.23456;
  EXPECT_EQ(llvm::formatv("{0}", *encode(known).get("est_us")).str(), "1.2350000000000001");
  EXPECT_FALSE(encode(FusionEvidence<>()).get("count"));
  EXPECT_FALSE(encode(BuffersReport<>()).get("arguments"));
  EXPECT_EQ(encode(BufferOperand<>()).get("conflict")->kind(), llvm::json::Value::Null);
}

/// A client that draws what it reads must find a number for each cell.
TEST(Messages, HalfAPictureIsNone) {
  Output<> output = filled<Output<>>();
  ASSERT_TRUE(read<Output<>>(encode(output)).heat);
  output.heat->values.pop_back();
  EXPECT_FALSE(read<Output<>>(encode(output)).heat);
  output.heat->rows = -3;
  EXPECT_FALSE(read<Output<>>(encode(output)).heat);
}

TEST(Messages, TextsAreValidUtf8) {
  EXPECT_TRUE(llvm::json::isUTF8(*encode(WrittenFile<>{.path = "a\xff.mlir"}).getString("path")));
}

} // namespace
} // namespace fuselage::message::test
