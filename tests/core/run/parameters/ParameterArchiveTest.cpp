#include "core/run/parameters/ParameterArchive.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cstring>
#include <gmock/gmock.h>

using namespace fuselage;
using namespace fuselage::test;
using ::testing::HasSubstr;

/// The little-endian bytes of a number.
template <typename T> static std::string bytesOf(T number) {
  return std::string(reinterpret_cast<const char *>(&number), sizeof number);
}

static std::string safetensors(const std::string &header, const std::string &data) {
  return bytesOf<uint64_t>(header.size()) + header + data;
}

static std::string floatBytes(std::initializer_list<float> numbers) {
  std::string bytes;
  for (float number : numbers)
    bytes += bytesOf(number);
  return bytes;
}

static const char *twoTensors =
    R"({"__metadata__":{"format":"pt"},"a.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
    R"("flag":{"dtype":"BOOL","shape":[3],"data_offsets":[16,19]}})";

namespace {

class ParameterArchiveTest : public ::testing::Test {
protected:
  llvm::Expected<ParameterArchive> parse(const std::string &bytes) {
    return ParameterArchive::parse(llvm::MemoryBuffer::getMemBufferCopy(bytes), "w");
  }
  std::string whyNot(const std::string &bytes) { return errorOf(parse(bytes)); }
  mlir::Type tensor(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }
  Session session{allDialects()};
  mlir::Builder builder{&session.context()};
};

/// One part of an .irpa file, as IREE's tools write it.
struct Irpa {
  std::string entries{}, names{}, data{};
  uint64_t count = 0;

  void add(uint32_t type, const std::string &name, const std::string &rest) {
    std::string entry = bytesOf(type) + bytesOf<uint64_t>(0) + bytesOf<uint64_t>(names.size()) +
                        bytesOf<uint64_t>(name.size()) + bytesOf<uint64_t>(0) + bytesOf<uint64_t>(0) +
                        bytesOf<uint64_t>(64) + rest;
    entry = bytesOf<uint64_t>(entry.size() + 8) + entry;
    entries.resize((entries.size() + 15) / 16 * 16);
    entries += entry;
    names += name;
    ++count;
  }
  void addData(const std::string &name, const std::string &bytes) {
    add(2, name, bytesOf<uint64_t>(data.size()) + bytesOf<uint64_t>(bytes.size()));
    data += bytes;
  }
  void addSplat(const std::string &name, uint64_t bytes, std::string pattern) {
    auto length = uint8_t(pattern.size());
    pattern.resize(16);
    add(1, name, bytesOf(bytes) + pattern + std::string(1, char(length)));
  }
  std::string file(uint64_t next = 0) const {
    constexpr uint64_t header = 88, entriesAt = 96;
    uint64_t namesAt = entriesAt + entries.size(), dataAt = (namesAt + names.size() + 63) / 64 * 64;
    std::string bytes = "IRPA" + bytesOf<uint32_t>(0) + bytesOf(header) + bytesOf(next) + bytesOf<uint64_t>(0) +
                        bytesOf(count) + bytesOf(entriesAt) + bytesOf<uint64_t>(entries.size()) + bytesOf(namesAt) +
                        bytesOf<uint64_t>(names.size()) + bytesOf(dataAt) + bytesOf<uint64_t>(data.size());
    bytes.resize(entriesAt);
    bytes += entries + names;
    bytes.resize(dataAt);
    return bytes + data;
  }
};

} // namespace

TEST_F(ParameterArchiveTest, ReadsSafetensors) {
  auto archive = valueOf(parse(safetensors(twoTensors, floatBytes({1, 2, 3, 4}) + std::string("\0\1\x7", 3))));
  EXPECT_THAT(archive.keys(), ::testing::ElementsAre("a.weight", "flag"));
  HostTensor weight = valueOf(archive.read("a.weight", tensor({2, 2}, builder.getF32Type())));
  EXPECT_THAT(weight.as<float>(), ::testing::ElementsAre(1, 2, 3, 4));
  HostTensor flag = valueOf(archive.read("flag", tensor({3}, builder.getI1Type())));
  EXPECT_THAT(flag.as<uint8_t>(), ::testing::ElementsAre(0, 1, 1)) << "a bool of 7 is a bool all the same";
}

TEST_F(ParameterArchiveTest, ReadsIrpa) {
  Irpa irpa;
  irpa.addSplat("all.ones", 8, floatBytes({1}));
  irpa.add(0, "gone", "");
  irpa.addData("b", floatBytes({5, 6}));
  auto archive = valueOf(parse(irpa.file()));
  EXPECT_EQ(archive.size(), 2u);
  mlir::Type type = tensor({2}, builder.getF32Type());
  EXPECT_THAT(valueOf(archive.read("all.ones", type)).as<float>(), ::testing::ElementsAre(1, 1));
  EXPECT_THAT(valueOf(archive.read("b", type)).as<float>(), ::testing::ElementsAre(5, 6));
}

TEST_F(ParameterArchiveTest, ReadsAllPartsOfAnIrpaFile) {
  Irpa first, second;
  first.addData("a", floatBytes({1}));
  second.addData("b", floatBytes({2}));
  uint64_t size = (first.file().size() + 63) / 64 * 64;
  std::string file = first.file(size);
  file.resize(size);
  auto archive = valueOf(parse(file + second.file()));
  mlir::Type type = tensor({1}, builder.getF32Type());
  EXPECT_THAT(valueOf(archive.read("a", type)).as<float>(), ::testing::ElementsAre(1));
  EXPECT_THAT(valueOf(archive.read("b", type)).as<float>(), ::testing::ElementsAre(2));
}

TEST_F(ParameterArchiveTest, WhatDoesNotFitIsSaid) {
  auto archive = valueOf(parse(safetensors(twoTensors, std::string(19, '\0'))));
  mlir::Type f32 = builder.getF32Type();
  EXPECT_THAT(errorOf(archive.read("a.weight", tensor({4}, f32))),
              HasSubstr("has the shape (2, 2), but a tensor<4xf32> has (4)"));
  EXPECT_THAT(errorOf(archive.read("a.weight", tensor({2, 2}, builder.getF16Type()))), HasSubstr("holds F32"));
  EXPECT_THAT(errorOf(archive.read("other", tensor({4}, f32))), HasSubstr("it has no 'other'"));
  Irpa irpa;
  irpa.addData("b", floatBytes({5, 6}));
  EXPECT_THAT(errorOf(valueOf(parse(irpa.file())).read("b", tensor({3}, f32))),
              HasSubstr("has 8 bytes, but a tensor<3xf32> takes 12"));
}

TEST_F(ParameterArchiveTest, RefusesHeadersThatLie) {
  auto one = [&](const std::string &shape, const std::string &offsets) {
    return whyNot(safetensors(R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
                              std::string(16, '\0')));
  };
  EXPECT_THAT(one("[4]", "[0,32]"), HasSubstr("outside of the file's 16 bytes"));
  EXPECT_THAT(one("[4]", "[16,0]"), HasSubstr("outside"));
  EXPECT_THAT(one("[4]", "[0,8]"), HasSubstr("8 bytes of data, but its shape takes 16"));
  EXPECT_THAT(one("[4294967296,4294967296,4]", "[0,16]"), HasSubstr("a shape that no memory holds"));
  EXPECT_THAT(one("[-4]", "[0,16]"), HasSubstr("a shape that no memory holds"));
  EXPECT_THAT(one("[4]", "[0,18446744073709551615]"), HasSubstr("outside"));
  EXPECT_THAT(
      whyNot(safetensors(
          R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
          std::string(12, '\0'))),
      HasSubstr("'a' and 'b' share bytes"));
  EXPECT_THAT(whyNot(safetensors(std::string(100000, '['), "")), HasSubstr("nests deeper"));
  EXPECT_THAT(whyNot(safetensors("[]", "")), HasSubstr("no JSON object"));
  EXPECT_THAT(whyNot(bytesOf<uint64_t>(1) + "{"), HasSubstr("no JSON"));
  EXPECT_THAT(whyNot(bytesOf<uint64_t>(uint64_t(1) << 60) + "{}"), HasSubstr("ask for a header of"));
  EXPECT_THAT(whyNot("abc"), HasSubstr("it ends before its header"));
  EXPECT_THAT(whyNot("GGUF...."), HasSubstr("convert it"));
}

/// Every byte of a header in turn is changed, every length cut: what is still read lies within the file.
static void expectSound(mlir::MLIRContext &context, const std::string &bytes) {
  auto check = [&](const std::string &changed) {
    auto archive = ParameterArchive::parse(llvm::MemoryBuffer::getMemBufferCopy(changed), "w");
    if (!archive) {
      EXPECT_FALSE(llvm::toString(archive.takeError()).empty());
      return;
    }
    for (const std::string &key : archive->keys()) {
      const ParameterEntry &entry = *archive->find(key);
      if (entry.pattern.empty()) {
        ASSERT_LE(entry.offset, changed.size());
        ASSERT_LE(entry.bytes, changed.size() - entry.offset);
      }
      auto type = mlir::RankedTensorType::get({2, 2}, mlir::Float32Type::get(&context));
      auto tensor = archive->read(key, type);
      if (!tensor) {
        llvm::consumeError(tensor.takeError());
        continue;
      }
      float sum = 0; // touches all of it
      for (float number : tensor->as<float>())
        sum += number;
      volatile float sink = sum;
      (void)sink;
    }
  };
  for (size_t length = 0; length < bytes.size(); ++length)
    check(bytes.substr(0, length));
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[at] = char(changed[at] ^ (1 << bit));
      check(changed);
    }
}

TEST_F(ParameterArchiveTest, DamagedSafetensorsAreReadWithinTheirBounds) {
  expectSound(session.context(), safetensors(twoTensors, std::string(19, '\0')));
}

TEST_F(ParameterArchiveTest, DamagedIrpaFilesAreReadWithinTheirBounds) {
  Irpa irpa;
  irpa.addSplat("s", 16, floatBytes({1}));
  irpa.addData("d", floatBytes({1, 2, 3, 4}));
  expectSound(session.context(), irpa.file());
}
