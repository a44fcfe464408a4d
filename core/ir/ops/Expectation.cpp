#include "core/ir/ops/Expectation.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fuselage {

DictionaryAttr toAttribute(const Expectation &expectation, MLIRContext *context) {
  Builder builder(context);
  return builder.getDictionaryAttr({
      builder.getNamedAttr("kind", builder.getI64IntegerAttr(int64_t(expectation.kind))),
      builder.getNamedAttr("min_ulps", builder.getI64IntegerAttr(expectation.minUlps)),
      builder.getNamedAttr("op", builder.getStringAttr(expectation.op)),
      builder.getNamedAttr("place", builder.getStringAttr(expectation.place)),
      builder.getNamedAttr("tolerance", builder.getF64FloatAttr(expectation.tolerance)),
      builder.getNamedAttr("ulps", builder.getI64IntegerAttr(expectation.ulps)),
  });
}

std::optional<Expectation> expectationOf(func::FuncOp function, unsigned result) {
  if (!function || result + 1 >= function.getNumResults())
    return std::nullopt;
  auto written = function.getResultAttrOfType<DictionaryAttr>(result, kExpectationAttr);
  if (!written)
    return std::nullopt;
  // Anybody may write such an attribute: what is not there keeps its default.
  auto integer = [&](StringRef name, int64_t otherwise) {
    auto attribute = written.getAs<IntegerAttr>(name);
    return attribute && attribute.getType().isInteger(64) ? attribute.getInt() : otherwise;
  };
  Expectation expectation;
  int64_t kind = integer("kind", 0);
  expectation.kind = kind == 1   ? Expectation::Kind::Near
                     : kind == 2 ? Expectation::Kind::Close
                                 : Expectation::Kind::Equal;
  expectation.minUlps = integer("min_ulps", expectation.minUlps);
  expectation.ulps = integer("ulps", expectation.ulps);
  if (auto tolerance = written.getAs<FloatAttr>("tolerance"))
    expectation.tolerance = tolerance.getValueAsDouble();
  if (auto op = written.getAs<StringAttr>("op"))
    expectation.op = op.str();
  if (auto place = written.getAs<StringAttr>("place"))
    expectation.place = place.str();
  return expectation;
}

} // namespace fuselage
