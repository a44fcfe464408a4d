#include "core/run/values/ResultView.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

/// 0, 1, 2, ..
static HostTensor iota(MLIRContext &context, llvm::ArrayRef<int64_t> shape) {
  HostTensor tensor = valueOf(HostTensor::create(RankedTensorType::get(shape, Float32Type::get(&context))));
  std::iota(tensor.as<float>().begin(), tensor.as<float>().end(), 0.f);
  return tensor;
}

TEST(ResultView, StatisticsAreOfTheFiniteElements) {
  Session session(allDialects());
  auto statistics = statisticsOf(floats(session.context(), {5}, {1, NAN, -3, INFINITY, 8}));
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->min, -3);
  EXPECT_EQ(statistics->max, 8);
  EXPECT_EQ(statistics->mean, 2);
  EXPECT_FALSE(statisticsOf(floats(session.context(), {2}, {NAN, INFINITY})));
}

TEST(ResultView, HeatMapShowsTheSliceOfTheWorstElement) {
  Session session(allDialects());
  HostTensor actual = iota(session.context(), {2, 3, 100, 130}), expected = iota(session.context(), {2, 3, 100, 130});
  int64_t worst = ((1 * 3 + 2) * 100 + 57) * 130 + 129;
  expected.as<float>()[worst] += 7;
  Comparison comparison;
  comparison.worst = worst;
  ResultView view = viewResult(actual, expected, comparison);
  ASSERT_TRUE(view.worst);
  EXPECT_EQ(view.worst->index, (std::vector<int64_t>{1, 2, 57, 129}));
  EXPECT_EQ(std::get<double>(view.worst->actual), actual.as<float>()[worst]);
  EXPECT_EQ(view.values.size(), 64u);
  ASSERT_TRUE(view.heat);
  const HeatMap &heat = *view.heat;
  EXPECT_EQ(heat.slice, (std::vector<int64_t>{1, 2, -1, -1}));
  EXPECT_EQ(heat.rowDim, 2);
  EXPECT_EQ(heat.columnDim, 3);
  EXPECT_EQ(heat.rowStep, 2);
  EXPECT_EQ(heat.columnStep, 3);
  EXPECT_EQ(heat.rows, 50);
  EXPECT_EQ(heat.columns, 44);
  ASSERT_EQ(heat.values.size(), 50u * 44u);
  ASSERT_EQ(heat.errors.size(), heat.values.size());
  EXPECT_EQ(heat.errors[28 * 44 + 43], 7);
  EXPECT_EQ(std::accumulate(heat.errors.begin(), heat.errors.end(), 0.0), 7);
  // A cell shows its largest element: the last of its 2 x 3.
  EXPECT_EQ(heat.values[0], actual.as<float>()[5 * 13000 + 130 + 2]);
}

TEST(ResultView, HeatMapsOfOddShapes) {
  Session session(allDialects());
  auto &context = session.context();
  auto map = [&](llvm::ArrayRef<int64_t> shape) { return heatMapOf(iota(context, shape), {}, -1); };
  EXPECT_FALSE(map({0, 4}));
  EXPECT_FALSE(heatMapOf(valueOf(HostTensor::create(Float32Type::get(&context))), {}, -1));
  auto line = map({200});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->rowDim, -1);
  EXPECT_EQ(line->rows, 1);
  EXPECT_EQ(line->columns, 50);
  // Dimensions of one element are not worth an axis.
  auto unit = map({5, 1, 7, 1});
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->rowDim, 0);
  EXPECT_EQ(unit->columnDim, 2);
  EXPECT_EQ(unit->values.back(), 34);
  EXPECT_TRUE(unit->errors.empty());
  auto nan = heatMapOf(floats(context, {1, 130}, std::vector<float>(130, NAN)), {}, -1);
  EXPECT_TRUE(std::isnan(nan->values[0]));
}

TEST(ResultView, ElementsOfEveryTypeHaveAForm) {
  Session session(allDialects());
  Builder b(&session.context());
  auto text = [](const Element &element) { return llvm::formatv("{0}", message::encode(element)).str(); };
  EXPECT_EQ(text(elementOf(floats(session.context(), {1}, {-INFINITY}), 0)), "\"-inf\"");
  HostTensor i64 = valueOf(HostTensor::create(b.getI64Type()));
  i64.setInteger(0, INT64_MIN);
  EXPECT_EQ(text(elementOf(i64, 0)), "-9223372036854775808");
  HostTensor u64 = valueOf(HostTensor::create(b.getIntegerType(64, false)));
  u64.setInteger(0, -1);
  EXPECT_EQ(text(elementOf(u64, 0)), "18446744073709551615");
  HostTensor i128 = valueOf(HostTensor::create(b.getIntegerType(128)));
  i128.as<uint64_t>()[1] = 1;
  EXPECT_EQ(text(elementOf(i128, 0)), "\"18446744073709551616\"");
  HostTensor complex = valueOf(HostTensor::create(ComplexType::get(b.getF32Type())));
  complex.as<float>()[0] = 1.5;
  complex.as<float>()[1] = NAN;
  EXPECT_EQ(text(elementOf(complex, 0)), "[1.5,\"nan\"]");
}

TEST(ResultView, PrintsAsNumPyDoes) {
  Session session(allDialects());
  Builder b(&session.context());
  EXPECT_EQ(printTensor(floats(session.context(), {2, 2}, {1, -2.5, NAN, 1e10f})), "[[   1.  -2.5]\n [  nan 1e+10]]");
  EXPECT_EQ(printTensor(iota(session.context(), {2, 1, 2})), "[[[0. 1.]]\n\n [[2. 3.]]]");
  std::string large = printTensor(iota(session.context(), {40, 40}));
  EXPECT_EQ(large.substr(0, large.find('\n')), "[[   0.    1.    2. ...   37.   38.   39.]");
  EXPECT_NE(large.find("\n ...\n"), std::string::npos);
  EXPECT_EQ(std::count(large.begin(), large.end(), '\n'), 6);
  HostTensor flag = valueOf(HostTensor::create(RankedTensorType::get({2}, b.getI1Type())));
  flag.setInteger(1, 1);
  EXPECT_EQ(printTensor(flag), "[false  true]");
  EXPECT_EQ(printTensor(valueOf(HostTensor::create(RankedTensorType::get({0}, b.getI1Type())))), "[]");
  EXPECT_EQ(printTensor(iota(session.context(), std::vector<int64_t>(20, 2))), "[...]");
}
