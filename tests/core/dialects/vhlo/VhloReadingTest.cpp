// Types and attributes of VHLO by their codes, those included that no tool at hand writes.
#include "CodeReader.h"
#include "core/dialects/vhlo/BytecodeItems.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace fuselage;

namespace {

class VhloReading : public PortableContext {
protected:
  std::string type(std::initializer_list<int64_t> numbers, std::deque<mlir::Type> types = {},
                   std::deque<double> floats = {}) {
    CodeReader reader(context(), numbers);
    reader.types = std::move(types);
    reader.floats = std::move(floats);
    return print(readVhloType(reader));
  }
  mlir::Attribute attribute(std::initializer_list<int64_t> numbers, std::deque<mlir::Attribute> attributes = {},
                            std::deque<mlir::Type> types = {}) {
    CodeReader reader(context(), numbers);
    reader.attributes = std::move(attributes);
    reader.types = std::move(types);
    return readVhloAttribute(reader);
  }
  /// A constant of this type with these bytes.
  std::string constant(llvm::ArrayRef<int64_t> shape, mlir::Type element, std::vector<char> bytes) {
    CodeReader reader(context(), {15});
    reader.types = {mlir::RankedTensorType::get(shape, element)};
    reader.blob = std::move(bytes);
    return print(readVhloAttribute(reader));
  }
  mlir::Type i1() { return mlir::IntegerType::get(context(), 1); }
  mlir::Type i8() { return mlir::IntegerType::get(context(), 8); }
  mlir::Type f32() { return mlir::Float32Type::get(context()); }
  mlir::Attribute string(llvm::StringRef text) { return mlir::StringAttr::get(context(), text); }
};

constexpr int64_t kDynamic = mlir::ShapedType::kDynamic;

} // namespace

TEST_F(VhloReading, TypesWithoutParametersAreThoseOfBuiltin) {
  const char *expected[] = {"i1",
                            nullptr,
                            "bf16",
                            "f16",
                            "f32",
                            "f64",
                            "f8E4M3FN",
                            "f8E5M2",
                            nullptr,
                            "index",
                            "i4",
                            "i8",
                            "i16",
                            "i32",
                            "i64",
                            "ui4",
                            "ui8",
                            "ui16",
                            "ui32",
                            "ui64",
                            nullptr,
                            nullptr,
                            "!stablehlo.token"};
  for (auto [code, name] : llvm::enumerate(expected))
    if (name)
      EXPECT_EQ(type({int64_t(code)}), name) << code;
  const char *later[] = {"f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", nullptr,    "i2",       "ui2",      "none",
                         "tf32",       "f8E4M3",     "f8E3M4",        "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"};
  for (auto [offset, name] : llvm::enumerate(later))
    if (name)
      EXPECT_EQ(type({27 + int64_t(offset)}), name) << 27 + offset;
}

TEST_F(VhloReading, TypesWithParameters) {
  EXPECT_EQ(type({20, 2, 3, kDynamic}, {f32()}), "tensor<3x?xf32>");
  EXPECT_EQ(type({25}, {f32()}), "tensor<*xf32>");
  EXPECT_EQ(type({1}, {f32()}), "complex<f32>");
  EXPECT_EQ(type({8, 2, 1}, {f32(), i8(), i1()}), "(f32, i8) -> i1");
  EXPECT_EQ(type({23, 2}, {f32(), i8()}), "tuple<f32, i8>");
  EXPECT_EQ(type({41, 1, 4}, {f32()}), "memref<4xf32>");
  EXPECT_EQ(type({42, 1}, {f32()}), "!stablehlo.future<f32>");
  EXPECT_EQ(type({24, 1, -3, -128, 127}, {i8(), f32()}, {0.5}), "!quant.uniform<i8:f32, 5.000000e-01:-3>");
  EXPECT_EQ(type({30, 1, 2, -128, 127, 2, 2, 3, -1}, {i8(), f32()}, {0.5, 0.25}),
            "!quant.uniform<i8:f32:2, {5.000000e-01:3,2.500000e-01:-1}>");
}

TEST_F(VhloReading, TypesThatCannotBeAreRefused) {
  EXPECT_EQ(type({99}), "");
  EXPECT_EQ(firstMessage(), "type code 99 of VHLO is not known");
  EXPECT_EQ(type({20, 1, -5}, {f32()}), "");
  EXPECT_EQ(type({1}, {mlir::NoneType::get(context())}), "");
  EXPECT_EQ(type({24, 1, 0, -1000, 1000}, {i8(), f32()}, {0.5}), "") << "more than the storage holds";
}

TEST_F(VhloReading, AListIsNotReservedBeforeItIsRead) {
  EXPECT_EQ(type({20, int64_t(1) << 60, 1, 2, 3}, {f32()}), "");
  EXPECT_EQ(attribute({1, int64_t(1) << 60}), mlir::Attribute());
  EXPECT_EQ(attribute({6, int64_t(1) << 60}), mlir::Attribute());
}

TEST_F(VhloReading, ConstantsOfBooleansInEachPacking) {
  EXPECT_EQ(constant({}, i1(), {char(0xff)}), "dense<true> : tensor<i1>");
  EXPECT_EQ(constant({}, i1(), {1}), "dense<true> : tensor<i1>");
  EXPECT_EQ(constant({2, 3}, i1(), {char(0xff)}), "dense<true> : tensor<2x3xi1>");
  EXPECT_EQ(constant({2, 3}, i1(), {0}), "dense<false> : tensor<2x3xi1>");
  EXPECT_EQ(constant({3}, i1(), {0b101}), "dense<[true, false, true]> : tensor<3xi1>");
  EXPECT_EQ(constant({3}, i1(), {1, 0, 1}), "dense<[true, false, true]> : tensor<3xi1>");
  EXPECT_EQ(constant({9}, i1(), {0b1, 0b1}),
            "dense<[true, false, false, false, false, false, false, false, true]> : tensor<9xi1>");
  EXPECT_EQ(constant({9}, i1(), {1, 1, 1}), "") << "too few";
}

TEST_F(VhloReading, OtherConstants) {
  EXPECT_EQ(constant({2}, i8(), {1, char(-1)}), "dense<[1, -1]> : tensor<2xi8>");
  EXPECT_EQ(constant({2}, f32(), {0, 0, char(0x80), 0x3f}), "dense<1.000000e+00> : tensor<2xf32>");
  EXPECT_EQ(constant({2}, f32(), {0, 0, 0}), "") << "no whole number";
  EXPECT_EQ(constant({kDynamic}, i8(), {1}), "") << "no size";
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ(constant({large, large}, i8(), {1}), "") << "no such size";
  EXPECT_EQ(constant({large}, i1(), {1, 1}), "");
}

TEST_F(VhloReading, Attributes) {
  EXPECT_EQ(print(attribute({1, 2}, {string("a"), string("b")})), "[\"a\", \"b\"]");
  EXPECT_EQ(print(attribute({2, 1})), "true");
  EXPECT_EQ(print(attribute({3, 5})), "#stablehlo<comparison_direction LT>");
  EXPECT_EQ(print(attribute({4, 2})), "#stablehlo<comparison_type TOTALORDER>");
  EXPECT_EQ(print(attribute({5, 4})), "4 : i32");
  EXPECT_EQ(print(attribute({6, 1}, {string("k"), string("v")})), "{k = \"v\"}");
  EXPECT_EQ(print(attribute({7, 3})), "#stablehlo<fft_type IRFFT>");
  EXPECT_EQ(print(attribute({9, -7}, {}, {i8()})), "-7 : i8");
  EXPECT_EQ(print(attribute({10, 1, 0, 0, 1, 1})), "#stablehlo.output_operand_alias<output_tuple_indices = [0], "
                                                   "operand_index = 0, operand_tuple_indices = [1]>");
  EXPECT_EQ(print(attribute({11, 2})), "#stablehlo<precision HIGHEST>");
  EXPECT_EQ(print(attribute({12, 1})), "#stablehlo<rng_algorithm THREE_FRY>");
  EXPECT_EQ(print(attribute({13, 2})), "#stablehlo<rng_distribution NORMAL>");
  EXPECT_EQ(print(attribute({16, 3})), "#stablehlo<transpose ADJOINT>");
  EXPECT_EQ(print(attribute({18, 2, kDynamic, 10})), "#stablehlo.bounds<?, 10>");
  EXPECT_EQ(print(attribute({19, 2})), "#stablehlo.result_accuracy_mode<TOLERANCE>");
}

TEST_F(VhloReading, AttributesThatCannotBeAreRefused) {
  EXPECT_FALSE(attribute({99}));
  EXPECT_EQ(firstMessage(), "attribute code 99 of VHLO is not known");
  EXPECT_FALSE(attribute({3, 6}));
  EXPECT_FALSE(attribute({13, 0})) << "the first word has the number one";
  EXPECT_FALSE(attribute({6, 2}, {string("k"), string("v"), string("k"), string("w")})) << "a key twice";
  EXPECT_FALSE(attribute({9, 1}, {}, {f32()})) << "an integer of a float type";
  EXPECT_FALSE(attribute({8}, {}, {i8()})) << "a float of an integer type";
}
