#include "core/run/SizedModule.h"
#include "core/run/Specialize.h"
#include <map>
#include <tuple>

using namespace mlir;

namespace fuselage {

/// Names of the function's dynamic dimensions among `given`.
static ArgumentSizes sizesOf(func::FuncOp function, const ArgumentSizes &given, bool &isDynamic) {
  ArgumentSizes sizes;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    for (int64_t dimension = 0; shaped && dimension < shaped.getRank(); ++dimension) {
      if (!shaped.isDynamicDim(dimension))
        continue;
      isDynamic = true;
      if (auto it = given.find(sizeName(index, dimension)); it != given.end())
        sizes.insert(*it);
    }
  }
  return sizes;
}

llvm::Expected<std::shared_ptr<SizedModule>> SizedModule::around(Operation *op, const ArgumentSizes &given) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  bool isDynamic = false;
  ArgumentSizes sizes;
  if (function)
    sizes = sizesOf(function, given, isDynamic);
  if (!isDynamic)
    return std::shared_ptr<SizedModule>();
  sizes.merge(defaultSizes(function, sizes));
  auto module = specialize(function, sizes);
  if (!module)
    return module.takeError();
  auto sized = std::make_shared<SizedModule>();
  sized->module_ = std::move(*module);
  sized->sizes_ = std::move(sizes);
  if (auto copy = sized->module_->lookupSymbol<func::FuncOp>(function.getName()))
    sized->match(function, copy);
  return sized;
}

void SizedModule::match(func::FuncOp original, func::FuncOp copy) {
  using Key = std::tuple<const void *, const void *, unsigned>;
  auto numbered = [](func::FuncOp function, auto &&see) {
    std::map<Key, unsigned> count;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      const void *place = op->getLoc().getAsOpaquePointer(), *name = op->getName().getAsOpaquePointer();
      see(Key(place, name, count[{place, name, 0}]++), op);
    });
  };
  std::map<Key, Operation *> known;
  numbered(original, [&](const Key &key, Operation *op) { known[key] = op; });
  numbered(copy, [&](const Key &key, Operation *op) {
    if (auto it = known.find(key); it != known.end()) {
      copies_[it->second] = op;
      originals_[op] = it->second;
    }
  });
}

Value SizedModule::originalOf(Value value) const {
  if (Operation *op = value.getDefiningOp()) {
    Operation *original = originalOf(op);
    unsigned number = cast<OpResult>(value).getResultNumber();
    return original && number < original->getNumResults() ? original->getResult(number) : Value();
  }
  auto argument = cast<BlockArgument>(value);
  Operation *original = originalOf(argument.getOwner()->getParentOp());
  if (!original || argument.getOwner() != &argument.getOwner()->getParent()->front())
    return Value();
  Region &region = original->getRegion(argument.getOwner()->getParent()->getRegionNumber());
  return !region.empty() && argument.getArgNumber() < region.getNumArguments()
             ? region.getArgument(argument.getArgNumber())
             : Value();
}

} // namespace fuselage
