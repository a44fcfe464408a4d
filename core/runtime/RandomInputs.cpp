#include "core/runtime/RandomInputs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

namespace {

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
struct SplitMix64 {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

} // namespace

llvm::Expected<HostTensor> randomTensor(Type type, uint64_t seed, uint64_t index, int64_t limit) {
  auto tensor = HostTensor::create(type);
  if (!tensor)
    return tensor.takeError();
  SplitMix64 random{seed * 0x2545f4914f6cdd1d + index};
  random.next();
  Type element = tensor->elementType();
  int64_t count = tensor->elementCount();
  HostTensor values = *tensor;
  if (auto complex = llvm::dyn_cast<ComplexType>(element)) {
    count *= 2;
    element = complex.getElementType();
    values = tensor->reinterpret(RankedTensorType::get({count}, element));
  }
  auto number = [&] { return (static_cast<int64_t>(random.next() >> 56) - 128) / 128.0; };
  if (element.isF32()) {
    for (float &value : values.as<float>())
      value = static_cast<float>(number());
    return tensor;
  }
  bool narrow = element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 8;
  for (int64_t i = 0; i < count; ++i) {
    if (llvm::isa<FloatType>(element))
      values.setFloat(i, number());
    else if (narrow)
      values.setInteger(i, static_cast<int64_t>(random.next() >> 60) -
                               (element.isUnsignedInteger() ? 0 : 8));
    else
      values.setInteger(i, static_cast<int64_t>((random.next() >> 32) % limit));
  }
  return tensor;
}

/// True if some op of the function makes an index of a loaded integer.
static bool looksUpTables(func::FuncOp function) {
  return function
      ->walk([](Operation *op) {
        return llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
                       op->getResult(0).getType().isIndex()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<std::vector<HostTensor>> randomArguments(func::FuncOp function, uint64_t seed) {
  int64_t limit = looksUpTables(function) ? 2 : 8;
  std::vector<HostTensor> arguments;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = randomTensor(type, seed, index, limit);
    if (!tensor) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "argument " << index << " of @" << function.getName()
          << " cannot be made up: " << takeFailure(tensor.takeError()).message;
      return fail(text);
    }
    arguments.push_back(std::move(*tensor));
  }
  return arguments;
}

} // namespace fuselage
