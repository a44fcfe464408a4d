#include "core/run/Specialize.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/ir/ops/ElementBounds.h"
#include "core/run/DefaultSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;

namespace fuselage {

/// " (a.mlir:3:8)", or nothing where the place is not known.
static std::string inBrackets(Location loc) {
  std::string place = formatPosition(positionOf(loc));
  return place.empty() ? place : " (" + place + ")";
}

llvm::Expected<func::FuncOp> pickFunction(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> functions;
  for (ModuleOp part : splitModules(module))
    for (auto function : part.getOps<func::FuncOp>())
      if (!function.isExternal())
        functions.push_back(function);
  name.consume_front("@");
  if (name.empty()) {
    auto found = llvm::find_if(functions, [](func::FuncOp function) { return function.isPublic(); });
    if (found != functions.end())
      return *found;
    return fail("there is nothing to run: the module" + inBrackets(module.getLoc()) +
                " has no public func.func with a body");
  }
  for (func::FuncOp function : functions)
    if (function.getName() == name)
      return function;
  llvm::stable_sort(functions, [&](func::FuncOp a, func::FuncOp b) {
    return name.edit_distance(a.getName()) < name.edit_distance(b.getName());
  });
  std::string text = "there is no function @" + name.str() + " with a body";
  if (!functions.empty()) {
    text += "; the module has ";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(ArrayRef(functions).take_front(8), os,
                          [&](func::FuncOp function) { os << '@' << function.getName(); });
  }
  return fail(text);
}

/// "arg0.1 (tensor<4x?xf32>, dimension 1)"
static std::string describeSize(unsigned argument, unsigned dimension, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << sizeName(argument, dimension) << " (" << type << ", dimension " << dimension << ')';
  return text;
}

/// The argument types with every dynamic size filled in.
static llvm::Expected<SmallVector<Type>> sizedTypes(func::FuncOp function, const ArgumentSizes &sizes) {
  SmallVector<Type> types;
  std::vector<std::string> missing, known;
  std::set<std::string> used;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    types.push_back(type);
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      if (!llvm::isa<ShapedType>(type) && function.getArgument(index).use_empty()) {
        types.back() = IndexType::get(function.getContext()); // nobody reads it: any number will do
        continue;
      }
      if (!llvm::isa<ShapedType>(type) && (type.isIntOrIndexOrFloat() || llvm::isa<ComplexType>(type)))
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << "argument " << index << " of @" << function.getName()
                                     << inBrackets(function.getLoc()) << " is a " << type
                                     << ": running takes functions on ranked tensors and scalars, as they are before "
                                        "bufferization";
      return fail(text);
    }
    SmallVector<int64_t> shape(tensor.getShape());
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      auto given = sizes.find(sizeName(index, dim));
      if (given != sizes.end()) {
        used.insert(given->first);
        bool fits = shape[dim] == given->second || (ShapedType::isDynamic(shape[dim]) && given->second >= 0);
        if (!fits)
          return fail("the size " + std::to_string(given->second) + " does not fit " + describeSize(index, dim, type));
        shape[dim] = given->second;
      } else if (ShapedType::isDynamic(shape[dim])) {
        missing.push_back(describeSize(index, dim, type));
      }
      if (ShapedType::isDynamic(tensor.getDimSize(dim)))
        known.push_back(describeSize(index, dim, type));
    }
    types.back() = RankedTensorType::get(shape, tensor.getElementType(), tensor.getEncoding());
  }
  std::string name = "@" + function.getName().str();
  for (const auto &[size, value] : sizes)
    if (!used.count(size))
      return fail(
          "the size '" + size + "' names no dimension of " + name +
          (known.empty() ? ", whose shapes are all static" : "; its dynamic ones are " + llvm::join(known, ", ")));
  if (!missing.empty())
    return fail(name + " has dynamic shapes; give a size for " + llvm::join(missing, ", "));
  return types;
}

/// Gives the arguments their sized types; casts keep the body valid until shapes have spread.
static void setArgumentTypes(func::FuncOp function, ArrayRef<Type> types) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  for (auto [argument, type] : llvm::zip_equal(function.getArguments(), types)) {
    if (argument.getType() == type)
      continue;
    Type dynamic = argument.getType();
    argument.setType(type);
    if (argument.use_empty())
      continue;
    auto cast = tensor::CastOp::create(builder, argument.getLoc(), dynamic, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  function.setType(builder.getFunctionType(types, function.getResultTypes()));
}

/// Puts the number in the place of each integer argument that is a size which is known now; whoever gives the argument
/// has to give that.
static bool settleSizes(func::FuncOp function) {
  std::map<unsigned, int64_t> known = argumentsThatAreSizes(function);
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  for (auto [number, size] : known) {
    BlockArgument argument = function.getArgument(number);
    if (argument.getType().isInteger() && !llvm::isUIntN(argument.getType().getIntOrFloatBitWidth(), size))
      continue;
    narrowElementBounds(argument, {.least = size, .greatest = size});
    TypedAttr value = builder.getIntegerAttr(argument.getType(), size);
    argument.replaceAllUsesWith(arith::ConstantOp::create(builder, argument.getLoc(), value).getResult());
  }
  return !known.empty();
}

/// A terminator's operands without casts that only hide a static shape. True if any changed.
static bool lookThroughCasts(Operation *terminator) {
  bool changed = false;
  for (OpOperand &operand : terminator->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<tensor::CastOp>();
    if (!cast || !llvm::isa<RankedTensorType>(cast.getSource().getType()) ||
        !tensor::preservesStaticInformation(cast.getType(), cast.getSource().getType()) ||
        cast.getType() == cast.getSource().getType())
      continue;
    operand.set(cast.getSource());
    changed = true;
  }
  return changed;
}

/// Lets static shapes out of dispatch regions.
static void sharpenRegions(ModuleOp module) {
  SmallVector<flow::DispatchRegionOp> regions;
  module.walk([&](flow::DispatchRegionOp op) { regions.push_back(op); });
  for (flow::DispatchRegionOp op : regions) {
    Operation *terminator = op.getReturn();
    if (!lookThroughCasts(terminator))
      continue;
    OpBuilder builder(op);
    auto sharper = flow::DispatchRegionOp::create(builder, op.getLoc(), TypeRange(terminator->getOperands()),
                                                  ValueRange(), ValueRange());
    sharper.getBody().takeBody(op.getBody());
    for (auto [old, now] : llvm::zip_equal(op->getResults(), sharper->getResults())) {
      Value value = now;
      if (old.getType() != now.getType())
        value = tensor::CastOp::create(builder, op.getLoc(), old.getType(), now);
      old.replaceAllUsesWith(value);
    }
    op.erase();
  }
}

/// Lets static shapes out of the function.
static void sharpenResults(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return;
  Operation *terminator = function.getBody().front().getTerminator();
  if (lookThroughCasts(terminator))
    function.setType(
        FunctionType::get(function.getContext(), function.getArgumentTypes(), terminator->getOperandTypes()));
}

llvm::Expected<OwningOpRef<ModuleOp>> specialize(func::FuncOp function, const ArgumentSizes &sizes) {
  if (llvm::Error error = checkSizes(function, sizes))
    return error;
  auto types = sizedTypes(function, sizes);
  if (!types)
    return types.takeError();
  auto parent = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> module(parent.clone());
  for (auto other : module->getOps<func::FuncOp>())
    if (other.getName() != function.getName())
      other.setPrivate();
  auto copy = module->lookupSymbol<func::FuncOp>(function.getName());
  copy.setPublic();
  bool dynamic = ArrayRef<Type>(*types) != copy.getArgumentTypes();
  setArgumentTypes(copy, *types);
  dynamic |= settleSizes(copy);

  MLIRContext *context = module->getContext();
  DiagnosticCapture capture(*context);
  auto run = [&](bool shapes) -> llvm::Error {
    PassManager passes(context);
    passes.addPass(createSymbolDCEPass());
    if (shapes) {
      passes.addPass(memref::createResolveShapedTypeResultDimsPass());
      passes.addPass(createCanonicalizerPass());
      passes.addPass(createCSEPass());
    }
    return runPasses(passes, *module, "@" + function.getName() + " could not be given its sizes");
  };
  // Each round lets shapes through one more kind of border; a handful reaches everything.
  for (unsigned round = 0; round < (dynamic ? 4 : 1); ++round) {
    if (llvm::Error error = run(dynamic))
      return error;
    if (!dynamic)
      break;
    sharpenRegions(*module);
    sharpenResults(copy);
  }
  if (failed(verify(*module)))
    return fail("@" + function.getName().str() +
                    " does not verify with these sizes: do they match "
                    "each other?",
                capture.take());
  return module;
}

/// Sizes to choose beside `sizes` where integers are given as `inputs` say.
static ArgumentSizes chosenSizes(func::FuncOp function, const ArgumentSizes &sizes,
                                 const std::map<std::string, std::string> &inputs) {
  ArgumentSizes given = sizes;
  for (const auto &[name, text] : inputs)
    if (int64_t number = 0; !StringRef(text).getAsInteger(10, number))
      given.try_emplace(name, number);
  ArgumentSizes chosen = defaultSizes(function, given);
  // An integer that contradicts the sizes is refused when it is given to the function, whose bounds it breaks then.
  return chosen.empty() && given.size() != sizes.size() ? defaultSizes(function, sizes) : chosen;
}

ArgumentSizes withDefaults(func::FuncOp function, const ArgumentSizes &sizes,
                           const std::map<std::string, std::string> &inputs) {
  ArgumentSizes all = sizes;
  all.merge(chosenSizes(function, sizes, inputs));
  return all;
}

llvm::Expected<OwningOpRef<ModuleOp>> specializeWithDefaults(func::FuncOp function, ArgumentSizes sizes,
                                                             std::vector<Diagnostic> &remarks,
                                                             const std::map<std::string, std::string> &inputs) {
  ArgumentSizes chosen = chosenSizes(function, sizes, inputs);
  if (!chosen.empty()) {
    SourcePosition position = positionOf(function.getLoc());
    remarks.push_back({.severity = Diagnostic::Severity::Remark,
                       .message = describeChosen(chosen),
                       .file = position.file,
                       .line = position.line,
                       .column = position.column,
                       .notes = {}});
  }
  sizes.merge(chosen);
  return specialize(function, sizes);
}

} // namespace fuselage
