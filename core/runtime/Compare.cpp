#include "core/runtime/Compare.h"
#include "mlir/IR/Operation.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace fuselage {

double toleranceOf(Type elementType) {
  if (auto complex = llvm::dyn_cast<ComplexType>(elementType))
    return toleranceOf(complex.getElementType());
  auto type = llvm::dyn_cast<FloatType>(elementType);
  if (!type)
    return 0;
  if (type.isBF16())
    return 4e-2;
  switch (type.getWidth()) {
  case 16:
    return 1e-2;
  case 32:
  case 19: // tf32
    return 1e-4;
  default:
    return type.getWidth() >= 64 ? 1e-9 : 0.25;
  }
}

double toleranceWithin(Operation *root) {
  double tolerance = 0;
  auto visit = [&](Type type) {
    tolerance = std::max(tolerance, toleranceOf(getElementTypeOrSelf(type)));
  };
  root->walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), visit);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), visit);
  });
  return tolerance;
}

namespace {

/// Gathers the largest difference and the largest reference value.
struct Extremes {
  double difference = 0, reference = 0;
  void add(double actual, double expected) {
    if (std::isnan(actual) && std::isnan(expected))
      return;
    if (std::isinf(expected) || std::isinf(actual) || std::isnan(actual) || std::isnan(expected)) {
      if (actual != expected)
        difference = std::numeric_limits<double>::infinity();
      return;
    }
    difference = std::max(difference, std::abs(actual - expected));
    reference = std::max(reference, std::abs(expected));
  }
};

} // namespace

/// The extremes over `count` floats or doubles.
template <typename T>
static Extremes extremesOf(const HostTensor &actual, const HostTensor &expected) {
  Extremes extremes;
  auto a = actual.as<T>(), b = expected.as<T>();
  for (size_t i = 0; i < a.size(); ++i)
    extremes.add(a[i], b[i]);
  return extremes;
}

Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, double tolerance) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (actual.type() != expected.type())
    return {.maxAbsError = infinity, .maxRelError = infinity, .ok = false};
  Type element = expected.elementType();
  bool exact = !llvm::isa<FloatType, ComplexType>(element);
  if (auto complex = llvm::dyn_cast<ComplexType>(element)) {
    auto pairs = [&](const HostTensor &tensor) {
      Type flat = RankedTensorType::get({2 * tensor.elementCount()}, complex.getElementType());
      return tensor.reinterpret(flat);
    };
    return compareTensors(pairs(actual), pairs(expected), tolerance);
  }
  Extremes extremes;
  if (element.isF32())
    extremes = extremesOf<float>(actual, expected);
  else if (element.isF64())
    extremes = extremesOf<double>(actual, expected);
  else
    for (int64_t i = 0; i < expected.elementCount(); ++i) {
      if (exact)
        extremes.add(actual.integerAt(i), expected.integerAt(i));
      else
        extremes.add(actual.floatAt(i), expected.floatAt(i));
    }
  Comparison result;
  result.maxAbsError = extremes.difference;
  result.maxRelError = extremes.difference / std::max(1e-6, extremes.reference);
  result.ok = exact ? extremes.difference == 0 : result.maxRelError <= tolerance;
  return result;
}

} // namespace fuselage
