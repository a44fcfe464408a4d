#include "core/transforms/foreign/ForeignKernels.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace fuselage {

static bool isExecutable(Operation *op) { return decode(op).role == OpRole::Executable; }

bool hasOnlyKernels(ModuleOp module) {
  bool hasExecutable = false, hasFunction = false;
  for (Operation &op : module.getOps()) {
    hasExecutable |= isExecutable(&op);
    hasFunction |= isFunction(&op);
  }
  return hasExecutable && !hasFunction;
}

/// Whether an access is to all of a tensor whose sizes are known.
static bool isWhole(const TileAccess &tile, Type moved) {
  auto whole = dyn_cast_if_present<RankedTensorType>(tile.tensorType);
  auto isNumber = [](ArrayRef<OpFoldResult> values, int64_t number) {
    return llvm::all_of(values, [&](OpFoldResult value) { return isConstantIntValue(value, number); });
  };
  return whole && whole == moved && whole.hasStaticShape() && isNumber(tile.offsets, 0) && isNumber(tile.strides, 1);
}

namespace {

/// What of a kernel becomes the interface of a function.
struct KernelInterface {
  llvm::MapVector<Value, Type> arguments; ///< by the binding that is loaded
  SmallVector<Value> results;             ///< what is stored
};

} // namespace

/// The interface; nullopt: something in the kernel is neither a whole tensor's nor computes with
/// such.
static std::optional<KernelInterface> interfaceOf(func::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return std::nullopt;
  KernelInterface found;
  llvm::DenseSet<Value> stored;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    DecodedOp decoded = decode(&op);
    if (decoded.role == OpRole::Binding)
      continue;
    if (decoded.role == OpRole::TileLoad) {
      Type type = op.getResult(0).getType();
      // What is read after it was written is not what the caller passed.
      if (!isWhole(decoded.tile, type) || stored.contains(decoded.tile.source))
        return std::nullopt;
      found.arguments.insert({decoded.tile.source, type});
    } else if (decoded.role == OpRole::TileStore) {
      if (!isWhole(decoded.tile, decoded.tile.stored.getType()) || !stored.insert(decoded.tile.source).second)
        return std::nullopt;
      found.results.push_back(decoded.tile.stored);
    } else if (!op.isRegistered()) {
      return std::nullopt;
    }
  }
  bool isLoaded = llvm::all_of(kernel.getArguments(), [&](BlockArgument argument) {
    return found.arguments.contains(argument) || stored.contains(argument) || argument.use_empty();
  });
  return isLoaded && !found.results.empty() ? std::optional(std::move(found)) : std::nullopt;
}

/// The function that computes what the kernel stores, at the end of the module.
static void buildFunction(SymbolTable &symbols, func::FuncOp kernel, const KernelInterface &interface) {
  OpBuilder builder(kernel.getContext());
  SmallVector<Type> arguments =
      llvm::map_to_vector(interface.arguments, [](const auto &entry) { return entry.second; });
  auto function = func::FuncOp::create(builder, kernel.getLoc(), kernel.getName(),
                                       builder.getFunctionType(arguments, ValueRange(interface.results).getTypes()));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  llvm::DenseMap<Value, Value> argumentOf;
  for (auto [entry, argument] : llvm::zip_equal(interface.arguments, body->getArguments()))
    argumentOf[entry.first] = argument;
  IRMapping mapping;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    DecodedOp decoded = decode(&op);
    if (decoded.role == OpRole::TileLoad)
      mapping.map(op.getResult(0), argumentOf.at(decoded.tile.source));
    else if (decoded.role != OpRole::Binding && decoded.role != OpRole::TileStore)
      builder.clone(op, mapping);
  }
  func::ReturnOp::create(builder, kernel.getLoc(),
                         llvm::map_to_vector(interface.results, [&](Value value) { return mapping.lookup(value); }));
  symbols.insert(function);
}

void liftKernels(ModuleOp module) {
  if (!hasOnlyKernels(module))
    return;
  SymbolTable symbols(module);
  for (Operation *executable : llvm::to_vector(llvm::make_pointer_range(module.getOps()))) {
    if (!isExecutable(executable))
      continue;
    SmallVector<Operation *> kernels = collectOps(executable, [](Operation *op) {
      auto function = dyn_cast<func::FuncOp>(op);
      return function && !function.isExternal();
    });
    bool isAll = !kernels.empty();
    for (Operation *op : kernels) {
      auto kernel = cast<func::FuncOp>(op);
      if (std::optional<KernelInterface> interface = interfaceOf(kernel))
        buildFunction(symbols, kernel, *interface);
      else
        isAll = false;
    }
    if (isAll)
      executable->erase();
  }
}

} // namespace fuselage
