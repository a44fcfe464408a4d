#include "core/tuning/space/PayloadSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage::tune {

static std::optional<int64_t> sizeOf(mlir::TypeRange types, unsigned number, unsigned dimension) {
  auto shaped = number < types.size() ? mlir::dyn_cast<mlir::ShapedType>(types[number]) : mlir::ShapedType();
  if (!shaped || !shaped.hasRank() || dimension >= shaped.getRank() || shaped.isDynamicDim(dimension))
    return std::nullopt;
  return shaped.getDimSize(dimension);
}

std::optional<int64_t> payloadSize(mlir::func::FuncOp function, llvm::StringRef name) {
  const llvm::StringRef head = name.rsplit('.').first, tail = name.rsplit('.').second;
  unsigned dimension = 0, number = 0;
  if (tail.getAsInteger(10, dimension))
    return std::nullopt;
  llvm::StringRef rest = head;
  if (rest.consume_front("arg") && !rest.getAsInteger(10, number))
    return sizeOf(function.getArgumentTypes(), number, dimension);
  rest = head;
  if (rest.consume_front("result") && !rest.getAsInteger(10, number))
    return sizeOf(function.getResultTypes(), number, dimension);
  std::optional<int64_t> found;
  bool agree = true;
  function.walk([&](mlir::linalg::LinalgOp op) {
    if (op->getName().getStringRef() != head)
      return;
    auto ranges = op.getStaticLoopRanges();
    int64_t size = dimension < ranges.size() ? ranges[dimension] : mlir::ShapedType::kDynamic;
    agree &= size != mlir::ShapedType::kDynamic && (!found || *found == size);
    found = size;
  });
  return agree ? found : std::nullopt;
}

std::function<std::optional<int64_t>(llvm::StringRef name)> payloadSizes(mlir::func::FuncOp function,
                                                                         const ArgumentSizes &given) {
  return [function, &given](llvm::StringRef name) -> std::optional<int64_t> {
    auto found = given.find(name.str());
    return found != given.end() ? std::optional(found->second) : payloadSize(function, name);
  };
}

} // namespace fuselage::tune
