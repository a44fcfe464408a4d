// Files of remarks, right ones and damaged ones.
#include "core/remarks/RemarkFile.h"
#include "core/support/Error.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

/// `count` remarks, as LLVM writes them.
static std::string written(llvm::remarks::Format format, unsigned count) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  auto serializer = llvm::remarks::createRemarkSerializer(format, os);
  EXPECT_TRUE(bool(serializer));
  for (unsigned number = 0; number < count; ++number) {
    llvm::remarks::Remark remark;
    remark.RemarkType = llvm::remarks::Type::Missed;
    remark.PassName = "vectorize";
    remark.RemarkName = number % 2 ? "NotLinear" : "TooSmall";
    remark.FunctionName = "main";
    remark.Loc = llvm::remarks::RemarkLocation{"model.c", number + 1, 3};
    remark.Hotness = number;
    remark.Args.emplace_back("String", "it is too small: ");
    remark.Args.emplace_back("Size", "8");
    (*serializer)->emit(remark);
  }
  (*serializer)->finalize();
  return bytes;
}

class RemarkFormats : public testing::TestWithParam<llvm::remarks::Format> {};

TEST_P(RemarkFormats, SayWhatWasWritten) {
  auto read = readRemarks(written(GetParam(), 3), "r");
  ASSERT_TRUE(bool(read)) << takeFailure(read.takeError()).message;
  ASSERT_EQ(read->remarks.size(), 3u);
  EXPECT_EQ(read->problem, "");
  const message::Remark<> &last = read->remarks.back();
  EXPECT_EQ(last.kind, message::RemarkKind::Missed);
  EXPECT_EQ(last.pass, "vectorize");
  EXPECT_EQ(last.name, "TooSmall");
  EXPECT_EQ(last.function, "main");
  EXPECT_EQ(last.message, "it is too small: 8");
  EXPECT_EQ(last.file, "model.c");
  EXPECT_EQ(last.line, 3);
  EXPECT_EQ(last.column, 3);
  EXPECT_EQ(last.hotness, 2);
}

/// Damaged files end in a sentence, or in what can be read of them.
TEST_P(RemarkFormats, SurviveDamage) {
  const std::string whole = written(GetParam(), 6);
  std::mt19937 random(7);
  auto pick = [&](size_t count) { return random() % count; };
  for (int trial = 0; trial < 150; ++trial) {
    std::string bytes = whole;
    switch (trial % 3) {
    case 0:
      bytes.resize(pick(bytes.size()));
      break;
    case 1:
      for (size_t count = 1 + pick(4); count > 0; --count)
        bytes[pick(bytes.size())] = char(pick(256));
      break;
    default: {
      size_t from = pick(bytes.size()), length = pick(bytes.size() - from);
      bytes.insert(pick(bytes.size()), bytes.substr(from, length));
    }
    }
    auto read = readRemarks(bytes, "r");
    if (!read)
      EXPECT_FALSE(takeFailure(read.takeError()).message.empty());
    else
      EXPECT_LE(read->remarks.size(), 20u);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RemarkFormats,
                         testing::Values(llvm::remarks::Format::YAML, llvm::remarks::Format::Bitstream));

TEST(RemarkFile, LimitsHowManyAreKept) {
  auto read = readRemarks(written(llvm::remarks::Format::YAML, kMostRemarks + 5), "r");
  ASSERT_TRUE(bool(read)) << takeFailure(read.takeError()).message;
  EXPECT_EQ(read->remarks.size(), kMostRemarks);
  EXPECT_EQ(read->leftOut, 5);
}

TEST(RemarkFile, NamesWhatIsNone) {
  auto read = readRemarks("module {}\n", "m.mlir");
  ASSERT_FALSE(bool(read));
  EXPECT_NE(takeFailure(read.takeError()).message.find("'m.mlir' is no file of remarks"), std::string::npos);
}
