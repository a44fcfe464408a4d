// Figures and pictures of tensors, against brute force on random ones.
#include "core/registration/Registration.h"
#include "core/run/inspect/ValueSlice.h"
#include "core/run/inspect/ValueStatistics.h"
#include "core/run/values/RandomInputs.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>
#include <random>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

class ValueFigures : public ::testing::Test {
protected:
  Session session_{allDialects()};
  MLIRContext &context_ = session_.context();
  Builder builder_{&context_};
  std::mt19937_64 random_{7};

  int64_t below(int64_t count) { return int64_t(random_() % uint64_t(count)); }

  std::vector<Type> types() {
    return {builder_.getF32Type(),          builder_.getF64Type(),
            builder_.getF16Type(),          builder_.getBF16Type(),
            Float8E5M2Type::get(&context_), Float8E4M3FNType::get(&context_),
            builder_.getI1Type(),           builder_.getI8Type(),
            builder_.getIntegerType(4),     builder_.getIntegerType(16, false),
            builder_.getI32Type(),          builder_.getI64Type(),
            builder_.getIndexType()};
  }

  /// Random elements, of floats some that are not finite.
  HostTensor make(Type element, llvm::ArrayRef<int64_t> shape) {
    HostTensor tensor = valueOf(randomTensor(RankedTensorType::get(shape, element), random_(), 0));
    const double odd[] = {NAN, INFINITY, -INFINITY, 0};
    for (int64_t i = 0; isa<FloatType>(element) && i < tensor.elementCount(); ++i)
      if (below(8) == 0)
        tensor.setFloat(i, odd[below(4)]);
    return tensor;
  }

  HostTensor makeAny(Type element, int64_t leastRank) {
    std::vector<int64_t> shape(size_t(leastRank + below(5 - leastRank)));
    for (int64_t &size : shape)
      size = 1 + below(7);
    return make(element, shape);
  }
};

/// Digits of floats of up to 32 bits are those of an f32.
double readBack(const std::string &digits, Type element) {
  bool isNarrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32;
  return isNarrow ? std::strtof(digits.c_str(), nullptr) : std::strtod(digits.c_str(), nullptr);
}

} // namespace

TEST_F(ValueFigures, StatisticsAreThoseOfBruteForce) {
  for (Type element : types())
    for (int round = 0; round < 20; ++round) {
      HostTensor tensor = makeAny(element, 0);
      int64_t nan = 0, positive = 0, negative = 0, zeros = 0, finite = 0;
      long double sum = 0, low = INFINITY, high = -INFINITY;
      for (int64_t i = 0; i < tensor.elementCount(); ++i) {
        double value = realElement(tensor, i);
        nan += std::isnan(value);
        positive += value == INFINITY;
        negative += value == -INFINITY;
        zeros += value == 0;
        if (!std::isfinite(value))
          continue;
        ++finite;
        sum += value;
        low = std::min<long double>(low, value);
        high = std::max<long double>(high, value);
      }
      long double mean = sum / finite, squares = 0;
      for (int64_t i = 0; i < tensor.elementCount(); ++i)
        if (double value = realElement(tensor, i); std::isfinite(value))
          squares += (value - mean) * (value - mean);
      ValueStatistics statistics = valueStatisticsOf(tensor);
      std::string what = textOf(tensor.type());
      EXPECT_EQ(statistics.elements, tensor.elementCount()) << what;
      EXPECT_EQ(statistics.nan, nan) << what;
      EXPECT_EQ(statistics.positiveInfinities, positive) << what;
      EXPECT_EQ(statistics.negativeInfinities, negative) << what;
      EXPECT_EQ(statistics.zeros, zeros) << what;
      if (finite == 0) {
        EXPECT_EQ(statistics.min, "") << what;
        continue;
      }
      EXPECT_NEAR(statistics.mean, double(mean), 1e-15 * std::max(1.0, std::abs(double(high - low)))) << what;
      EXPECT_NEAR(statistics.deviation, std::sqrt(double(squares / finite)),
                  1e-12 * std::max(1.0, std::abs(double(high - low))))
          << what;
      if (!element.isInteger(1)) {
        EXPECT_EQ(readBack(statistics.min, element), double(low)) << what;
        EXPECT_EQ(readBack(statistics.max, element), double(high)) << what;
      }
    }
}

TEST_F(ValueFigures, DigitsReadBackAsTheSameElement) {
  HostTensor halves = valueOf(HostTensor::create(RankedTensorType::get({65536}, builder_.getF16Type())));
  for (int i = 0; i < 65536; ++i)
    halves.as<uint16_t>()[size_t(i)] = uint16_t(i);
  for (int i = 0; i < 65536; ++i) {
    double value = halves.floatAt(i);
    if (std::isfinite(value))
      ASSERT_EQ(readBack(elementDigits(halves, i), halves.elementType()), value) << i;
  }
  EXPECT_EQ(elementDigits(floats(context_, {1}, {0.1f}), 0), "0.1");
  EXPECT_EQ(elementDigits(floats(context_, {1}, {NAN}), 0), "nan");
  EXPECT_EQ(elementDigits(floats(context_, {1}, {-INFINITY}), 0), "-inf");
}

TEST_F(ValueFigures, SumsLoseNothing) {
  // Without compensation the mean would be 0; beyond float64 the sum would be infinite.
  HostTensor wide = valueOf(HostTensor::create(RankedTensorType::get({4}, builder_.getF64Type())));
  for (auto [i, value] : llvm::enumerate(std::vector{1.0, 1e100, 1.0, -1e100}))
    wide.setFloat(int64_t(i), value);
  EXPECT_EQ(valueStatisticsOf(wide).mean, 0.5);
  for (int i = 0; i < 4; ++i)
    wide.setFloat(i, 1.5e308);
  EXPECT_EQ(valueStatisticsOf(wide).mean, 1.5e308);
  HostTensor large = valueOf(HostTensor::create(RankedTensorType::get({2}, builder_.getIntegerType(64, false))));
  large.setInteger(0, -1); // 2^64 - 1
  ValueStatistics statistics = valueStatisticsOf(large);
  EXPECT_EQ(statistics.max, "18446744073709551615");
  EXPECT_EQ(statistics.min, "0");
  EXPECT_EQ(statistics.mean, 0x1p63);
}

TEST_F(ValueFigures, WithoutElementsThereIsNothing) {
  HostTensor none = valueOf(HostTensor::create(RankedTensorType::get({3, 0}, builder_.getF32Type())));
  ValueStatistics statistics = valueStatisticsOf(none);
  EXPECT_EQ(statistics.elements, 0);
  EXPECT_EQ(statistics.min, "");
  EXPECT_TRUE(std::isnan(statistics.mean));
  EXPECT_FALSE(valueSliceOf(none, {}));
  EXPECT_FALSE(valueSliceOf(floats(context_, {}, {1}), {}));
}

TEST_F(ValueFigures, ComplexNumbersCountByTheirMagnitude) {
  HostTensor tensor = valueOf(HostTensor::create(RankedTensorType::get({2}, ComplexType::get(builder_.getF32Type()))));
  HostTensor parts = tensor.reinterpret(RankedTensorType::get({4}, builder_.getF32Type()));
  for (auto [i, value] : llvm::enumerate(std::vector{3.0, -4.0, 0.0, 1.0}))
    parts.setFloat(int64_t(i), value);
  ValueStatistics statistics = valueStatisticsOf(tensor);
  EXPECT_TRUE(statistics.ofMagnitudes);
  EXPECT_EQ(statistics.min, "1");
  EXPECT_EQ(statistics.max, "5");
  EXPECT_EQ(elementDigits(tensor, 0), "3-4i");
}

TEST_F(ValueFigures, SlicesAreThoseOfBruteForce) {
  for (Type element : types())
    for (int round = 0; round < 30; ++round) {
      HostTensor tensor = makeAny(element, 1);
      llvm::ArrayRef<int64_t> shape = tensor.shape();
      int64_t rank = int64_t(shape.size()), width = shape.back(), height = rank > 1 ? shape[rank - 2] : 1;
      std::vector<int64_t> index;
      for (int64_t dim = 0; dim + 2 < rank; ++dim)
        index.push_back(below(shape[dim]));
      SliceWish wish{.index = index,
                     .firstRow = below(height),
                     .firstColumn = below(width),
                     .rowExtent = below(2) ? 1 + below(height) : -1,
                     .columnExtent = below(2) ? 1 + below(width) : -1,
                     .mostCells = 1 + below(5)};
      auto slice = valueSliceOf(tensor, wish);
      ASSERT_TRUE(slice);
      ASSERT_TRUE(slice->isComplete());
      EXPECT_LE(slice->rows, wish.mostCells);
      EXPECT_LE(slice->columns, wish.mostCells);
      EXPECT_EQ(slice->rowExtent, std::min(height - wish.firstRow, wish.rowExtent < 0 ? height : wish.rowExtent));
      int64_t base = 0;
      for (int64_t dim = 0; dim + 2 < rank; ++dim)
        base = base * shape[dim] + index[dim];
      base *= width * height;
      int64_t seen = 0;
      for (int row = 0; row < slice->rows; ++row)
        for (int column = 0; column < slice->columns; ++column) {
          int64_t cell = int64_t(row) * slice->columns + column, place = slice->places[cell];
          double shown = realElement(tensor, base + place);
          EXPECT_EQ(slice->texts[cell], elementDigits(tensor, base + place));
          EXPECT_TRUE(shown == slice->values[cell] || (std::isnan(shown) && std::isnan(slice->values[cell])));
          bool hasPlace = false;
          for (int64_t r = row * slice->rowStep; r < std::min(slice->rowExtent, (row + 1) * slice->rowStep); ++r)
            for (int64_t c = column * slice->columnStep;
                 c < std::min(slice->columnExtent, (column + 1) * slice->columnStep); ++c, ++seen) {
              int64_t other = (slice->firstRow + r) * width + slice->firstColumn + c;
              double value = realElement(tensor, base + other);
              hasPlace |= other == place;
              EXPECT_TRUE(std::isnan(shown) || (!std::isnan(value) && std::abs(value) <= std::abs(shown)));
            }
          EXPECT_TRUE(hasPlace);
        }
      EXPECT_EQ(seen, slice->rowExtent * slice->columnExtent); // no element is left out
    }
}
