#include "core/run/values/NpyFile.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// The bytes that numpy.save writes before the data.
std::string header(const std::string &dictionary) {
  std::string text = dictionary;
  size_t length = (10 + text.size() + 1 + 63) / 64 * 64 - 10;
  text.resize(length - 1, ' ');
  return std::string("\x93NUMPY\1\0", 8) + char(length & 0xff) + char(length >> 8) + text + "\n";
}
std::string header(const std::string &descr, const std::string &shape, const char *fortran = "False") {
  return header("{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }");
}
template <typename T> std::string bytesOf(std::vector<T> values) {
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

/// Writes files into a folder of its own.
class NpyFile : public ::testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("fuselage-npy-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  llvm::Expected<HostTensor> read(const std::string &bytes, Type type) {
    std::string path = folder / "x.npy";
    std::ofstream(path, std::ios::binary) << bytes;
    return readNpy(path, type);
  }
  Type tensor(llvm::ArrayRef<int64_t> shape, Type element) { return RankedTensorType::get(shape, element); }

  Session session{allDialects()};
  Builder b{&session.context()};
  std::filesystem::path folder;
};

} // namespace

TEST_F(NpyFile, ReadsWhatNumpyWrites) {
  HostTensor f =
      valueOf(read(header("<f4", "(2, 3)") + bytesOf<float>({1, 2, 3, 4, 5, 6.5}), tensor({2, 3}, b.getF32Type())));
  EXPECT_EQ(f.as<float>()[5], 6.5f);
  HostTensor big =
      valueOf(read(header(">i4", "(2,)") + std::string("\0\0\1\2\xff\xff\xff\xfe", 8), tensor({2}, b.getI32Type())));
  EXPECT_EQ(big.integerAt(0), 258);
  EXPECT_EQ(big.integerAt(1), -2);
  EXPECT_EQ(valueOf(read(header("<i8", "()") + bytesOf<int64_t>({-7}), b.getIndexType())).integerAt(0), -7);
  HostTensor flags = valueOf(read(header("|b1", "(3,)") + std::string("\1\0\1", 3), tensor({3}, b.getI1Type())));
  EXPECT_EQ(flags.integerAt(0), 1);
  EXPECT_EQ(flags.integerAt(1), 0);
  EXPECT_EQ(valueOf(read(header("|u1", "(1,)") + "\xff", tensor({1}, b.getI8Type()))).integerAt(0), -1);
  EXPECT_EQ(valueOf(read(header("|i1", "(2,)") + "\x07\xf8", tensor({2}, b.getIntegerType(4)))).integerAt(1), -8);
  // NumPy has no bf16: float32, rounded.
  EXPECT_EQ(
      valueOf(read(header("<f4", "(1,)") + bytesOf<float>({1.00390625f * 3}), tensor({1}, b.getBF16Type()))).floatAt(0),
      3.015625);
  EXPECT_EQ(valueOf(read(header("<f4", "(0, 4)"), tensor({0, 4}, b.getF32Type()))).elementCount(), 0);
  // The keys in another order, version 2.
  std::string text = "{\"shape\": (1,), \"fortran_order\": False, \"descr\": \"<f8\"}\n";
  std::string v2 = std::string("\x93NUMPY\2\0", 8) + char(text.size()) + std::string(3, '\0') + text;
  EXPECT_EQ(valueOf(read(v2 + bytesOf<double>({0.25}), tensor({1}, b.getF64Type()))).floatAt(0), 0.25);
}

TEST_F(NpyFile, FortranOrderIsTurned) {
  HostTensor t = valueOf(
      read(header("<i4", "(2, 3)", "True") + bytesOf<int32_t>({0, 10, 1, 11, 2, 12}), tensor({2, 3}, b.getI32Type())));
  std::vector<int32_t> expected = {0, 1, 2, 10, 11, 12};
  EXPECT_EQ(t.as<int32_t>(), llvm::ArrayRef(expected));
}

TEST_F(NpyFile, RefusesWhatDoesNotFit) {
  auto error = [&](const std::string &bytes, Type type) { return errorOf(read(bytes, type)); };
  Type f4 = tensor({4}, b.getF32Type());
  std::string data = bytesOf<float>({1, 2, 3, 4});
  EXPECT_NE(error(header("<f4", "(2, 2)") + data, f4).find("shape (2, 2), but a tensor<4xf32> has (4,)"),
            std::string::npos);
  EXPECT_NE(error(header("<f8", "(4,)") + data + data, f4).find("float64"), std::string::npos);
  EXPECT_NE(error(header("<f8", "(4,)") + data + data, f4).find("takes float32"), std::string::npos);
  EXPECT_NE(error(header("<i4", "(4,)") + data, f4).find("int32"), std::string::npos);
  EXPECT_NE(error(header("|i1", "(1,)") + "\x18", tensor({1}, b.getIntegerType(4))).find("24, which no i4 holds"),
            std::string::npos);
  EXPECT_NE(errorOf(readNpy((folder / "none.npy").string(), f4)).find("none.npy"), std::string::npos);
  EXPECT_NE(errorOf(readNpy(folder.string(), f4)).find("no regular file"), std::string::npos);
  EXPECT_NE(errorOf(readNpy("/dev/zero", f4)).find("no regular file"), std::string::npos);
}

TEST_F(NpyFile, HostileFilesAreRefused) {
  Type f4 = tensor({4}, b.getF32Type());
  std::string good = header("<f4", "(4,)") + bytesOf<float>({1, 2, 3, 4});
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(errorOf(read(good.substr(0, length), f4)).empty()) << length;
  std::string wrongMagic = good;
  wrongMagic[0] = 'x';
  EXPECT_NE(errorOf(read(wrongMagic, f4)).find("no .npy file"), std::string::npos);
  std::string version = good;
  version[6] = 9;
  EXPECT_NE(errorOf(read(version, f4)).find("version 9"), std::string::npos);
  std::string longHeader = good;
  longHeader[9] = char(0xff);
  EXPECT_NE(errorOf(read(longHeader, f4)).find("ends within its header"), std::string::npos);
  for (const char *shape :
       {"(4611686018427387904, 4)", "(99999999999999999999,)", "(-4,)", "(4", "4", "(4, x)", "((4,),)"})
    EXPECT_FALSE(errorOf(read(header("<f4", shape) + std::string(16, 0), f4)).empty()) << shape;
  for (const char *descr : {"|O", "<f3", "<M8[ns]", "|V16", "", "<f", "f4", "<i16"})
    EXPECT_NE(errorOf(read(header(descr, "(4,)") + std::string(64, 0), f4)).find("not that of an array of numbers"),
              std::string::npos)
        << descr;
  for (const char *dictionary : {"", "{", "{'descr': '<f4'}", "{'descr' '<f4'}",
                                 "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,)}"})
    EXPECT_FALSE(errorOf(read(header(dictionary) + std::string(16, 0), f4)).empty()) << dictionary;
}

TEST_F(NpyFile, WritesWhatNumpyReads) {
  HostTensor f = floats(session.context(), {2, 1}, {1.5, -2});
  EXPECT_EQ(valueOf(npyBytes(f)), header("<f4", "(2, 1)") + bytesOf<float>({1.5, -2}));
  EXPECT_EQ(valueOf(npyBytes(f)).find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"), 10u);
  HostTensor narrow = valueOf(HostTensor::create(tensor({2}, b.getIntegerType(4))));
  narrow.setInteger(0, -3);
  EXPECT_EQ(valueOf(npyBytes(narrow)), header("|i1", "(2,)") + bytesOf<int8_t>({-3, 0}));
  HostTensor half = valueOf(HostTensor::create(tensor({1}, b.getBF16Type())));
  half.setFloat(0, 3);
  EXPECT_EQ(valueOf(npyBytes(half)), header("<f4", "(1,)") + bytesOf<float>({3}));
  HostTensor flag = valueOf(HostTensor::create(b.getI1Type()));
  flag.setInteger(0, 1);
  EXPECT_EQ(valueOf(npyBytes(flag)), header("|b1", "()") + "\1");
  EXPECT_NE(errorOf(npyBytes(valueOf(HostTensor::create(b.getIntegerType(128))))).find("i128"), std::string::npos);
}

TEST_F(NpyFile, RoundTripsEveryType) {
  for (Type element : {Type(b.getF16Type()), Type(b.getF32Type()), Type(b.getF64Type()), Type(b.getBF16Type()),
                       Type(b.getI8Type()), Type(b.getI16Type()), Type(b.getI64Type()), Type(b.getI1Type()),
                       Type(b.getIndexType()), Type(b.getIntegerType(4)), Type(b.getIntegerType(24)),
                       Type(b.getIntegerType(16, false)), Type(ComplexType::get(b.getF32Type()))}) {
    Type type = tensor({3, 1}, element);
    HostTensor value = valueOf(HostTensor::create(type));
    for (int64_t i = 0; i < 3; ++i)
      if (isa<FloatType>(element))
        value.setFloat(i, i - 1.5);
      else if (!isa<ComplexType>(element))
        value.setInteger(i, element.isInteger(1) ? i & 1 : i + 1);
    HostTensor again = valueOf(read(valueOf(npyBytes(value)), type));
    EXPECT_EQ(again.as<uint8_t>(), value.as<uint8_t>()) << textOf(type);
  }
}
