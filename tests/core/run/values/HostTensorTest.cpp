#include "core/run/values/HostTensor.h"
#include "core/registration/Registration.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

TEST(HostTensor, TypesThatHaveNoHostForm) {
  Session session(allDialects());
  Builder b(&session.context());
  EXPECT_NE(errorOf(HostTensor::create(RankedTensorType::get({ShapedType::kDynamic}, b.getF32Type()))).find("dynamic"),
            std::string::npos);
  EXPECT_NE(errorOf(HostTensor::create(VectorType::get({4}, b.getF32Type()))).find("vector<4xf32>"), std::string::npos);
  EXPECT_NE(
      errorOf(HostTensor::create(RankedTensorType::get({1 << 30, 1 << 30}, b.getF32Type()))).find("out of memory"),
      std::string::npos);
  EXPECT_EQ(valueOf(HostTensor::create(RankedTensorType::get({0, 4}, b.getF32Type()))).byteCount(), 0u);
}

TEST(HostTensor, ConstantsOfEveryForm) {
  Session session(allDialects());
  Builder b(&session.context());
  auto value = [&](TypedAttr attribute) { return valueOf(HostTensor::fromAttribute(attribute)); };
  EXPECT_EQ(value(b.getIndexAttr(-3)).integerAt(0), -3);
  EXPECT_EQ(value(b.getBoolAttr(true)).integerAt(0), 1);
  EXPECT_EQ(value(b.getF16FloatAttr(1.5)).floatAt(0), 1.5);
  auto parseAttr = [&](StringRef text) { return llvm::cast<TypedAttr>(parseAttribute(text, &session.context())); };
  HostTensor splat = value(parseAttr("dense<2.5> : tensor<5xf32>"));
  EXPECT_EQ(splat.as<float>()[4], 2.5f);
  EXPECT_EQ(value(parseAttr("dense<[1, -2, 3]> : tensor<3xi4>")).integerAt(1), -2);
  EXPECT_EQ(value(parseAttr("dense<[true, false, true]> : tensor<3xi1>")).integerAt(2), 1);
  EXPECT_EQ(value(parseAttr("dense<true> : tensor<3xi1>")).integerAt(2), 1);
  HostTensor pair = value(parseAttr("dense<(1.0, -4.0)> : tensor<2xcomplex<f32>>"));
  EXPECT_EQ(pair.as<float>()[3], -4.0f);
  EXPECT_EQ(value(parseAttr("dense<[1, 2]> : tensor<2xindex>")).integerAt(1), 2);
  auto missing = parseAttr("dense_resource<elided> : tensor<4xf32>");
  EXPECT_NE(errorOf(HostTensor::fromAttribute(missing)).find("elided"), std::string::npos);
}

TEST(HostTensor, PacksSmallIntegersForDevices) {
  Session session(allDialects());
  Builder b(&session.context());
  HostTensor four = valueOf(HostTensor::create(RankedTensorType::get({3}, b.getIntegerType(4))));
  four.setInteger(0, -1);
  four.setInteger(1, 5);
  four.setInteger(2, -8);
  ASSERT_EQ(deviceByteCount(four.type()), 2u);
  uint8_t bytes[16];
  packForDevice(four, bytes);
  EXPECT_EQ(bytes[0], 0x5f);
  EXPECT_EQ(bytes[1], 0x08);
  HostTensor back = valueOf(HostTensor::create(four.type()));
  unpackFromDevice(bytes, back);
  EXPECT_EQ(back.integerAt(2), -8);

  HostTensor index = valueOf(HostTensor::create(RankedTensorType::get({2}, b.getIndexType())));
  index.setInteger(1, -7);
  ASSERT_EQ(deviceByteCount(index.type()), 16u);
  packForDevice(index, bytes);
  HostTensor indexBack = valueOf(HostTensor::create(index.type()));
  unpackFromDevice(bytes, indexBack);
  EXPECT_EQ(indexBack.integerAt(1), -7);
  EXPECT_TRUE(sameOnDevice(index.type()));
  EXPECT_FALSE(sameOnDevice(four.type()));
}

/// Halves are converted by bits of ours: every one of them comes back, and what lies between two goes to the nearer.
TEST(HostTensor, HalvesAreRoundedAsAPFloatRounds) {
  Session session(allDialects());
  mlir::Builder b(&session.context());
  for (mlir::FloatType type : {mlir::FloatType(b.getF16Type()), mlir::FloatType(b.getBF16Type())}) {
    HostTensor tensor = valueOf(HostTensor::create(mlir::RankedTensorType::get({1}, type)));
    auto expected = [&](double number) {
      llvm::APFloat converted(number);
      bool inexact = false;
      converted.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      return converted.bitcastToAPInt().getZExtValue();
    };
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      tensor.as<uint16_t>()[0] = uint16_t(bits);
      double number = tensor.floatAt(0);
      llvm::APFloat exact(type.getFloatSemantics(), llvm::APInt(16, bits));
      if (!exact.isFinite()) {
        EXPECT_FALSE(std::isfinite(number)) << bits;
        continue;
      }
      tensor.setFloat(0, number);
      ASSERT_EQ(tensor.as<uint16_t>()[0], bits);
      for (float near : {float(number) * 1.0001f, float(number) * 1.00048828125f, float(number) + 0x1p-25f}) {
        tensor.setFloat(0, near);
        ASSERT_EQ(tensor.as<uint16_t>()[0], expected(near)) << bits << ' ' << near;
      }
    }
  }
}

TEST(HostTensor, ExtendedNumbersAreAsAPFloatHasThem) {
  Session session(allDialects());
  mlir::FloatType type = mlir::Float80Type::get(&session.context());
  HostTensor tensor = valueOf(HostTensor::create(mlir::RankedTensorType::get({1}, type)));
  std::mt19937_64 random(5);
  for (int draw = 0; draw < 20000; ++draw) {
    double number = llvm::bit_cast<double>(draw % 3 ? random() : random() & 0x800fffffffffffff); // subnormal ones, too
    if (draw < 2)
      number = draw ? -0.0 : 0.0;
    if (!std::isfinite(number))
      continue;
    tensor.setFloat(0, number);
    llvm::APFloat exact(number);
    bool inexact = false;
    exact.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    EXPECT_EQ(std::memcmp(tensor.data(), exact.bitcastToAPInt().getRawData(), 10), 0) << number;
    // A neighbour that no double is.
    tensor.data()[0] = uint8_t(random());
    tensor.data()[1] = uint8_t(random() & 7);
    uint64_t words[2] = {0, 0};
    std::memcpy(words, tensor.data(), 10);
    llvm::APFloat near(type.getFloatSemantics(), llvm::APInt(80, words));
    near.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    if (number != 0)
      EXPECT_EQ(tensor.floatAt(0), near.convertToDouble()) << number;
  }
}
