#include "core/transforms/stablehlo/families/HloForms.h"
#include "core/ir/ops/CollectOps.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Results in the place of an op; nothing: it stays.
using Replacement = std::optional<SmallVector<Value>>;

Operation *createHlo(OpBuilder &builder, Location loc, StringRef name, ValueRange operands, TypeRange results,
                     ArrayRef<NamedAttribute> attributes, unsigned regions = 0) {
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttributes(attributes);
  for (unsigned region = 0; region < regions; ++region)
    state.addRegion();
  return builder.create(state);
}

Replacement resultsOf(Operation *op) { return llvm::to_vector(ValueRange(op->getResults())); }

/// The body of a function as the region of an op, which ends with `stablehlo.return`.
bool cloneBody(func::FuncOp function, Region &region) {
  if (!function || !function.getBody().hasOneBlock())
    return false;
  IRMapping values;
  function.getBody().cloneInto(&region, values);
  Operation *end = region.front().getTerminator();
  OpBuilder builder(end);
  createHlo(builder, end->getLoc(), "stablehlo.return", end->getOperands(), {}, {});
  end->erase();
  return true;
}

/// The one function that a custom call computes with. Nothing else calls it: it is no function to run.
func::FuncOp computationOf(HloOp op) {
  auto list = dyn_cast_or_null<ArrayAttr>(op.attribute({"called_computations"}));
  auto name = list && list.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(list[0]) : FlatSymbolRefAttr();
  auto function = name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op.operation(), name) : func::FuncOp();
  if (function)
    function.setPrivate();
  return function;
}

//===-- mhlo.fusion -------------------------------------------------------===//

/// What is computed in one kernel is for us to say.
Replacement openFusion(HloOp op) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() || op->getRegion(0).front().empty() ||
      op->getRegion(0).getNumArguments() != op->getNumOperands())
    return std::nullopt;
  Block &body = op->getRegion(0).front();
  Operation *end = &body.back();
  if (!HloOp::isHlo(end) || HloOp(end).name() != "return" || end->getOperandTypes() != op->getResultTypes())
    return std::nullopt;
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op->getOperands()))
    argument.replaceAllUsesWith(operand);
  SmallVector<Value> results(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(Block::iterator(op.operation()), body.getOperations());
  return results;
}

//===-- Custom calls ------------------------------------------------------===//

/// `mhlo.erf` and the like: the op, its attributes in `mhlo.attributes`.
Replacement asOp(HloOp op, StringRef target) {
  auto attributes = dyn_cast_or_null<DictionaryAttr>(op.attribute({"mhlo.attributes", "composite_attributes"}));
  SmallVector<NamedAttribute> list;
  if (attributes)
    llvm::append_range(list, attributes);
  OpBuilder builder(op.operation());
  return resultsOf(createHlo(builder, op.loc(), target, op->getOperands(), op->getResultTypes(), list));
}

/// The k largest numbers of each row; k is the size of the result.
Replacement asTopK(HloOp op) {
  auto type = op->getNumResults() == 2 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  if (!type || type.getRank() == 0 || type.isDynamicDim(type.getRank() - 1) || op->getNumOperands() == 0)
    return std::nullopt;
  OpBuilder builder(op.operation());
  NamedAttribute k = builder.getNamedAttr("k", builder.getI64IntegerAttr(type.getShape().back()));
  return resultsOf(createHlo(builder, op.loc(), "chlo.top_k", op->getOperand(0), op->getResultTypes(), {k}));
}

/// XLA's: operands are sorted by a comparator and the first k taken; all that are right is a good approximation.
Replacement asSortAndSlice(HloOp op, std::optional<int64_t> k) {
  auto config = dyn_cast_or_null<DictionaryAttr>(op.attribute({"mhlo.backend_config", "backend_config"}));
  auto dim = config ? dyn_cast_or_null<IntegerAttr>(config.get("reduction_dim")) : IntegerAttr();
  auto count = config ? dyn_cast_or_null<IntegerAttr>(config.get("top_k")) : IntegerAttr();
  func::FuncOp comparator = computationOf(op);
  unsigned inputs = op->getNumResults();
  auto isInput = [](Type type) { return isa<RankedTensorType>(type); };
  if (!dim || (!count && !k) || !comparator || op->getNumOperands() < 2 * inputs ||
      !llvm::all_of(op->getOperandTypes(), isInput))
    return std::nullopt;
  OpBuilder builder(op.operation());
  ValueRange operands = op->getOperands().take_front(inputs);
  Operation *sort = createHlo(builder, op.loc(), "stablehlo.sort", operands, operands.getTypes(),
                              {builder.getNamedAttr("dimension", builder.getI64IntegerAttr(dim.getInt())),
                               builder.getNamedAttr("is_stable", builder.getBoolAttr(true))},
                              1);
  if (!cloneBody(comparator, sort->getRegion(0)))
    return std::nullopt;
  SmallVector<Value> results;
  for (auto [sorted, result] : llvm::zip_equal(sort->getResults(), op->getResults())) {
    auto type = cast<RankedTensorType>(sorted.getType());
    SmallVector<int64_t> starts(type.getRank(), 0), steps(type.getRank(), 1), limits(type.getShape());
    if (dim.getInt() < 0 || dim.getInt() >= type.getRank())
      return std::nullopt;
    limits[dim.getInt()] = k ? *k : count.getInt();
    Operation *slice = createHlo(builder, op.loc(), "stablehlo.slice", sorted, result.getType(),
                                 {builder.getNamedAttr("start_indices", builder.getDenseI64ArrayAttr(starts)),
                                  builder.getNamedAttr("limit_indices", builder.getDenseI64ArrayAttr(limits)),
                                  builder.getNamedAttr("strides", builder.getDenseI64ArrayAttr(steps))});
    results.push_back(slice->getResult(0));
  }
  return results;
}

/// JAX's reduce_window with dynamic sizes: inputs, initial values, then window, strides, dilations of the base and of
/// the window, and padding as tensors; constants once shapes are known.
Replacement asReduceWindow(HloOp op) {
  func::FuncOp body = computationOf(op);
  unsigned count = op->getNumResults();
  if (!body || op->getNumOperands() != 2 * count + 5)
    return std::nullopt;
  OpBuilder builder(op.operation());
  SmallVector<NamedAttribute> attributes;
  constexpr StringRef names[] = {"window_dimensions", "window_strides", "base_dilations", "window_dilations",
                                 "padding"};
  for (auto [at, name] : llvm::enumerate(names)) {
    auto numbers = integersOf(op->getOperand(2 * count + at));
    if (!numbers)
      return std::nullopt;
    attributes.push_back(builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(*numbers)));
  }
  Operation *window = createHlo(builder, op.loc(), "stablehlo.reduce_window", op->getOperands().take_front(2 * count),
                                op->getResultTypes(), attributes, 1);
  if (!cloneBody(body, window->getRegion(0)))
    return std::nullopt;
  return resultsOf(window);
}

Replacement asRandomBits(HloOp op) {
  Attribute algorithm = op.attribute({"rng_algorithm"});
  if (!algorithm || op->getNumOperands() != 2)
    return std::nullopt;
  OpBuilder builder(op.operation());
  return resultsOf(createHlo(builder, op.loc(), "stablehlo.rng_bit_generator", op->getOperand(0), op->getResultTypes(),
                             {builder.getNamedAttr("rng_algorithm", algorithm)}));
}

/// dynamic_conv: padding is an operand, a constant once shapes are known.
Replacement asConvolution(HloOp op) {
  auto padding = op->getNumOperands() == 3 ? integersOf(op->getOperand(2)) : std::nullopt;
  if (!padding)
    return std::nullopt;
  OpBuilder builder(op.operation());
  Operation *convolution = createHlo(builder, op.loc(), "stablehlo.convolution", op->getOperands().take_front(2),
                                     op->getResultTypes(), op->getAttrs());
  convolution->setDiscardableAttr("padding", builder.getDenseI64ArrayAttr(*padding));
  return resultsOf(convolution);
}

/// dynamic_pad with constant amounts, which may lie between elements.
Replacement asPad(HloOp op) {
  if (op->getNumOperands() != 5)
    return std::nullopt;
  OpBuilder builder(op.operation());
  SmallVector<NamedAttribute> attributes;
  constexpr StringRef names[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  for (auto [at, name] : llvm::enumerate(names)) {
    auto numbers = integersOf(op->getOperand(2 + at));
    if (!numbers)
      return std::nullopt;
    attributes.push_back(builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(*numbers)));
  }
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  ValueRange operands = op->getOperands().take_front(2);
  return resultsOf(createHlo(builder, op.loc(), "stablehlo.pad", operands, op->getResultTypes(), attributes));
}

Replacement openCustomCall(HloOp op) {
  std::string target = op.callTarget();
  auto [dialect, name] = StringRef(target).split('.');
  if ((dialect == "mhlo" || dialect == "chlo") && hloLowerings().contains(name))
    return asOp(op, target);
  if (target == "TopK" || target == "stablehlo.dynamic_top_k")
    return asTopK(op);
  if (target == "ApproxTopK")
    return asSortAndSlice(op, std::nullopt);
  if (target == "stablehlo.dynamic_approx_top_k") {
    auto k = op->getNumOperands() > 0 ? integersOf(op->getOperands().back()) : std::nullopt;
    return k && k->size() == 1 ? asSortAndSlice(op, k->front()) : std::nullopt;
  }
  if (target == "stablehlo.dynamic_reduce_window")
    return asReduceWindow(op);
  return target == "stablehlo.dynamic_rng_bit_generator" ? asRandomBits(op) : std::nullopt;
}

} // namespace

void unifyHloForms(ModuleOp module) {
  using Opener = Replacement (*)(HloOp);
  const llvm::StringMap<Opener> openers = {
      {"custom_call", openCustomCall}, {"dynamic_conv", asConvolution}, {"dynamic_pad", asPad}, {"fusion", openFusion}};
  auto hasOtherForm = [&](Operation *op) { return HloOp::isHlo(op) && openers.contains(HloOp(op).name()); };
  for (Operation *op : collectOps(module, hasOtherForm)) {
    HloOp hlo(op);
    Replacement results = openers.lookup(hlo.name())(hlo);
    if (!results)
      continue;
    op->replaceAllUsesWith(*results);
    op->erase();
  }
}

} // namespace fuselage
