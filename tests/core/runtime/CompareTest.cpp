#include "core/runtime/Compare.h"
#include "RuntimeTestSupport.h"
#include "core/runtime/RandomInputs.h"
#include "core/runtime/Timing.h"
#include "mlir/IR/Builders.h"
#include <cmath>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

static const float nan32 = std::nanf(""), inf32 = INFINITY;

TEST(Compare, AbsoluteAndRelativeErrors) {
  Session session;
  auto &context = session.context();
  HostTensor b = floats(context, {4}, {1, -200, 3, 0});
  HostTensor a = floats(context, {4}, {1, -199, 3, 0.5});
  Comparison result = compareTensors(a, b, 1e-4);
  EXPECT_DOUBLE_EQ(result.maxAbsError, 1);
  EXPECT_DOUBLE_EQ(result.maxRelError, 1.0 / 200);
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(compareTensors(a, b, 1e-2).ok);
  EXPECT_TRUE(compareTensors(b, b, 0).ok);
  HostTensor zeros = floats(context, {1}, {0}), tiny = floats(context, {1}, {1e-8f});
  EXPECT_NEAR(compareTensors(tiny, zeros, 0.1).maxRelError, 1e-2, 1e-6);
}

TEST(Compare, NotANumberAndInfinity) {
  Session session;
  auto &context = session.context();
  auto ok = [&](float a, float b) {
    return compareTensors(floats(context, {2}, {1, a}), floats(context, {2}, {1, b}), 1e-4).ok;
  };
  EXPECT_TRUE(ok(nan32, nan32));
  EXPECT_TRUE(ok(inf32, inf32));
  EXPECT_TRUE(ok(-inf32, -inf32));
  EXPECT_FALSE(ok(inf32, -inf32));
  EXPECT_FALSE(ok(nan32, 1));
  EXPECT_FALSE(ok(1, nan32));
  EXPECT_FALSE(ok(1, inf32));
  EXPECT_FALSE(ok(inf32, 1));
  EXPECT_FALSE(ok(nan32, inf32));
}

TEST(Compare, IntegersAreExactAndTypesMustAgree) {
  Session session;
  Builder b(&session.context());
  HostTensor x = valueOf(HostTensor::create(RankedTensorType::get({2}, b.getIntegerType(4))));
  HostTensor y = valueOf(HostTensor::create(x.type()));
  x.setInteger(1, -3);
  EXPECT_FALSE(compareTensors(x, y, 1).ok);
  EXPECT_EQ(compareTensors(x, y, 1).maxAbsError, 3);
  y.setInteger(1, -3);
  EXPECT_TRUE(compareTensors(x, y, 0).ok);
  EXPECT_FALSE(compareTensors(x, floats(session.context(), {2}, {0, -3}), 1).ok);
}

TEST(Compare, ToleranceIsThatOfTheLeastExactType) {
  Session session;
  Builder b(&session.context());
  EXPECT_EQ(toleranceOf(b.getI32Type()), 0);
  EXPECT_LT(toleranceOf(b.getF64Type()), toleranceOf(b.getF32Type()));
  EXPECT_EQ(toleranceOf(b.getF32Type()), 1e-4);
  EXPECT_LT(toleranceOf(b.getF16Type()), toleranceOf(b.getBF16Type()));
  auto module = parse(session, R"(func.func @f(%a: tensor<2xf16>) -> tensor<2xf32> {
      %0 = arith.extf %a : tensor<2xf16> to tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  EXPECT_EQ(toleranceWithin(*module), toleranceOf(b.getF16Type()));
}

TEST(RandomInputs, DependOnSeedAndIndexAlone) {
  Session session;
  Builder b(&session.context());
  Type type = RankedTensorType::get({1000}, b.getF32Type());
  HostTensor one = valueOf(randomTensor(type, 1, 0)), again = valueOf(randomTensor(type, 1, 0));
  EXPECT_EQ(one.as<float>(), again.as<float>());
  EXPECT_NE(one.as<float>(), valueOf(randomTensor(type, 2, 0)).as<float>());
  EXPECT_NE(one.as<float>(), valueOf(randomTensor(type, 1, 1)).as<float>());
  for (float value : one.as<float>()) {
    EXPECT_GE(value, -1);
    EXPECT_LT(value, 1);
    EXPECT_EQ(value * 128, std::round(value * 128));
  }
  // Fixed for all platforms and versions.
  EXPECT_EQ(one.as<float>()[0], valueOf(randomTensor(b.getF32Type(), 1, 0)).floatAt(0));
}

TEST(RandomInputs, RangesOfIntegers) {
  Session session;
  Builder b(&session.context());
  auto range = [&](Type element) {
    HostTensor tensor = valueOf(randomTensor(RankedTensorType::get({4000}, element), 7, 0));
    int64_t least = 1000, most = -1000;
    for (int64_t i = 0; i < 4000; ++i) {
      least = std::min(least, tensor.integerAt(i));
      most = std::max(most, tensor.integerAt(i));
    }
    return std::pair(least, most);
  };
  using Range = std::pair<int64_t, int64_t>;
  EXPECT_EQ(range(b.getIntegerType(4)), Range(-8, 7));
  EXPECT_EQ(range(b.getIntegerType(8)), Range(-8, 7));
  EXPECT_EQ(range(b.getI1Type()), Range(0, 1));
  EXPECT_EQ(range(b.getI64Type()), Range(0, 7));
  EXPECT_EQ(range(b.getIndexType()), Range(0, 7));
}

TEST(Timing, MedianAndPercentile) {
  KernelReport report;
  std::vector<double> samples;
  for (int i = 20; i >= 1; --i)
    samples.push_back(i);
  setTimes(report, samples);
  EXPECT_EQ(report.minUs, 1);
  EXPECT_EQ(report.medianUs, 10.5);
  EXPECT_EQ(report.p95Us, 19);
  setTimes(report, {5});
  EXPECT_EQ(report.minUs, 5);
  EXPECT_EQ(report.medianUs, 5);
  EXPECT_EQ(report.p95Us, 5);

  std::vector<KernelReport> reports(2, report);
  setRates(reports, {.flops = 20000, .bytesRead = 3000, .bytesWritten = 1000});
  EXPECT_DOUBLE_EQ(reports[1].gflops, 2);
  EXPECT_DOUBLE_EQ(reports[1].gbps, 0.4);
  reports[0].gflops = -1;
  setRates(reports, {.flops = -1, .bytesRead = -1, .bytesWritten = 0});
  EXPECT_EQ(reports[0].gflops, -1);
}

TEST(Timing, RepeatsStopWhenTimeIsSpentButOneIsTimed) {
  auto count = [](unsigned warmup, unsigned repeat, double each) {
    RunOptions options;
    options.warmup = warmup;
    options.repeat = repeat;
    options.secondsPerDispatch = 4;
    RepeatPlan plan(options);
    std::pair<unsigned, unsigned> done;
    while (plan.more()) {
      bool timed = plan.timed();
      ++(timed ? done.second : done.first);
      plan.ran(each, timed);
    }
    return done;
  };
  using Counts = std::pair<unsigned, unsigned>;
  EXPECT_EQ(count(3, 20, 0.001), Counts(3, 20));
  EXPECT_EQ(count(3, 0, 0.001), Counts(3, 1));
  EXPECT_EQ(count(3, 20, 60), Counts(1, 1));
  EXPECT_EQ(count(0, 20, 1), Counts(0, 4));
}
